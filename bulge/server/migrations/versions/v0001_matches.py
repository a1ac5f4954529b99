"""Matches, what was done in them, why, and who may sit down."""

from __future__ import annotations

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "bulge_match",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("scenario", sa.String(64), nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("overrides", sa.Text, nullable=False),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("seats", sa.Text, nullable=False),
        sa.Column("created", DateTimeUTC(timezone=True), nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("to_play", sa.String(64)),
        sa.Column("over", sa.Boolean, nullable=False),
    )
    op.create_table(
        "bulge_action",
        _of_a_match(),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("choice", sa.Text, nullable=False),
        sa.Column("side", sa.String(64), nullable=False),
        sa.Column("at", DateTimeUTC(timezone=True), nullable=False),
    )
    op.create_table(
        "bulge_reason",
        _of_a_match(),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("why", sa.Text, nullable=False),
    )
    op.create_table(
        "bulge_token",
        _of_a_match(),
        sa.Column("role", sa.String(64), primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False, unique=True, index=True),
    )


def _of_a_match() -> sa.Column[str]:
    return sa.Column("match", sa.String(32), sa.ForeignKey("bulge_match.id"), primary_key=True)
