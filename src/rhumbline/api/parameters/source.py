"""Where parameters come from: a query or a JSON body."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from urllib.parse import parse_qsl

from rhumbline.api.parameters.parameter import Parameter
from rhumbline.gateways.http.strict_json import Json

_NUMERIC = frozenset({"integer", "number"})


def query_source(query: bytes) -> dict[str, list[str]]:
    """Read a query string; unknown names are ignored later, values may be empty."""
    source: dict[str, list[str]] = {}
    for name, value in parse_qsl(query.decode("latin-1"), keep_blank_values=True):
        source.setdefault(name, []).append(value)
    return source


def text_of(value: Json, *, numeric: bool) -> str | None:
    """Return a member as a query would have it; None for one of another type than it must have."""
    if isinstance(value, str):
        return value
    if numeric and isinstance(value, int | Decimal) and not isinstance(value, bool):
        return str(value)
    return None


def body_source(
    body: Mapping[str, Json], parameters: Iterable[Parameter[object]]
) -> tuple[dict[str, list[str]], list[str]]:
    """Return the parameters' texts, and a fault for each that has another type; null counts as absent."""
    source: dict[str, list[str]] = {}
    faults = []
    for parameter in parameters:
        value = body.get(parameter.name)
        if value is None:
            continue
        numeric = parameter.rule.schema["type"] in _NUMERIC
        text = text_of(value, numeric=numeric)
        if text is None:
            faults.append(f"{parameter.name} must be a JSON {'number' if numeric else 'string'}")
        else:
            source[parameter.name] = [text]
    return source, faults
