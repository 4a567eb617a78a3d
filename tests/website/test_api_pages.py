"""The API reference as pages."""

import json
from pathlib import Path

import pytest

from website.api_pages import api_pages

DOCUMENT = json.loads((Path(__file__).parents[2] / "docs" / "openapi.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return api_pages(DOCUMENT)


def test_each_operation_has_a_place_and_a_line_that_leads_there(made: dict[str, str]) -> None:
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            heading = f"{method.upper()} {path}"
            page = made[f"reference/{operation['tags'][0].lower()}.md"]
            assert f"\n## {heading}\n" in page
            assert all(f"| `{each['name']}` |" in page for each in operation.get("parameters", ()))
            assert f"| [`{heading}`]({operation['tags'][0].lower()}.md#" in made["reference/index.md"]


def test_each_schema_is_described_with_its_fields(made: dict[str, str]) -> None:
    page = made["reference/schemas.md"]
    for name, schema in DOCUMENT["components"]["schemas"].items():
        own = page.split(f"\n## {name}\n")[1].split("\n## ")[0]
        assert all(f"| `{field}` |" in own for field in schema.get("properties", ()))


def test_types_are_named_and_lead_to_their_schema(made: dict[str, str]) -> None:
    assert (
        "| 200 | The best executable route | [QuoteResponse](schemas.md#quoteresponse) |"
        in made["reference/routing.md"]
    )
    assert "| `approvals` | list of [QuoteCalldata](schemas.md#quotecalldata) |" in made["reference/schemas.md"]
