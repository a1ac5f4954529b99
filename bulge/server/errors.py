"""What can go wrong, said in words. The processes that play and judge need it too, so that it is light to load."""

from __future__ import annotations

from bulge.core.decision import IllegalChoice
from bulge.core.errors import BulgeError

FAULT = "something went wrong on the server; nothing was changed"


class Unknown(BulgeError):
    """Something that is not there."""


class TooOften(BulgeError):
    """Later it may be done again."""

    def __init__(self, words: str, seconds: int = 0) -> None:
        super().__init__(words)
        self.seconds = seconds
        """In how many; 0 where nobody knows."""


class Full(BulgeError):
    """No more is stored for this one until something else goes."""


class NotSignedIn(BulgeError):
    def __init__(self) -> None:
        super().__init__("sign in first")


class Busy(BulgeError):
    """Too much is asked for at once; later it may be granted."""


class Unreachable(BulgeError):
    """The database is away; whoever looks after the server is told once."""

    def __init__(self) -> None:
        super().__init__("the database does not answer; nothing was changed, try again in a moment")


class WrongToken(BulgeError):
    def __init__(self) -> None:
        super().__init__("this link does not open this match")


class NotAllowed(BulgeError):
    def __init__(self) -> None:
        super().__init__("this is for moderators")


class Stale(BulgeError):
    def __init__(self) -> None:
        super().__init__("the match has gone on meanwhile; look at it again")


def words_of(error: Exception) -> dict[str, str]:
    """What a client is told: words, and the rule where there is one."""
    if isinstance(error, IllegalChoice):
        return {"words": error.refusal.words, "rule": error.refusal.rule}
    if isinstance(error, BulgeError):
        return {"words": str(error)}
    return {"words": FAULT}
