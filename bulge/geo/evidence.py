"""A page of evidence for a game's map: why its grid is as it is, how well it fits, what was changed by hand."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from math import dist
from typing import Any

from bulge.geo.derive import check, drafted, read
from bulge.geo.draft import Draft
from bulge.geo.facts import Finding
from bulge.geo.projection import left_out
from bulge.geo.recipe import GAMES, Entry, Recipe, load

FLOOR = 0.37
"""What the root mean square would be if places lay anywhere in their hexes, in hexes."""


def evidence(game: str) -> str:
    """The page as Markdown."""
    recipe = load(game)
    document = read(game)
    parts = [f"# The map of {recipe.title}: evidence", "", *_grid(recipe)]
    if document["grid"]["numbering"] == "graph":
        parts += _ground(document)
    else:
        draft = drafted(game)
        parts += [*_fit(draft), *_shares(document), *_towns(draft), *_rivers(draft)]
    parts += [*_facts(check(game)), *_readings(recipe), *_corrections(recipe)]
    return "\n".join(parts).rstrip() + "\n"


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(str(cell).replace("|", "/") for cell in row) + " |" for row in rows]
    return [*lines, ""]


def _grid(recipe: Recipe) -> list[str]:
    return ["## The grid", "", str(recipe.data["grid"]["proof"]).strip(), ""]


def _fit(draft: Draft) -> list[str]:
    fit = draft.fit
    projection = fit.projection
    model = draft.recipe.table("fit").get("model", "similarity")
    east, north = projection.scales
    rows = []
    misses: list[float] = [0.0] * len(fit.anchors)
    if len(fit.anchors) > 3:
        misses = left_out(draft.recipe.lattice, list(fit.anchors), model)
    for anchor, off, miss in zip(fit.anchors, fit.residuals, misses, strict=True):
        hexes = "/".join(draft.recipe.names.get(cell, "off the map") for cell in anchor.cells)
        rows.append(
            [anchor.label, hexes, anchor.grade, f"{off:.2f}", f"{miss:.2f}" if miss else "–", anchor.source]
        )
    return [
        "## The fit",
        "",
        f"Model: {model}, {len(fit.anchors)} anchors. A hex is {projection.km_per_hex:.2f} km wide "
        f"({east:.2f} km west to east, {north:.2f} km south to north; the book says "
        f"{draft.recipe.data['grid']['book_km']} km), and the map is turned {projection.turn:+.1f} degrees. "
        f"Root mean square {fit.rms:.2f} hex, worst {fit.worst:.2f}; places that lie anywhere in their hexes "
        f"would give {FLOOR}.",
        "",
        *([str(note), ""] if (note := draft.recipe.table("fit").get("note")) else []),
        *_table(["anchor", "hex", "grade", "off (hexes)", "off when left out", "source"], rows),
    ]


def _shares(document: dict[str, Any]) -> list[str]:
    hexes, sides = document["hexes"], document["sides"]
    terrain = Counter(data["terrain"] for data in hexes.values())
    roads = {name for side, data in sides.items() if "road" in data for name in side.split("/")}
    counted = {
        key: sum(1 for data in sides.values() if key in data) for key in ("river", "road", "bridge", "ford")
    }
    kinds = Counter(data["kind"] for data in hexes.values() if "kind" in data)
    rows = [[kind, count, f"{count / len(hexes):.0%}"] for kind, count in terrain.most_common()]
    rows.append(["with a road", len(roads), f"{len(roads) / len(hexes):.0%}"])
    wall = sum(1 for data in hexes.values() if "west_wall" in data)
    return [
        "## What the map holds",
        "",
        f"{len(hexes)} hexes; " + ", ".join(f"{count} {kind} hexes" for kind, count in sorted(kinds.items()))
        + f"; {wall} West Wall hexes; "
        + ", ".join(f"{count} {key} sides" for key, count in counted.items() if count)
        + f"; roads leave the map at {len(document['edges'])} hexes.",
        "",
        *_table(["hexes", "number", "share"], rows),
    ]  # fmt: skip


def _towns(draft: Draft) -> list[str]:
    """How far each town's hex lies from where the fit puts the town, the worst first."""
    scale = draft.fit.projection.km_per_hex
    rows = []
    for town in draft.towns:
        true = draft.fit.projection(*town.place.point)
        off = dist(true, draft.recipe.lattice.centre(town.cell))
        exact = draft.recipe.lattice.at(true) == town.cell
        rows.append((off, exact, town))
    rows.sort(key=lambda row: (-row[0], row[2].place.name))
    right = sum(1 for _, exact, _ in rows if exact)
    shown = [
        [town.place.name, draft.recipe.name(town.cell), f"{off:.2f}", f"{off * scale:.1f}", town.why]
        for off, exact, town in rows
        if not exact
    ]
    return [
        "## Towns against the truth",
        "",
        f"{right} of {len(rows)} town hexes are where the plain fit puts the town; a town lies "
        f"{sum(off for off, _, _ in rows) / len(rows):.2f} hex from its hex centre on average."
        + (" The others, moved by the rubber sheet or by a known hex:" if shown else ""),
        "",
        *(_table(["town", "hex", "off (hexes)", "off (km)", "why"], shown) if shown else []),
    ]


