"""What each result of the tables does (rules 16.1, 16.2.2 and 16.7.3)."""

from __future__ import annotations

from typing import NamedTuple

from bulge.core.rulebook import rule

LIMITED, REGULAR, BONUS, NO_ADVANCE = "limited", "regular", "bonus", ""


class Outcome(NamedTuple):
    """Step losses of attacker and defender, hexes of retreat, and what may follow."""

    attacker: int = 0
    defender: int = 0
    retreat: int = 0
    engaged: bool = False
    advance: str = NO_ADVANCE
    breakthrough: bool = False
    advantage: bool = False
    fire_fight: int | None = None
    """What the attacker adds to the die of a Fire Fight; None where there is none."""

    @property
    def may_stand(self) -> bool:
        """Whether a Determined Defense is possible: against a Regular Advance only (16.7.1)."""
        return self.advance == REGULAR


OUTCOMES = {
    "DS": Outcome(defender=1, retreat=4, advance=BONUS, breakthrough=True),
    "DR4": Outcome(retreat=4, advance=BONUS),
    "DR3": Outcome(retreat=3, advance=BONUS),
    "DR2": Outcome(retreat=2, advance=REGULAR),
    "ENG": Outcome(engaged=True),
    "ENG+": Outcome(engaged=True, advantage=True),
    "A1/ENG": Outcome(attacker=1, engaged=True),
    "EX": Outcome(attacker=1, defender=1, engaged=True, advance=LIMITED),
    "A1": Outcome(attacker=1),
    "D1": Outcome(defender=1, retreat=2, advance=REGULAR),
    "A1/D1": Outcome(attacker=1, defender=1, retreat=2, advance=REGULAR),
    "A1/DR4": Outcome(attacker=1, retreat=4, advance=BONUS),
    "A1/DR2": Outcome(attacker=1, retreat=2, advance=REGULAR),
    "FF": Outcome(fire_fight=0),
    "FF(+1)": Outcome(fire_fight=1),
    "Yes (EX)": Outcome(attacker=1, defender=1, engaged=True, advance=LIMITED),
    "Yes (-1 step)": Outcome(defender=1, engaged=True, advance=LIMITED),
    "Delay (-1 step)": Outcome(defender=1, retreat=2, advance=LIMITED),
    "No": Outcome(),
    "No (-1 step)": Outcome(defender=1),
}


@rule("16.1", "16.2.2", "16.7.3")
def outcome(result: str) -> Outcome:
    return OUTCOMES[result]
