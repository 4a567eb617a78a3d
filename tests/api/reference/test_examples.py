"""Every schema is valid, and every example fits its own."""

from typing import Any

from jsonschema import Draft202012Validator

from tests.api.reference.test_document import validator


def test_every_schema_is_valid_and_every_example_fits(document: dict[str, Any]) -> None:
    seen = 0
    for name, schema in document["components"]["schemas"].items():
        Draft202012Validator.check_schema(schema)
        for example in schema.get("examples", []):
            validator(document, {"$ref": f"#/components/schemas/{name}"}).validate(example)
            seen += 1
    assert seen == 5
