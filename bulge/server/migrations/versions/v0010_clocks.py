"""Who was told that a clock runs short."""

from __future__ import annotations

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("bulge_table", sa.Column("warned", DateTimeUTC(timezone=True), nullable=True))
