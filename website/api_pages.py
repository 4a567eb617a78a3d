"""The API reference as pages of the guide, made of the OpenAPI document."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Json = Mapping[str, Any]
SCHEMAS = "reference/schemas.md"
_REF = "#/components/schemas/"


def api_pages(document: Json) -> dict[str, str]:
    """Return the pages by their place: a list, a page a tag, and one of the schemas."""
    operations = [
        (path, method.upper(), operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    pages = {"reference/index.md": "".join(_index(document["tags"], operations))}
    for tag in document["tags"]:
        own = [each for each in operations if tag["name"] in each[2]["tags"]]
        pages[f"reference/{tag['name'].lower()}.md"] = "".join(_page(f"API: {tag['name']}", tag["description"], own))
    return pages | {SCHEMAS: "".join(_schemas(document["components"]["schemas"]))}


def _index(tags: Sequence[Json], operations: Sequence[tuple[str, str, Json]]) -> Iterator[str]:
    yield (
        "# API reference\n\nEvery endpoint of the API, from its OpenAPI document. A running service also has "
        "it at `/docs`, where each request can be tried, and as `/openapi.json`. [The HTTP API](../api.md) says what "
        "types cannot.\n\n"
        "| endpoint | what it does |\n|---|---|\n"
    )
    for tag in tags:
        for path, method, operation in operations:
            if tag["name"] in operation["tags"]:
                target = f"{tag['name'].lower()}.md#{_anchor(f'{method} {path}')}"
                yield f"| [`{method} {path}`]({target}) | {_cell(operation['summary'])} |\n"


def _page(title: str, description: str, operations: Sequence[tuple[str, str, Json]]) -> Iterator[str]:
    yield f"# {title}\n\n{description}\n"
    for path, method, operation in operations:
        yield f"\n## {method} {path}\n\n{operation['summary']}. {operation.get('description', '')}\n"
        if parameters := operation.get("parameters"):
            yield "\n| parameter | | meaning |\n|---|---|---|\n"
            for each in parameters:
                told = (each["in"] if each["in"] != "query" else "", "required" if each.get("required") else "")
                yield f"| `{each['name']}` | {', '.join(filter(None, told))} | {_cell(each.get('description', ''))} |\n"
        if body := operation.get("requestBody"):
            yield f"\nThe body is JSON: {_type(body['content']['application/json']['schema'])}.\n"
            yield from _fields(body["content"]["application/json"]["schema"])
        yield "\n| status | meaning | body |\n|---|---|---|\n"
        for status, answer in operation["responses"].items():
            kinds = [_type(content.get("schema", {})) for content in answer.get("content", {}).values()]
            yield f"| {status} | {_cell(answer['description'])} | {', '.join(kinds)} |\n"
        for sample in operation.get("x-codeSamples", ())[:1]:
            yield f"\n```sh\n{sample['source']}\n```\n"


def _schemas(schemas: Mapping[str, Json]) -> Iterator[str]:
    yield "# API: Schemas\n\nWhat the bodies of requests and answers are made of.\n"
    for name, schema in schemas.items():
        yield f"\n## {name}\n\n{schema.get('description', '')}\n"
        if values := schema.get("enum"):
            yield "\nOne of " + ", ".join(f"`{value}`" for value in values) + ".\n"
        yield from _fields(schema)


def _fields(schema: Json) -> Iterator[str]:
    if properties := schema.get("properties"):
        required = schema.get("required", ())
        yield "\n| field | type | | meaning |\n|---|---|---|---|\n"
        for name, field in properties.items():
            needed = "always" if name in required else ""
            yield f"| `{name}` | {_type(field)} | {needed} | {_cell(field.get('description', ''))} |\n"


def _type(schema: Json) -> str:
    """Name a schema's type; of ours with a link."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(_REF)
        return f"[{name}]({SCHEMAS.rpartition('/')[2]}#{name.lower()})"
    for joined in ("anyOf", "oneOf", "allOf"):
        if joined in schema:
            return " or ".join(dict.fromkeys(_type(each) for each in schema[joined]))
    kind = schema.get("type", "anything")
    if kind == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _anchor(heading: str) -> str:
    """Return the anchor of a heading, as zensical.toml has it made."""
    return "".join(letter for letter in heading.lower() if letter.isalnum() or letter in "-_ ").replace(" ", "-")
