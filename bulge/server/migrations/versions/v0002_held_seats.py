"""Which seats are held by whoever got their link, and whose dice somebody knows beforehand."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("bulge_match", sa.Column("known_dice", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("bulge_token", sa.Column("held", sa.Boolean, nullable=False, server_default=sa.false()))
