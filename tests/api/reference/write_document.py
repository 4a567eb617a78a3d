"""``python -m tests.api.reference.write_document``: write docs/openapi.json under the default names."""

import json
from pathlib import Path
from typing import Any

from rhumbline.api.reference.document import encode, openapi_document
from rhumbline.api.server.application import create_app
from tests.api.api_service import ApiService, services

FILE = Path(__file__).parents[3] / "docs" / "openapi.json"


def default_document(brand: str = "Rhumbline", base_url: str = "http://127.0.0.1:8700") -> dict[str, Any]:
    return openapi_document(create_app(services(ApiService(), {}, brand, base_url)).routes, brand, base_url)


if __name__ == "__main__":
    FILE.write_bytes(encode(default_document()))
    document = json.loads(FILE.read_text("utf-8"))
    assert document["openapi"] == "3.1.0"
