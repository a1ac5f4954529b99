"""What somebody has said and noted is found without reading what all have: it is added up for each message."""

from __future__ import annotations

from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    for table, column in (("bulge_talk", "name"), ("bulge_note", "person")):
        op.create_index(f"ix_{table}_{column}", table, [column])
