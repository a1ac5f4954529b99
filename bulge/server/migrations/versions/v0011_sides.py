"""A record by side."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "bulge_side",
        sa.Column("person", sa.String(32), sa.ForeignKey("bulge_person.id"), primary_key=True),
        sa.Column("game", sa.String(64), primary_key=True),
        sa.Column("side", sa.String(64), primary_key=True),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("won", "drawn", "lost")),
    )
