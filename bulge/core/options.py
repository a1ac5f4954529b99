"""What may be chosen before a match begins: optional rules and other settings that a game declares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from bulge.core.errors import BulgeError

NO, YES = "no", "yes"


class GameOption(msgspec.Struct, frozen=True, kw_only=True):
    """Something that the players agree on before they set up."""

    id: str
    title: str
    words: str
    rule: str
    values: tuple[tuple[str, str], ...] = ((NO, "without it"), (YES, "with it"))
    """Each value with its words."""
    default: str = NO
    scenarios: tuple[str, ...] = ()
    """Where it can be chosen; empty: in all of them."""
    idle: tuple[str, ...] = ()
    """Where it changes nothing. It is not offered there, but was once: a kept match may have agreed on it."""

    def __post_init__(self) -> None:
        self.check(self.default)

    def check(self, value: str) -> None:
        """Refuse a value that the option does not have."""
        allowed = [name for name, _ in self.values]
        if value not in allowed:
            raise BulgeError(f"option {self.id!r} cannot be {value!r}; it can be: {', '.join(allowed)}")

    def offered_in(self, scenario: str) -> bool:
        return not self.scenarios or scenario in self.scenarios


def check_options(declared: Iterable[GameOption], scenario: str, given: Mapping[str, str]) -> None:
    """Refuse an option that the scenario does not have, or a value that the option does not have."""
    known = {option.id: option for option in declared if option.offered_in(scenario) or scenario in option.idle}
    for id_, value in given.items():
        if id_ not in known:
            offered = ", ".join(option.id for option in known.values() if option.offered_in(scenario))
            said = f"it has: {offered}" if offered else "it has none"
            raise BulgeError(f"scenario {scenario!r} has no option {id_!r}; {said}")
        known[id_].check(value)


def with_defaults(declared: Iterable[GameOption], scenario: str, given: Mapping[str, str]) -> dict[str, str]:
    """Every option of the scenario with its value."""
    return {option.id: given.get(option.id, option.default) for option in declared if option.offered_in(scenario)}


def read_options(words: Iterable[str]) -> dict[str, str]:
    """Options as typed: `fog=yes`."""
    found: dict[str, str] = {}
    for text in words:
        id_, equals, value = text.partition("=")
        if not equals or not id_ or not value:
            raise BulgeError(f"an option is written NAME=VALUE, such as fog=yes, not {text!r}")
        if id_ in found:
            raise BulgeError(f"option {id_!r} is named twice: {found[id_]}, {value}")
        found[id_] = value
    return found
