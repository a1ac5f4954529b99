"""What can go wrong, said so that a person knows what to do about it."""

from __future__ import annotations


class BulgeError(Exception):
    """A mistake in what we were given; its text is one line fit to show to a person."""


class UnknownSpace(BulgeError):
    """A hex, hexside or area that is not on the board."""


class BadData(BulgeError):
    """A data or overrides file that does not say what it must."""


class BadJournal(BulgeError):
    """A journal that is damaged, foreign, or altered."""
