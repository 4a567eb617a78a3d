"""Adapters from specs and settings: who is built, and which settings are refused."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from rhumbline.app.adapters import built_adapters, check_adapters, host_rules
from rhumbline.app.chains import Chains, build_chains
from rhumbline.app.settings import Settings, SettingsError, load_settings
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.transaction import UpstreamTransaction
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.upstreams.guard.guards import UpstreamGuards
from rhumbline.gateways.upstreams.spec import AdapterContext, AdapterSpec

PLACE = "0x1111111111111111111111111111111111111111"
HERE = "http://127.0.0.1:1"


@dataclass(frozen=True, slots=True)
class Place:
    name: str
    router: str = "0x1"
    ids: tuple[int, ...] = ()


@dataclass(frozen=True)
class Made:
    context: AdapterContext[Place]

    @property
    def info(self) -> AdapterInfo:
        return AdapterInfo(self.context.key, "Made", "", Capability.EXCHANGE, tuple(self.context.deployments))

    def supports(self, request: QuoteRequest, /) -> bool:
        return False

    async def quote(self, request: QuoteRequest, /) -> Quote[None]:
        raise AssertionError

    async def build(self, quote: Quote[None], /) -> UpstreamTransaction:
        raise AssertionError


def header(credentials: Mapping[str, str]) -> Mapping[str, str]:
    return {"x-key": credentials["key"]}


OPEN = AdapterSpec("OPEN", "https://open.example", Place, {1: Place("eth"), 999_999: Place("none")}, Made)
KEYED = AdapterSpec(
    "KEYED", "https://keyed.example", Place, {1: Place("eth")}, Made, needs=("key",), optional_credentials=("tag",),
    headers=header, more_urls={"scan": "https://scan.example"}, calls_per_s=2.0,
)  # fmt: skip
OFF = AdapterSpec("OFF", "https://off.example", Place, {}, Made, on=False)
PAGED = AdapterSpec(
    "PAGED", "https://paged.example", Place, {1: Place("eth")}, Made, needs_one=("api_key", "referer"), page="referer",
    headers=dict,
)  # fmt: skip
ALL = (OPEN, KEYED, OFF, PAGED)


def settings_of(tmp_path: Path, text: str = "", environment: Mapping[str, str] | None = None) -> Settings:
    file = tmp_path / "rhumbline.toml"
    file.write_text("[adapters.onchain]\nenabled = false\n" + text)
    return load_settings(file, environment or {})


async def parts_of(settings: Settings, http: HttpClient) -> dict[str, AdapterContext[Any]]:
    chains: Chains = build_chains(settings, http)
    async with built_adapters(settings, chains, TokenCatalog(chains.catalog, (), {}), ALL) as adapters:
        return {adapter.info.key: adapter.context for adapter in adapters if isinstance(adapter, Made)}


async def test_without_settings_those_are_built_that_need_nothing(tmp_path: Path, http: HttpClient) -> None:
    parts = await parts_of(settings_of(tmp_path), http)
    assert set(parts) == {"OPEN"}
    assert parts["OPEN"].http.url == "https://open.example"
    assert dict(parts["OPEN"].deployments) == {1: Place("eth")}
    assert 1 in parts["OPEN"].chains


async def test_keys_beyond_the_contract_may_be_left_out(tmp_path: Path, http: HttpClient) -> None:
    specs = (OPEN, replace(OPEN, key="OKX"))
    for beyond, keys in (("true", ["ONCHAIN", "OPEN", "OKX"]), ("false", ["OKX"])):
        file = tmp_path / "rhumbline.toml"
        file.write_text(f"[adapters]\nbeyond_contract = {beyond}\n")
        settings = load_settings(file, {})
        chains = build_chains(settings, http)
        async with built_adapters(settings, chains, TokenCatalog(chains.catalog, (), {}), specs) as adapters:
            assert [adapter.info.key for adapter in adapters] == keys


def test_budgets_are_the_specs_or_the_operators(tmp_path: Path) -> None:
    settings = settings_of(
        tmp_path, '[adapters.open]\ncalls_per_s = 0.5\nat_once = 3\n[adapters.keyed.credentials]\nkey = "k"\n'
    )
    rules = host_rules(settings, ALL)
    assert (rules["open.example:443"].calls_per_s, rules["open.example:443"].at_once) == (0.5, 3)
    for host in ("keyed.example:443", "scan.example:443"):
        assert (rules[host].calls_per_s, rules[host].at_once) == (2.0, 32)
    assert "off.example:443" not in rules


def test_adapters_of_one_host_share_the_least_that_any_may(tmp_path: Path) -> None:
    """The operator's word is for the host, whichever of its adapters it is said of."""
    same = tuple(replace(OPEN, key=f"OPEN_{number}", calls_per_s=rate) for number, rate in enumerate((None, 3.0, 2.0)))
    (rules,) = host_rules(settings_of(tmp_path), same).values()
    assert rules.calls_per_s == 2.0
    text = "[adapters.open_0]\ncalls_per_s = 5.0\nat_once = 100\n"
    (rules,) = host_rules(settings_of(tmp_path, text), same).values()
    assert (rules.calls_per_s, rules.at_once) == (5.0, 100)
    several = "\n[server]\nworkers = 4\n"
    (rules,) = host_rules(settings_of(tmp_path, text + several), same).values()
    assert rules.calls_per_s == 1.25, "each worker its part"
    shared = '[limits]\nredis_url = "redis://127.0.0.1:1/0"\n'
    (rules,) = host_rules(settings_of(tmp_path, text + several + shared), same).values()
    assert rules.calls_per_s == 5.0


