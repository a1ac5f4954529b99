"""The state of a database: new, older, of this version, or not ours; brought up to date when a server starts."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from bulge.core.errors import BulgeError

FIRST = "0001"
"""What databases held that were made before they said their version."""
GUARD = 0x62756C6765
"""Two servers that start at once must not both bring the database up to date."""


def bring_up_to_date(connection: Connection) -> None:
    """Create or change tables as this version wants them; a database of a newer version is refused."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"select pg_advisory_xact_lock({GUARD})"))
    config = _config(connection)
    known = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    found = MigrationContext.configure(connection).get_current_revision()
    if found is None and inspect(connection).has_table("bulge_match"):
        command.stamp(config, FIRST)
    elif found is not None and found not in known:
        raise BulgeError(f"it was written by a newer version of this program (schema {found}; known: {known[0]})")
    command.upgrade(config, "head")


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    return config
