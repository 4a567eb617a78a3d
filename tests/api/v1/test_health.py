"""Health: alive, and ready."""

from tests.api.api_service import KEY, ApiService
from tests.api.conftest import Client


async def test_health(client: Client, api_service: ApiService) -> None:
    for path in ("/health", "/v1/health", "/health/live"):
        assert (await client.ask(path)).json == {"status": "ok"}
    ready = await client.ask("/health/ready")
    assert (ready.status, ready.json) == (
        200,
        {
            "status": "ok",
            "dependencies": {"store": "ok", "rpc:eth": "ok"},
            "process": "3f2a91c0",
            "chains": {
                "eth": {"leader": "3f2a91c0", "head": 20, "behind": 3, "stillFor": 1},
                "base": {"leader": None, "head": None, "behind": None, "stillFor": None},
            },
        },
    )


async def test_not_ready(client: Client, api_service: ApiService) -> None:
    api_service.dependencies["rpc:eth"] = "does not answer"
    answer = await client.ask("/health/ready")
    assert answer.status == 503
    assert answer.json == {
        "statusCode": 503,
        "code": "UNKNOWN",
        "message": "Not ready: rpc:eth",
        "details": {"dependencies": {"store": "ok", "rpc:eth": "does not answer"}},
        "timestamp": "2026-03-04T05:06:07.089Z",
        "path": "/health/ready",
        "status": "unavailable",
        "dependencies": {"store": "ok", "rpc:eth": "does not answer"},
        "process": "3f2a91c0",
        "chains": answer.json["chains"],
    }
    assert (await client.ask("/health/live")).status == 200


async def test_what_only_some_requests_need_makes_nobody_unready(client: Client, api_service: ApiService) -> None:
    api_service.dependencies["rpc:eth"] = "degraded: does not answer"
    answer = await client.ask("/health/ready")
    assert (answer.status, answer.json["dependencies"]["rpc:eth"]) == (200, "degraded: does not answer")


async def test_health_needs_no_store(client: Client, api_service: ApiService) -> None:
    api_service.store_down = True
    assert (await client.ask("/v1/health", headers={"x-api-key": KEY})).status == 200
