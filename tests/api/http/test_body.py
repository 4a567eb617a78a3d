"""Bodies that must be JSON, and what they call themselves."""

import json

import pytest

from tests.api.conftest import Client
from tests.api.v1.test_routes import BODY, FOREIGN, ROUTES, STEP, faults, posted


@pytest.mark.parametrize("body", [b"", b"[]", b"null", b"{", b'{"a": 1, "a": 2}', b"\xff", b'{"a": NaN}'])
@pytest.mark.parametrize("path", [ROUTES, STEP])
async def test_a_body_that_is_no_object(client: Client, path: str, body: bytes) -> None:
    (fault,) = faults(await posted(client, path, body))
    assert fault.startswith("body: must be a JSON object")


@pytest.mark.parametrize(
    ("path", "body", "place"),
    [
        (ROUTES, '{"amount": "1", "originChainId": %s}', "originChainId"),
        (ROUTES, '{"a b": %s}', "body:"),
        (ROUTES, '{"slippage": 0.%s}', "slippage"),
        (ROUTES, '{"slippage": 1e-%s}', "slippage"),
        (STEP, '{"step": {"action": {"fromChainId": %s}}}', "step.action.fromChainId"),
        (STEP, '{"step": {"list": [0, {"a": 1}, %s, 7]}, "more": 1}', "step.list[2]"),
        (STEP, "%s", "body:"),
    ],
)
async def test_a_number_that_is_too_long_names_its_field(client: Client, path: str, body: str, place: str) -> None:
    (fault,) = faults(await posted(client, path, (body % ("9" * 401)).encode()))
    assert fault == f"{place} must be a number of at most 400 digits"


@pytest.mark.parametrize("path", [ROUTES, STEP])
@pytest.mark.parametrize(
    "headers",
    [
        {"content-type": "text/plain;charset=UTF-8"},
        {"content-type": "application/x-www-form-urlencoded"},
        {"content-type": "multipart/form-data; boundary=x"},
        {"content-type": "application/jsonp"},
        {"content-type": "application/json", "content-encoding": "gzip"},
    ],
)
async def test_a_body_that_calls_itself_something_else_is_415(
    client: Client, path: str, headers: dict[str, str]
) -> None:
    body = BODY if path == ROUTES else FOREIGN
    answer = await client.ask(path, method="POST", headers=headers, data=json.dumps(body).encode())
    assert (answer.status, answer.json["statusCode"], answer.json["code"]) == (415, 415, "VALIDATION_ERROR")
    assert answer.json["message"].startswith("The body must ")


@pytest.mark.parametrize(
    "kind",
    ["application/json", "Application/JSON; charset=utf-8", "application/vnd.api+json", "application/octet-stream", ""],
)
async def test_a_body_that_calls_itself_json_or_nothing_is_read(client: Client, kind: str) -> None:
    answer = await client.ask(ROUTES, method="POST", headers={"content-type": kind}, data=json.dumps(BODY).encode())
    assert answer.status == 200, answer.text


async def test_a_body_without_a_content_type_is_read(client: Client) -> None:
    sent = client.session.post(client.url + ROUTES, data=json.dumps(BODY).encode(), skip_auto_headers=["content-type"])
    async with sent as response:
        assert "content-type" not in response.request_info.headers
        assert response.status == 200
