"""Accounts that a moderator has shut."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("bulge_person", sa.Column("suspended", sa.Boolean, nullable=False, server_default=sa.false()))
