"""What onlookers say among themselves, and notes that were shared after the end."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    for table, column in (("bulge_talk", "gallery"), ("bulge_note", "shared")):
        op.add_column(table, sa.Column(column, sa.Boolean, nullable=False, server_default=sa.false()))
