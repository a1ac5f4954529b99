"""What the small map of a match is drawn from."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.add_column("bulge_table", sa.Column("sketch", sa.Text, nullable=False, server_default=""))
