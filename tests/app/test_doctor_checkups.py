"""Which hosts of adapters the doctor asks, and which it leaves alone."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from rhumbline.app.adapters import switched_on
from rhumbline.app.chains import build_chains
from rhumbline.app.checkups import Finding, examine
from rhumbline.app.doctor_checkups import upstream_checkups
from rhumbline.app.registry import SPECS
from rhumbline.app.settings import SettingsError, load_settings
from rhumbline.devnet.hosts import hosted
from rhumbline.domain.adapter import Adapter
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.upstreams.spec import AdapterContext, AdapterSpec

CHAIN = """
[[chains]]
id = 8453
rpc = "http://127.0.0.1:9"
"""


@dataclass(frozen=True)
class Place:
    """Where an upstream is on a chain."""

    router: str = ""


def make(context: AdapterContext[Place]) -> Adapter[Any]:
    raise AssertionError("the doctor makes no adapter")


def spec(key: str, url: str, chain: int = 8453, **more: Any) -> AdapterSpec[Place]:
    return AdapterSpec(key, url, Place, {chain: Place()}, make, **more)


async def findings(folder: Path, text: str, *specs: AdapterSpec[Place]) -> list[Finding]:
    file = folder / "rhumbline.toml"
    file.write_text(CHAIN + text)
    settings = load_settings(file, {})
    async with HttpClient() as http:
        return await examine(upstream_checkups(settings, build_chains(settings, http), http, specs))


async def test_every_host_is_asked_where_there_is_something_to_do(tmp_path: Path) -> None:
    asked: list[str] = []

    async def answer(request: web.Request) -> web.Response:
        asked.append(request.path)
        return web.Response(status=401)

    app = web.Application()
    app.router.add_get("/{name:.*}", answer)
    async with hosted(app) as url:
        found = await findings(
            tmp_path,
            f'[adapters.beta]\nurl = "{url}/own"\n[adapters.delta]\nenabled = false\n'
            f'[adapters.gamma]\nenabled = true\n[adapters.eta.deployments.8453]\nrouter = "0x"\n',
            spec("ALPHA", f"{url}/alpha", more_urls={"status": f"{url}/status"}),
            spec("BETA", "http://127.0.0.1:9/very-secret"),
            spec("GAMMA", f"{url}/gamma", on=False),
            spec("DELTA", f"{url}/delta"),
            spec("EPSILON", f"{url}/epsilon", on=False),
            spec("ZETA", f"{url}/zeta", chain=10),
            spec("ETA", f"{url}/eta", chain=10),
            spec("THETA", f"{url}/theta", needs=("api_key", "project")),
            spec("IOTA", "http://127.0.0.1:9/very-secret"),
        )
    assert sorted(asked) == ["/alpha", "/eta", "/gamma", "/own", "/status"]
    assert [(each.what, str(each.state), each.text.split(" (")[0]) for each in found] == [
        ("adapter ALPHA", "ok", "the host answers"),
        ("adapter ALPHA status", "ok", "the host answers"),
        ("adapter BETA", "ok", "the host answers"),
        ("adapter GAMMA", "ok", "the host answers"),
        ("adapter ZETA", "ok", "not asked: it is on none of the served chains"),
        ("adapter ETA", "ok", "the host answers"),
        ("adapter THETA", "ok", "not asked: it needs credentials: api_key, project"),
        ("adapter IOTA", "warns", "cannot be reached"),
    ]
    assert "very-secret" not in str(found)


async def test_an_adapter_that_does_not_exist_is_a_fault_of_the_settings(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"adapters\.alhpa: there is no such adapter"):
        await findings(tmp_path, "[adapters.alhpa]\nenabled = true\n", spec("ALPHA", "http://127.0.0.1:9"))


async def test_every_shipped_adapter_has_a_line(tmp_path: Path) -> None:
    """Nobody is asked here: the checkups are made, and only those are run that have nothing to ask."""
    file = tmp_path / "rhumbline.toml"
    file.write_text(CHAIN, "utf-8")
    settings = load_settings(file, {})
    async with HttpClient() as http:
        checkups = upstream_checkups(settings, build_chains(settings, http), http)
        shipped = [each for each in SPECS if each.on]
        lacking = {each.key for each in shipped if each.needs or each.needs_one}
        found = await examine([each for each in checkups if each.name in lacking])
    hosts = {name for each in shipped for name in (each.key, *(f"{each.key} {more}" for more in each.more_urls))}
    assert {each.name for each in checkups} == hosts
    assert {each.key for each in switched_on(settings)} == {each.key for each in shipped} - lacking
    assert {each.what: each.text for each in found} == {
        f"adapter {each.key}": "not asked: it needs credentials: "
        + (", ".join(each.needs) or " or ".join(each.needs_one))
        for each in shipped
        if each.needs or each.needs_one
    }
