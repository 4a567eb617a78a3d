"""The shape of JSON: which names are where, with values of which type."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import get_args

from pydantic import BaseModel

from rhumbline.gateways.http.strict_json import Json

Shape = Mapping[str, frozenset[str]]
"""Types by path; ``a.b`` is b inside of a, ``a[]`` an element of a. The root is the empty path."""


def shape_of(documents: Iterable[Json]) -> Shape:
    """Return the shape of several documents of one kind together."""
    found: dict[str, set[str]] = {}
    for document in documents:
        for path, type_ in _walk("", document):
            found.setdefault(path, set()).add(type_)
    return {path: frozenset(types) for path, types in found.items()}


def _walk(path: str, value: Json) -> Iterator[tuple[str, str]]:
    yield path, _type_of(value)
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _walk(f"{path}.{name}" if path else name, inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _walk(f"{path}[]", inner)


def _type_of(value: Json) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | Decimal():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
        case dict():
            return "object"


def read_of(model: type[BaseModel], path: str = "") -> Mapping[str, bool]:
    """Return the paths that a model reads, each with whether it must be there when what it is inside of is."""
    found: dict[str, bool] = {}
    for name, field in model.model_fields.items():
        own = f"{path}.{field.alias or name}" if path else field.alias or name
        found[own] = field.is_required()
        for inner, suffix in _models(field.annotation):
            found |= read_of(inner, own + suffix)
    return found


def _models(annotation: object, suffix: str = "") -> Iterator[tuple[type[BaseModel], str]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation, suffix
        return
    inner_suffix = suffix + "[]" if getattr(annotation, "__origin__", None) is list else suffix
    for inner in get_args(annotation):
        yield from _models(inner, inner_suffix)


@dataclass(frozen=True, slots=True)
class Difference:
    """Where an answer is not like what was recorded; ``breaks`` where that is in something that is read."""

    path: str
    text: str
    breaks: bool

    def __str__(self) -> str:
        """Say it in one line."""
        return f"{'READ ' if self.breaks else ''}{self.path or 'the answer'}: {self.text}"


def differences(live: Shape, recorded: Shape, read: Mapping[str, bool]) -> list[Difference]:
    """Compare two shapes, name by name; what is inside of something that only one of them has is not listed.

    It breaks what is read if a name has gone that must be there, or has values of another type. Null is no type of its
    own: it stands for any.
    """
    found = []
    for path in sorted({*live, *recorded} - {""}):
        was, is_ = recorded.get(path, frozenset()), live.get(path, frozenset())
        if not _comparable(path, live, recorded):
            continue
        if not is_:
            found.append(Difference(path, f"has gone, was {_words(was)}", read.get(path, False)))
        elif not was:
            found.append(Difference(path, f"is new, {_words(is_)}", False))
        elif other := is_ - was - {"null"}:
            known = was - {"null"}
            found.append(Difference(path, f"is {_words(other)}, was {_words(was)}", bool(known) and path in read))
        elif "null" in is_ and "null" not in was:
            found.append(Difference(path, f"may be null, was {_words(was)}", False))
    return found


def _comparable(path: str, live: Shape, recorded: Shape) -> bool:
    """Tell whether both have what the path is inside of, so that its presence says something."""
    outer = path.removesuffix("[]") if path.endswith("[]") else path.rpartition(".")[0]
    if path.endswith("[]") and not (path in live and path in recorded):
        # An empty array says nothing of its elements.
        return False
    kind = "array" if path.endswith("[]") else "object"
    return all(kind in shape.get(outer, frozenset()) for shape in (live, recorded))


def _words(types: Iterable[str]) -> str:
    return " or ".join(sorted(types))
