"""Passkeys, quiet hours, whose quota a match counts against, what expires, reports and what moderators did."""

from __future__ import annotations

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0009"
down_revision = "0008"

MOMENT = DateTimeUTC(timezone=True)


def upgrade() -> None:
    op.add_column("bulge_match", sa.Column("maker", sa.String(64), nullable=False, server_default=""))
    op.create_index("ix_bulge_match_maker", "bulge_match", ["maker"])
    op.add_column("bulge_match", sa.Column("kept", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("bulge_match", sa.Column("expires", MOMENT, nullable=True))
    for name in ("seen", "expires"):
        op.add_column("bulge_person", sa.Column(name, MOMENT, nullable=True))
    op.add_column("bulge_person", sa.Column("quiet", sa.Text, nullable=False, server_default=""))
    op.create_table(
        "bulge_held",
        sa.Column("id", sa.String(32), primary_key=True),
        _person(),
        sa.Column("notice", sa.Text, nullable=False),
        sa.Column("due", MOMENT, nullable=False, index=True),
    )
    op.create_table(
        "bulge_passkey",
        sa.Column("id", sa.String(32), primary_key=True),
        _person(),
        sa.Column("credential", sa.String(1400), nullable=False, unique=True, index=True),
        sa.Column("public", sa.Text, nullable=False),
        sa.Column("count", sa.BigInteger, nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("created", MOMENT, nullable=False),
        sa.Column("used", MOMENT, nullable=True),
    )
    op.create_table(
        "bulge_challenge",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("purpose", sa.String(100), nullable=False),
        sa.Column("created", MOMENT, nullable=False, index=True),
    )
    op.create_table(
        "bulge_report",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("by", sa.String(32), sa.ForeignKey("bulge_person.id"), nullable=False, index=True),
        sa.Column("about", sa.String(32), sa.ForeignKey("bulge_person.id"), nullable=True),
        sa.Column("match", sa.String(32), nullable=False),
        sa.Column("message", sa.Integer, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("closed", sa.Boolean, nullable=False, index=True),
    )
    op.create_table(
        "bulge_deed",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("by", sa.String(40), nullable=False),
        sa.Column("words", sa.Text, nullable=False),
    )


def _person() -> sa.Column[str]:
    return sa.Column("person", sa.String(32), sa.ForeignKey("bulge_person.id"), nullable=False, index=True)
