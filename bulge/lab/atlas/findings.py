"""What the models say together: sentences that follow from the figures, and say which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb
from typing import Any

from bulge.lab.atlas.figures import Day, ModelFigures
from bulge.lab.atlas.shares import Share
from bulge.lab.atlas.siege import STATES, TOWN

Finding = tuple[str, str]
Row = Mapping[str, Any]
"""A game of a run."""
LATE = 24
AGREE = 0.15
"""Models agree on a town when their shares lie no farther apart."""
SPEARHEAD_OF_1944 = "Givet–Dinant"
"""The sector of the Meuse before which it stood."""
SURE = 0.05
"""What chance would do less often is called more than chance."""


def findings(found: Sequence[ModelFigures]) -> list[Finding]:
    """Where they agree, where they part, and what none of them does."""
    said = [_agree(found), _differ(found), _none(found), _to_the_river(found), _siege(found)]
    return [finding for finding in said if finding is not None]


def _shares(found: Sequence[ModelFigures], day: int) -> dict[str, dict[str, float]]:
    """For each town that several models have, the share of games in which it was held on a day."""
    by_town: dict[str, dict[str, float]] = {}
    for model in found:
        for each in model.days:
            if each.day == day:
                for town, share in each.towns.items():
                    by_town.setdefault(town, {})[model.title] = share.share
    return {town: shares for town, shares in by_town.items() if len(shares) > 1}


def _spread(shares: dict[str, float]) -> float:
    return max(shares.values()) - min(shares.values())


def _agree(found: Sequence[ModelFigures]) -> Finding | None:
    alike = {town: shares for town, shares in _shares(found, LATE).items() if _spread(shares) <= AGREE}
    if not alike:
        return None
    held = [town for town, shares in alike.items() if min(shares.values()) >= 0.5]
    free = [town for town, shares in alike.items() if max(shares.values()) < 0.5]
    words = []
    if held:
        words.append(
            f"By the {LATE}th {_list(held)} {_is(held)} German in most games of every model that has them."
        )
    if free:
        words.append(f"By the {LATE}th {_list(free)} {_is(free)} German in few games or none of any model.")
    return "They agree", " ".join(words)


def _differ(found: Sequence[ModelFigures]) -> Finding | None:
    shares = _shares(found, LATE)
    if not shares:
        return None
    town = max(shares, key=lambda town: _spread(shares[town]))
    low, high = (pick(shares[town], key=lambda title: shares[town][title]) for pick in (min, max))
    return (
        "They differ",
        f"most about {town}: on the {LATE}th it is German in {shares[town][high]:.0%} of the games of {high}, "
        f"and in {shares[town][low]:.0%} of those of {low}.",
    )


def _none(found: Sequence[ModelFigures]) -> Finding | None:
    """How deep the deepest of them comes when the historical bulge was deepest."""
    late = {model.title: day for model, day in _late(found) if day.history is not None}
    if not late:
        return None
    short = [title for title, day in late.items() if day.depth[1] < (day.history or 0.0)]
    if len(short) == len(late):
        deepest = max(late, key=lambda title: late[title].depth[1])
        day = late[deepest]
        return (
            "None of them",
            f"comes as deep in half of its games as the spearhead of 1944 did by the {LATE}th: {deepest} comes "
            f"nearest, with {day.depth[1]:.0f} of {day.history:.0f} km.",
        )
    deeper = [title for title in late if title not in short]
    return "Deeper than history", f"by the {LATE}th in half of the games: {_list(deeper)}."


def _to_the_river(found: Sequence[ModelFigures]) -> Finding | None:
    """Who comes to the Meuse, and mostly where."""
    reach = {model.title: day.reach for model, day in _late(found) if day.reach is not None}
    if not reach:
        return None
    words, mostly = [], []
    for title, each in reach.items():
        sector = max(each.sectors, key=lambda sector: each.sectors[sector].share, default=None)
        share = f"{each.meuse.share:.0%} of those of {title}"
        if sector is not None and each.meuse.share:
            mostly.append(sector)
            share += f" (most at {sector}, {each.sectors[sector].share:.0%})"
        words.append(share)
    elsewhere = bool(mostly) and SPEARHEAD_OF_1944 not in mostly
    return (
        "They drive elsewhere" if elsewhere else "To the Meuse",
        "The spearhead of 1944 stood some kilometres short of the Meuse, before Dinant. "
        f"By the {LATE}th games had come to the river itself: {_list(words)}.",
    )


def _siege(found: Sequence[ModelFigures]) -> Finding | None:
    """What becomes of Bastogne, in most games of each model."""
    by_state: dict[str, list[str]] = {}
    for model, day in _late(found):
        if day.siege is not None:
            siege = day.siege
            state = max(STATES, key=lambda state: siege.share(state).share)
            by_state.setdefault(state, []).append(f"{model.title} ({siege.share(state).share:.0%})")
    if not by_state:
        return None
    words = [f"{state} most often in {_list(models)}" for state, models in by_state.items()]
    return (
        f"A siege of {TOWN}" if "besieged" in by_state else f"No siege of {TOWN}",
        f"On the {LATE}th of 1944 the town was besieged. That evening it is {'; '.join(words)}.",
    )


def _late(found: Sequence[ModelFigures]) -> list[tuple[ModelFigures, Day]]:
    return [(model, day) for model in found if model.whole for day in model.days if day.day == LATE]


def _list(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _is(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def same_deals(
    plain: Sequence[Row], other: Sequence[Row], attacker: str, ways: tuple[str, str] = ("without it", "with it")
) -> str | None:
    """Runs of one seed begin alike: how many deals end otherwise in the other, each way, by the sign test.

    `ways` says in words how each was played.
    """
    before = {row["seed"]: row["winner"] == attacker for row in plain}
    pairs = [(before[row["seed"]], row["winner"] == attacker) for row in other if row["seed"] in before]
    if not pairs:
        return None
    gained, lost = pairs.count((False, True)), pairs.count((True, False))
    turned, fewer = gained + lost, min(gained, lost)
    by_chance = min(1.0, 2 * sum(comb(turned, many) for many in range(fewer + 1)) / 2**turned)
    verdict = "more than chance" if by_chance < SURE else "no more than chance may do"
    return (
        f"Of {len(pairs)} deals that were played both ways, {attacker} won {gained} only {ways[1]} and {lost} "
        f"only {ways[0]}: {verdict} (p = {by_chance:.2g})."
    )


def differences(plain: ModelFigures, other: ModelFigures) -> list[str]:
    """What a run with an if changes: only what lies outside of both intervals, and victory in any case."""
    one, two = plain.won, other.won
    clear = one.high < two.low or two.high < one.low
    said = [
        f"{plain.attacker} wins {two.share:.0%} ({two.low:.0%} to {two.high:.0%}) instead of {one.share:.0%} "
        f"({one.low:.0%} to {one.high:.0%}): {'more than chance' if clear else 'the intervals overlap'}."
    ]
    days = {day.day: day for day in plain.days}
    last = next((day for day in reversed(other.days) if day.day in days and day.day <= LATE), None)
    if last is not None:
        before = days[last.day]
        (low, deep, high), (less, was, more) = last.depth, before.depth
        said.append(
            f"On the {last.day}th it stands {deep:.0f} {plain.unit} deep ({low:.0f} to {high:.0f} in half of the "
            f"games) instead of {was:.0f} ({less:.0f} to {more:.0f})."
        )
        moved = _moved(before.towns, last.towns)
        said.append(f"Towns held then: {'; '.join(moved)}." if moved else "No town then differs beyond chance.")
        if last.reach is not None and before.reach is not None:
            west = _moved(_westward(before), _westward(last))
            said.append(
                f"Also by then: {'; '.join(west)}."
                if west
                else f"Neither at the Meuse nor around {TOWN} anything differs beyond chance."
            )
    return said


def _moved(before: Mapping[str, Share], now: Mapping[str, Share]) -> list[str]:
    """What lies outside of both intervals."""
    return [
        f"{what} {share.share:.0%} instead of {old.share:.0%}"
        for what, share in now.items()
        if (old := before.get(what)) and (share.low > old.high or share.high < old.low)
    ]


def _westward(day: Day) -> dict[str, Share]:
    """What became of the drive and of the siege."""
    found: dict[str, Share] = {}
    if day.reach is not None:
        found["at the Meuse"] = day.reach.meuse
        found |= {f"at the Meuse, {sector},": share for sector, share in day.reach.sectors.items()}
    if day.siege is not None:
        found |= {f"{TOWN} {state}": day.siege.share(state) for state in STATES}
    return found
