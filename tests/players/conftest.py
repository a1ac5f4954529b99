"""The command line is run here as in its own tests."""

from tests.cli.conftest import bulge, home

__all__ = ["bulge", "home"]
