"""The reference page as HTML: pure text out of the OpenAPI document, everything in it escaped."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any


def render(brand: str, document: Mapping[str, Any], style: str) -> str:
    """Return the whole page; ``style`` is put in as it is, so that its digest can stand in the security policy."""
    operations = list(_operations(document))
    schemas: Mapping[str, Any] = document["components"]["schemas"]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(brand)} API</title><style>{style}</style></head>\n"
        f'<body><div class="page">{_contents(document, operations, schemas)}\n<main><h1>{escape(brand)} API</h1>'
        f"<p>{_prose(document['info']['description'])}</p>"
        f"<p>The service is at <code>{escape(document['servers'][0]['url'])}</code>. An API key goes into the header "
        '<code>x-api-key</code>. This page is made of <a href="/openapi.json">openapi.json</a>.</p>\n'
        + "\n".join(_operation(path, method, operation) for path, method, operation in operations)
        + "\n<h2>Objects</h2>\n"
        + "\n".join(_schema(name, schema) for name, schema in schemas.items())
        + "\n</main></div></body></html>\n"
    )


def _operations(document: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method.upper(), operation


def _contents(
    document: Mapping[str, Any], operations: Iterable[tuple[str, str, Mapping[str, Any]]], schemas: Iterable[str]
) -> str:
    groups: dict[str, list[str]] = {tag["name"]: [] for tag in document["tags"]}
    for path, _, operation in operations:
        groups[operation["tags"][0]].append(_item(operation["operationId"], path))
    groups["Objects"] = [_item(f"schema-{name}", name) for name in schemas]
    lists = (f"<strong>{escape(name)}</strong><ul>{''.join(items)}</ul>" for name, items in groups.items())
    return f'<nav aria-label="Contents">{"".join(lists)}</nav>'


def _item(anchor: str, text: str) -> str:
    return f'<li><a href="#{escape(anchor)}">{escape(text)}</a></li>'


def _operation(path: str, method: str, operation: Mapping[str, Any]) -> str:
    security = operation.get("security", [])
    key = "no key" if not security else "key optional" if {} in security else "key required"
    rows = [
        (
            f"<code>{escape(item['name'])}</code>",
            escape(f"{'required' if item['required'] else 'optional'}, in {item['in']}"),
            f"{_prose(item['description'])}<br>{_type(item['schema'])}",
        )
        for item in operation.get("parameters", [])
    ]
    answers = [
        (f"<code>{status}</code>", _prose(answer["description"]), _content(answer))
        for status, answer in operation["responses"].items()
    ]
    parameters = _table(("Parameter", "", "Meaning"), rows) if rows else ""
    return (
        f'<section id="{escape(operation["operationId"])}"><h2><span class="method">{method}</span>'
        f'<code>{escape(path)}</code></h2><p>{_prose(operation["summary"])}. <span class="soft">({key})</span></p>'
        f"<p>{_prose(operation['description'])}</p>{parameters}"
        f"{_table(('Status', 'Meaning', 'Body'), answers)}</section>"
    )


def _content(answer: Mapping[str, Any]) -> str:
    return ", ".join(_type(content["schema"]) for content in answer.get("content", {}).values())


def _schema(name: str, schema: Mapping[str, Any]) -> str:
    required = schema.get("required", [])
    rows = [
        (
            f"<code>{escape(field)}</code>",
            "always" if field in required else "optional",
            f"{_type(inner)} {_prose(inner.get('description', ''))}",
        )
        for field, inner in schema.get("properties", {}).items()
    ]
    body = _table(("Field", "", "Meaning"), rows) if rows else f"<p>{_type(schema)}</p>"
    examples = "".join(
        f"<details><summary>Example</summary><pre>{escape(json.dumps(item, indent=2))}</pre></details>"
        for item in schema.get("examples", [])
    )
    return (
        f'<section id="schema-{escape(name)}"><h3>{escape(name)}</h3><p>{_prose(schema.get("description", ""))}</p>'
        f"{body}{examples}</section>"
    )


def _type(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return f'<a href="#schema-{escape(name)}">{escape(name)}</a>'
    if "anyOf" in schema:
        return " or ".join(_type(inner) for inner in schema["anyOf"])
    if "enum" in schema or "const" in schema:
        return " · ".join(f"<code>{escape(str(word))}</code>" for word in schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "array":
        return f"array of {_type(schema.get('items', {}))}"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_type(schema['additionalProperties'])}"
    return f'<span class="soft">{escape(schema.get("type", "anything"))}{_bounds(schema)}</span>'


def _bounds(schema: Mapping[str, Any]) -> str:
    parts = []
    if "minimum" in schema or "maximum" in schema:
        parts.append(f" from {schema.get('minimum', '…')} to {schema.get('maximum', '…')}")
    if "default" in schema:
        parts.append(f", {schema['default']} by default")
    if "pattern" in schema:
        parts.append(f", {schema['pattern']}")
    return escape("".join(parts))


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _prose(text: str) -> str:
    """Escape a sentence and set what stands in backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
