"""Tables say what happened last, and where their rematch is played."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("bulge_table", sa.Column("last", sa.Text, nullable=False, server_default=""))
    op.add_column("bulge_table", sa.Column("next", sa.String(32), nullable=False, server_default=""))
