"""The metrics' own port: the metrics, the health pages, and nothing else."""

import aiohttp

from tests.api.limited_service import Answer, ask


async def test_the_port_serves_metrics_and_nothing_else(watching: str) -> None:
    plain = await ask(watching, "/metrics")
    assert plain.headers["Content-Type"].startswith("text/plain")
    assert plain.headers["Cache-Control"] == "no-store"
    assert "process_resident_memory_bytes" in plain.json
    open_metrics: Answer = await ask(watching, "/metrics", accept="application/openmetrics-text; version=1.0.0")
    assert open_metrics.headers["Content-Type"].startswith("application/openmetrics-text")
    assert open_metrics.json.endswith("# EOF\n")
    assert (await ask(watching, "/v1/chains")).status == 404
    assert (await ask(watching, "/metrics", method="POST")).status == 405
    async with aiohttp.ClientSession() as session, session.head(watching + "/metrics") as answer:
        assert (answer.status, await answer.read()) == (200, b"")


async def test_the_public_port_has_no_metrics(service: str) -> None:
    assert (await ask(service, "/metrics")).status == 404


async def test_health_is_on_the_port_of_the_metrics(watching: str) -> None:
    for path, status in (("/health", 200), ("/health/live", 200), ("/health/ready", 200), ("/v1/chains", 404)):
        assert (await ask(watching, path)).status == status
