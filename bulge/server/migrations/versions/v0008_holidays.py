"""Holidays, during which clocks stand."""

from __future__ import annotations

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    for name in ("away_from", "away_until"):
        op.add_column("bulge_person", sa.Column(name, DateTimeUTC(timezone=True), nullable=True))
