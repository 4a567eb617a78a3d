"""The application has every route that is described, and one brand."""

import re
from typing import Any

import pytest
from starlette.routing import Match

from rhumbline.api.server.application import create_app
from tests.api.api_service import ApiService, services
from tests.api.reference.write_document import default_document


def test_no_route_is_missing(document: dict[str, Any]) -> None:
    app = create_app(services(ApiService(), {}))
    for path, methods in document["paths"].items():
        for method in methods:
            scope = {"type": "http", "path": re.sub(r"{\w+}", "1", path), "method": method.upper()}
            assert any(route.matches(scope)[0] is Match.FULL for route in app.routes), (method, path)


def test_the_brand_is_everywhere_it_belongs() -> None:
    document = default_document("Acme7", "https://acme.example")
    schemas = document["components"]["schemas"]
    assert "Acme7Diamond" in schemas["Chain"]["properties"]
    assert "acme7Fee" in schemas["TrackedTransaction"]["properties"]
    assert not {"serviceFee", "service_fee", "rhumblineFee"} & set(schemas["TrackedTransaction"]["properties"])
    assert document["servers"] == [{"url": "https://acme.example"}]
    assert "acme7Fee" in schemas["TrackedTransaction"]["examples"][0]
    assert "Rhumbline" not in repr(document)


@pytest.mark.parametrize("brand", ["Integrator", "SourceGas", "destinationGas"])
def test_a_brand_that_takes_another_field_is_refused(brand: str) -> None:
    with pytest.raises(ValueError, match=f"the brand '{brand}' cannot be used"):
        create_app(services(ApiService(), {}, brand))
