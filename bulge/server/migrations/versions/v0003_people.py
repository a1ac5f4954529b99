"""People with sessions and ratings; tables at which they meet: seats, terms, the dice's secrets, talk, notes."""

from __future__ import annotations

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "bulge_person",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("key", sa.String(80), nullable=False, unique=True, index=True),
        sa.Column("password", sa.Text, nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("email", sa.String(254), nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("created", DateTimeUTC(timezone=True), nullable=False),
    )
    op.create_table(
        "bulge_session",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(32), sa.ForeignKey("bulge_person.id"), nullable=False, index=True),
        sa.Column("created", DateTimeUTC(timezone=True), nullable=False),
        sa.Column("agent", sa.String(200), nullable=False),
    )
    op.create_table(
        "bulge_rating",
        sa.Column("person", sa.String(32), sa.ForeignKey("bulge_person.id"), primary_key=True),
        sa.Column("game", sa.String(64), primary_key=True),
        sa.Column("mean", sa.Float, nullable=False),
        sa.Column("spread", sa.Float, nullable=False),
        sa.Column("won", sa.Integer, nullable=False),
        sa.Column("drawn", sa.Integer, nullable=False),
        sa.Column("lost", sa.Integer, nullable=False),
    )
    op.create_table(
        "bulge_table",
        sa.Column("match", sa.String(32), sa.ForeignKey("bulge_match.id"), primary_key=True),
        sa.Column("listed", sa.Boolean, nullable=False, index=True),
        sa.Column("begun", sa.Boolean, nullable=False),
        sa.Column("terms", sa.Text, nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("invitation", sa.String(64), nullable=False),
        sa.Column("touched", DateTimeUTC(timezone=True), nullable=False),
        sa.Column("ending", sa.Text, nullable=False),
        sa.Column("offer", sa.Text, nullable=False),
    )
    op.create_table(
        "bulge_seat",
        sa.Column("match", sa.String(32), sa.ForeignKey("bulge_match.id"), primary_key=True),
        sa.Column("side", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(32), sa.ForeignKey("bulge_person.id"), index=True),
        sa.Column("commitment", sa.String(64), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
    )
    op.create_table(
        "bulge_talk",
        sa.Column("match", sa.String(32), sa.ForeignKey("bulge_match.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("at", DateTimeUTC(timezone=True), nullable=False),
    )
    op.create_table(
        "bulge_note",
        sa.Column("match", sa.String(32), sa.ForeignKey("bulge_match.id"), primary_key=True),
        sa.Column("person", sa.String(32), sa.ForeignKey("bulge_person.id"), primary_key=True),
        sa.Column("turn", sa.Integer, primary_key=True),
        sa.Column("words", sa.Text, nullable=False),
    )
