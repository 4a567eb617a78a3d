"""What is said of every endpoint: its errors, its key, what clients wait by."""

from typing import Any

from tests.api.reference.test_document import operations


def test_errors_and_keys_of_every_endpoint(document: dict[str, Any]) -> None:
    for path, operation in operations(document):
        statuses = set(operation["responses"])
        if path.startswith(("/v1/transactions", "/v1/webhooks", "/v1/requests")):
            assert operation["security"] == [{"ApiKey": []}]
            assert statuses >= {"200", "400", "401", "429", "500", "503"}
        elif path.startswith("/v1/") and path != "/v1/health":
            assert operation["security"] == [{}, {"ApiKey": []}]
            assert statuses >= {"200", "429", "500"}
        else:
            assert operation["security"] == []
    assert set(document["paths"]["/v1/quotes"]["get"]["responses"]) >= {"400", "404", "422", "429", "502", "503"}
    assert "403" in document["paths"]["/v1/transactions"]["get"]["responses"]
    identifiers = [operation["operationId"] for _, operation in operations(document)]
    assert len(set(identifiers)) == len(identifiers)


def test_a_key_is_a_parameter_too_for_clients_that_read_no_security_schemes(document: dict[str, Any]) -> None:
    for _, operation in operations(document):
        keys = [each for each in operation["parameters"] if each["in"] == "header" and each["name"] == "x-api-key"]
        assert len(keys) == int(operation["security"] != [])
        if keys:
            assert keys[0]["required"] is ({} not in operation["security"])


def test_headers_that_clients_wait_by_are_described(document: dict[str, Any]) -> None:
    limits = {"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"}
    for path, operation in operations(document):
        counted = path.startswith("/v1/") and path != "/v1/health"
        for status, response in operation["responses"].items():
            has = set(response["headers"])
            assert (limits <= has) == (counted and status not in ("304", "414", "431")), (path, status)
            assert ("Retry-After" in has) == (status in ("429", "502", "503"))
            assert has <= set(document["components"]["headers"])
