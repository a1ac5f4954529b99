"""With which data each match was last played, so that its players are told when those have changed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("bulge_match", sa.Column("edition", sa.String(16), nullable=False, server_default=""))
