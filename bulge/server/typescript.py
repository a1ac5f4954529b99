"""The protocol's shapes in TypeScript: `python -m bulge.server.typescript > web/src/lib/protocol.ts`.

They are made from the very types that the server encodes, so neither side can drift from the other.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from itertools import pairwise
from typing import Any

import msgspec
from msgspec import inspect as shapes

from bulge.core.look import Look, Reachable
from bulge.server.going_back import WayBack
from bulge.server.log_pages import LogPage
from bulge.server.moderation import Account, Deed, Match, Report
from bulge.server.passkeys import Passkey
from bulge.server.people import Session
from bulge.server.reviews import ReviewState
from bulge.server.routes_games import BoardInfo, DrawingInfo, GameInfo, RuleInfo
from bulge.server.routes_matches import Admission, NewMatch, Summary
from bulge.server.routes_notices import Ways
from bulge.server.routes_people import Me, Profile
from bulge.server.routes_server import ServerInfo
from bulge.server.routes_tables import NewTable, NewTableMade
from bulge.server.summaries import TableSummary
from bulge.server.telling import Telling
from bulge.server.terms import Message, Note, SharedNote
from bulge.server.uses import Use
from bulge.server.views import (
    DangersView,
    DecisionView,
    HintView,
    PreviewView,
    RefusalView,
    State,
    ThreatsView,
    TraceView,
)

ROOTS: tuple[type[msgspec.Struct], ...] = (
    ServerInfo, GameInfo, DrawingInfo, RuleInfo, BoardInfo, Look,
    NewMatch, Admission, Summary, State, DecisionView, PreviewView, Reachable,
    RefusalView, HintView, TraceView, ThreatsView, DangersView, LogPage, Telling, Me, Profile,
    NewTable, NewTableMade, WayBack, TableSummary, Message, Note, SharedNote, Ways, ReviewState, Passkey, Session,
    Account, Deed, Match, Report, Use,
)  # fmt: skip

SAID_OTHERWISE = {
    "BoardInfo": "Board",
    "Match": "ModeratedMatch",
    "EventView": "GameEvent",
    "Reachable": "Reach",
    "Record": "Standing",
    "RuleInfo": "Rule",
    "Scenario": "ScenarioInfo",
    "Subject": "About",
    "Summary": "MatchSummary",
    "TableView": "AtTable",
}
"""What the client calls a shape, where dropping `View` is not enough or the name is taken there."""

HEADING = "/** Made by `python -m bulge.server.typescript` from the types that the server sends. Do not edit. */\n"


def protocol() -> str:
    """The whole file."""
    found: dict[type, shapes.StructType] = {}
    for root in ROOTS:
        _gather(shapes.type_info(root), found)
    return HEADING + "".join(f"\n{_interface(cls, shape)}" for cls, shape in found.items())


def _gather(shape: shapes.Type, found: dict[type, shapes.StructType]) -> None:
    """Every struct that can be reached, the inner ones first."""
    if isinstance(shape, shapes.StructType):
        if shape.cls in found:
            return
        for field in shape.fields:
            _gather(field.type, found)
        found[shape.cls] = shape
        return
    for part in ("item_type", "key_type", "value_type"):
        if (inner := getattr(shape, part, None)) is not None:
            _gather(inner, found)
    for inner in (*getattr(shape, "types", ()), *getattr(shape, "item_types", ())):
        _gather(inner, found)


def _name(cls: type) -> str:
    return SAID_OTHERWISE.get(cls.__name__, cls.__name__.removesuffix("View"))


def _interface(cls: type, shape: shapes.StructType) -> str:
    notes = _notes(cls)
    lines = [f"export interface {_name(cls)} {{"]
    for field in shape.fields:
        if note := notes.get(field.name):
            lines.append(f"  /** {note} */")
        # What is sent always has every field; only in what the client sends may some be left out.
        may_lack = cls in (NewMatch, NewTable) and not field.required
        lines.append(f"  {field.encode_name}{'?' if may_lack else ''}: {_type(field.type)};")
    return "\n".join((*lines, "}", ""))


def _type(shape: shapes.Type) -> str:
    match shape:
        case shapes.StructType():
            return _name(shape.cls)
        case shapes.StrType() | shapes.EnumType() | shapes.DateTimeType():
            return "string"
        case shapes.IntType() | shapes.FloatType():
            return "number"
        case shapes.BoolType():
            return "boolean"
        case shapes.NoneType():
            return "null"
        case shapes.LiteralType():
            return " | ".join(f'"{value}"' for value in shape.values)
        case shapes.TupleType():
            return f"[{', '.join(map(_type, shape.item_types))}]"
        case shapes.VarTupleType() | shapes.ListType():
            inner = _type(shape.item_type)
            return f"({inner})[]" if "|" in inner else f"{inner}[]"
        case shapes.DictType():
            return f"Record<string, {_type(shape.value_type)}>"
        case shapes.UnionType():
            return " | ".join(_type(each) for each in shape.types)
    raise TypeError(f"no TypeScript for {shape}")


def _notes(cls: type) -> dict[str, str]:
    """What is written beneath the fields of a class, and of those that it is made from."""
    notes: dict[str, str] = {}
    for each in reversed(cls.__mro__):
        if not issubclass(each, msgspec.Struct) or each is msgspec.Struct:
            continue
        body: list[Any] = ast.parse(textwrap.dedent(inspect.getsource(each))).body[0].body  # type: ignore[attr-defined]
        for field, beneath in pairwise(body):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and _is_text(beneath):
                notes[field.target.id] = " ".join(str(beneath.value.value).split())
    return notes


def _is_text(node: Any) -> bool:
    return (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    )


if __name__ == "__main__":
    sys.stdout.write(protocol())