def _rivers(draft: Draft) -> list[str]:
    rows = []
    said = {row["name"]: row for row in draft.recipe.tables("river")}
    for name, chain in sorted(draft.chains.items()):
        row = said.get(name, {})
        through = [side if isinstance(side, str) else " or ".join(side) for side in row.get("through", [])]
        if through or row.get("why"):
            rows.append([name, len(chain) - 1, ", ".join(through), row.get("why", "")])
    return [
        "## Rivers",
        "",
        f"{len(draft.chains)} rivers, each a connected chain of hexsides. These were led through known hexsides "
        "(left bank first):",
        "",
        *_table(["river", "hexsides", "through", "why"], rows),
    ]


def _facts(findings: list[Finding]) -> list[str]:
    count = Counter(finding.status for finding in findings)
    lines = ["## Facts of the rulebook", "", f"{count['held']} of {len(findings)} facts hold on the map."]
    if count["later"]:
        lines[-1] += f" {count['later']} speak of features that come with the game."
    if count["read"]:
        lines[-1] += f" {count['read']} are set aside, with a reason."
    if count["broken"]:
        lines[-1] += f" {count['broken']} are broken."
    by_sure = Counter((finding.sure, finding.status) for finding in findings)
    lines += [
        "",
        *_table(["sure", "status", "facts"], [[*key, number] for key, number in sorted(by_sure.items())]),
    ]
    others = [f for f in findings if f.status in ("read", "broken")]
    if others:
        lines += _table(
            ["rule", "fact", "sure", "status", "why"], [[f.rule, f.what, f.sure, f.status, f.why] for f in others]
        )
    return lines


def _readings(recipe: Recipe) -> list[str]:
    """Where the rulebook leaves a choice, as its facts file records it."""
    text = (GAMES / recipe.game / "map_facts.toml").read_text(encoding="utf-8")
    found: list[Entry] = tomllib.loads(text).get("reading", [])
    if not found:
        return []
    rows = [[row["rule"], row["says"], row["chosen"], row["why"]] for row in found]
    return ["## Readings", "", *_table(["rule", "the book", "our reading", "why"], rows)]


def _corrections(recipe: Recipe) -> list[str]:
    """Changes by hand, and hexsides that roads were kept from."""
    rows = [[_change(correction.what), correction.why] for correction in recipe.corrections]
    roads = recipe.table("roads")
    if roads.get("barred"):
        rows.append([f"no road over {', '.join(roads['barred'])}", roads["barred_why"]])
    if not rows:
        return ["## Corrections by hand", "", "None.", ""]
    return ["## Corrections by hand", "", *_table(["change", "why"], rows)]


def _change(what: Entry) -> str:
    if "path" in what:
        verb = "no road" if what["road"] == "none" else f"{what['road']} road"
        return f"{verb} {' – '.join(what['path'])}"
    if "exit" in what:
        return f"road off the map at {what['exit']} to {what['leads_to']}"
    return f"{' '.join(what.get('hexes', []))} is {what.get('terrain', '')}"


def _ground(document: dict[str, Any]) -> list[str]:
    spaces = document["spaces"]
    rows = []
    for name, link in sorted(document["links"].items()):
        one, other = name.split("/")
        rows.append([spaces[one]["name"], spaces[other]["name"], link["kind"], link.get("km", "–")])
    return [
        "## The ground",
        "",
        f"{len(spaces)} spaces and {len(rows)} links, at their true places; distances as the crow flies.",
        "",
        *_table(["from", "to", "kind", "km"], rows),
    ]
