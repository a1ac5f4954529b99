"""Libraries that playing does not need. Where one is missing, we say how to get it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from bulge.core.errors import BulgeError


class MissingExtra(BulgeError):
    """A part of the laboratory needs a library that is not installed."""


def needed(module: str, extra: str, purpose: str) -> Any:
    """A library of one of our extras; a clear line instead of an ImportError where it is missing."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != module.partition(".")[0]:
            raise  # it is there, but something that it needs is not: that is another complaint
        package = {"pyspiel": "open_spiel"}.get(module, module.partition(".")[0])
        raise MissingExtra(
            f"{purpose} needs the Python package {package}, which is not installed: "
            f"pip install 'bulge[{extra}]' (from a clone: .venv/bin/pip install -e '.[{extra}]')"
        ) from None