def test_an_operators_budget_is_for_questions_about_transfers_too_unless_it_says_otherwise(tmp_path: Path) -> None:
    spec = replace(OPEN, calls_per_s=0.8, status_per_s=3.2)

    def found(text: str = "") -> tuple[float | None, float | None]:
        (rules,) = host_rules(settings_of(tmp_path, text), (spec,)).values()
        return rules.calls_per_s, rules.status_per_s

    assert found() == (0.8, 3.2)
    assert found("[adapters.open]\ncalls_per_s = 0.4\n") == (0.4, None)
    assert found("[adapters.open]\ncalls_per_s = 8\nstatus_per_s = 4\n") == (8, 4)
    assert found("[adapters.open]\nstatus_per_s = 4\n[server]\nworkers = 2\n") == (0.4, 2)


async def test_one_host_has_one_guard(tmp_path: Path, http: HttpClient) -> None:
    settings = settings_of(tmp_path)
    chains = build_chains(settings, http)
    far = replace(OPEN, key="FAR", more_urls={"here": "https://open.example/v2", "there": "https://there.example"})
    specs = (OPEN, replace(OPEN, key="OTHER", url="https://OPEN.example:443/api"), far)
    async with built_adapters(
        settings, chains, TokenCatalog(chains.catalog, (), {}), specs, UpstreamGuards()
    ) as adapters:
        one, other, third = (adapter.context for adapter in adapters if isinstance(adapter, Made))
    assert one.http.guard is not None
    assert one.http.guard is other.http.guard is third.more["here"].guard
    assert third.more["there"].guard is not one.http.guard
    assert one.joined is other.joined


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            "[adapters.nobody]\n",
            "adapters.nobody: there is no such adapter; there are keyed, off, open, paged, onchain",
        ),
        (
            '[adapters.open]\ncredentials = { key = "x" }\n',
            "adapters.open.credentials.key: there is no such credential",
        ),
        ("[adapters.keyed]\nenabled = true\n", "adapters.keyed.credentials.key: is missing"),
        ("[adapters.paged]\nenabled = true\n", "adapters.paged.credentials.api_key or referer: is missing"),
        (f'[adapters.open]\nmore_urls = {{ x = "{HERE}" }}\n', "adapters.open.more_urls.x: there is no such host"),
        ("[adapters.open.deployments.1]\nrouter = '0x2'\n", "adapters.open.deployments.1.name: Field required"),
        ("[adapters.open.deployments.1]\nname = 5\n", "adapters.open.deployments.1.name: Input should be"),
        (
            '[adapters.open.deployments.1]\nname = "x"\nroutr = "0x2"\n',
            "adapters.open.deployments.1.routr: there is no such fact; there are name, router, ids",
        ),
        (
            '[adapters.open.deployments.77777777]\nname = "x"\n',
            "adapters.open.deployments.77777777: no chain has this ID; add it to [[chains]]",
        ),
        (
            f'[adapters.onchain.deployments.77777777]\nrouter = "{PLACE}"\nwrapped_native = "{PLACE}"\n',
            "adapters.onchain.deployments.77777777: no chain has this ID; add it to [[chains]]",
        ),
    ],
)
def test_settings_that_cannot_be_are_refused_by_name(tmp_path: Path, text: str, fault: str) -> None:
    with pytest.raises(SettingsError) as caught:
        check_adapters(settings_of(tmp_path, text), ALL)
    assert fault in str(caught.value)


@pytest.mark.parametrize("text", ['[adapters]\nopen = "s3cret"\n', '[adapters.open]\ncredentials = ["s3cret"]\n'])
def test_what_is_written_in_the_wrong_place_is_not_shown(tmp_path: Path, text: str) -> None:
    file = tmp_path / "rhumbline.toml"
    file.write_text(text)
    with pytest.raises(SettingsError) as caught:
        load_settings(file, {})
    assert "adapters.open" in str(caught.value)
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["http://foreign.example", "https://user:pass@host.example", "https://h.example/?key=1", "ftp://x", "x"]
)
def test_urls_that_could_leak_are_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(SettingsError) as caught:
        settings_of(tmp_path, f'[adapters.open]\nurl = "{url}"\n')
    assert "adapters.open.url: must be an https:// URL" in str(caught.value)
    assert url not in str(caught.value)
