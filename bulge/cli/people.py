"""`bulge people`: who has an account on a server; give roles, shut accounts and open them again."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from bulge.cli.backup import Database, SettingsFile, chosen_database


def people(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Somebody, or how names begin.")] = "",
    role: Annotated[
        str | None, typer.Option(metavar="ROLE", help="Make NAME a player, moderator or administrator.")
    ] = None,
    suspend: Annotated[
        bool | None, typer.Option("--suspend/--allow", help="Shut the account of NAME, or open it again.")
    ] = None,
    database: Database = None,
    settings: SettingsFile = None,
) -> None:
    """List the accounts of a server, or change one; the server may go on meanwhile."""
    asyncio.run(_people(name, role, suspend, chosen_database(database, settings)))


async def _people(name: str, role: str | None, suspend: bool | None, database: str) -> None:
    from bulge.server.moderation import Moderation
    from bulge.server.storage import Storage

    storage = Storage(database)
    await storage.open()
    try:
        moderation = Moderation(storage)
        if role is not None:
            await moderation.give_role(name, role)
        if suspend is not None:
            await moderation.suspend(name, suspend)
        for account in await moderation.accounts(name):
            shut = ", shut" if account.suspended else ""
            typer.echo(f"{account.name}: {account.role}, since {account.since:%Y-%m-%d}{shut}")
    finally:
        await storage.close()
