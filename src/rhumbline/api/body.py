"""JSON bodies as sources of parameters: every number by its own digits, as a query would have them."""

from collections.abc import Iterable, Mapping
from decimal import Decimal

from starlette.requests import Request

from rhumbline.api.params import Parameter
from rhumbline.domain.errors import InvalidRequest
from rhumbline.gateways.strict_json import Json, read_json

_NUMERIC = frozenset({"integer", "number"})


async def read_object(request: Request) -> Mapping[str, Json]:
    """Return the body's JSON object; raise InvalidRequest for anything else."""
    try:
        document = read_json(await request.body())
    except ValueError as error:
        raise InvalidRequest([f"body: must be a JSON object ({error}); send content-type application/json"]) from None
    if not isinstance(document, dict):
        raise InvalidRequest(["body: must be a JSON object, as the reference shows"])
    return document


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
