"""What is changed in the OpenAPI document before clients are generated of it.

The document says what this service answers. A client also meets older and newer ones: it takes values that it does not
know, and names that the operator has chosen.
"""

import copy
from collections.abc import Iterator
from typing import Any

AMOUNTS = frozenset({"^(0|[1-9][0-9]*)$", "^(0|-?[1-9][0-9]*)$", "^[0-9]+$"})
DECIMAL = "^-?[0-9]+(\\.[0-9]+)?$"
HEX = "^0x[0-9a-f]+$"
OUR_OWN = ("NotReady", "PostedStep", "JsonValue", "TokensByChain")
"""What a client has by itself: errors have classes, a step is sent back as it came, the last two are plain types."""
BOUNDS = ("pattern", "minimum", "maximum", "minLength", "maxLength", "examples")
"""A client checks no bounds of answers: a service may widen them."""
BRANDED = ("RhumblineDiamond", "rhumblineFee")
"""Named after the setting `brand`: they may have other names, so that a client must do without."""
PYTHON_TYPES = "rhumbline_client.values"


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from _objects(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _objects(inner)


def _open(document: dict[str, Any]) -> dict[str, Any]:
    """Return the schemas alone, where values may be added to each enumeration and branded members may be missing."""
    schemas = copy.deepcopy(document["components"]["schemas"])
    schemas["StandardError"]["properties"]["details"] = {"description": "More, by the kind of error."}
    for each in list(_objects(schemas)):
        if isinstance(each.get("const"), str):
            each["enum"] = [each.pop("const")]
        if isinstance(each.get("enum"), list):
            values = each.pop("enum")
            each.pop("type", None)
            each["anyOf"] = [{"type": "string", "enum": values}, {"type": "string"}]
        required = each.get("required")
        if isinstance(required, list):
            each["required"] = [name for name in required if name not in BRANDED]
    return {**document, "paths": {}, "components": {"schemas": schemas}}


def for_python(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with the types of `rhumbline_client.values`: integers for amounts, `Decimal` for values."""
    opened = _open(document)
    schemas = opened["components"]["schemas"]
    for name in OUR_OWN:
        del schemas[name]
    for holder in list(_objects(schemas)):
        for name, each in _properties(holder):
            for inner in (each, *each.get("anyOf", ())):
                python_type = _python_type(name, inner.get("pattern"))
                if python_type:
                    inner["customTypePath"] = f"{PYTHON_TYPES}.{python_type}"
    for each in list(_objects(schemas)):
        if each.get("$ref", "").removeprefix("#/components/schemas/") in OUR_OWN:
            each.clear()
        for bound in BOUNDS:
            if not isinstance(each.get(bound), dict):
                each.pop(bound, None)
    return opened


def _properties(holder: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    properties = holder.get("properties")
    return list(properties.items()) if isinstance(properties, dict) else []


def _python_type(name: str, pattern: str | None) -> str | None:
    if pattern in AMOUNTS:
        return "Amount"
    if pattern == DECIMAL:
        return "Number"
    return "Quantity" if pattern == HEX and name != "idHex" else None


def for_typescript(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document as it is, but for what clients must do without."""
    return _open(document)
