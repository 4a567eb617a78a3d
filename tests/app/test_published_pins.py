"""The doctor holds what is pinned against what vendors publish of themselves."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from aiohttp import web

from rhumbline.app.chains import build_chains
from rhumbline.app.checkups import State
from rhumbline.app.published_pins import published_findings
from rhumbline.app.registry import SPECS
from rhumbline.app.sandbox_settings import sandbox_settings
from rhumbline.app.settings import load_settings
from rhumbline.devnet.hosts import hosted
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.behaviour import Fault, Lie
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.devnet.upstreams.okx.router_call import APPROVED
from rhumbline.devnet.upstreams.trades import STRANGER
from rhumbline.gateways.http.client import HttpClient

WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
PUBLISHING = {"GASZIP", "NORDSTERN", "OKX", "RELAY"}
Found = dict[str, tuple[State, str]]


async def findings(text: str, folder: Path) -> Found:
    file = folder / "rhumbline.toml"
    file.write_text(text, "utf-8")
    settings = load_settings(file, {})
    async with HttpClient() as http:
        found = await published_findings(settings, build_chains(settings, http))
    return {each.what: (each.state, each.text) for each in found}


@pytest.fixture
def text(sandbox: Sandbox, emulators: Mapping[str, Emulator], tmp_path: Path) -> str:
    return sandbox_settings(sandbox, tmp_path, "http://127.0.0.1:1", WALLET, list(emulators.values()))


def test_which_vendors_publish(emulators: Mapping[str, Emulator]) -> None:
    assert {each.key for each in SPECS if each.published is not None} == PUBLISHING


async def test_what_is_published_agrees(text: str, tmp_path: Path) -> None:
    found = await findings(text, tmp_path)
    agreed = {
        "GASZIP": "short",
        "NORDSTERN": "guard",
        "OKX": "token approve",
        "RELAY": "depository, router, approval proxy",
    }
    for key, names in agreed.items():
        for chain in ("sbxa", "sbxb"):
            assert found.pop(f"published {key} {chain}") == (State.OK, f"agreed: {names}")
    # Once for each vendor, whether it has one adapter or four.
    silent = {"ACROSS", "KYBERSWAP", "MAYAN", "NEAR_INTENTS", "OPENOCEAN", "SYMBIOSIS"}
    assert found.keys() == {f"published {key}" for key in silent}
    assert all(state is State.OK and said.startswith("not published: ") for state, said in found.values())


async def test_what_differs_fails(text: str, emulators: Mapping[str, Emulator], tmp_path: Path) -> None:
    for key in PUBLISHING:
        emulators[key].behaviour.lie = Lie.OTHER_ENTRY
    try:
        # Gas.zip's short IDs are asked for at every quote, so its emulator has no lie about them.
        changed = text.replace("short = ", "short = 1")
        found = await findings(changed, tmp_path)
    finally:
        for key in PUBLISHING:
            emulators[key].reset()
    assert found["published OKX sbxa"] == (
        State.FAILS, f"differs: token approve is {APPROVED} here and {STRANGER} there"
    )  # fmt: skip
    for key in PUBLISHING:
        state, said = found[f"published {key} sbxb"]
        assert (state, said.count(" here and ")) == (State.FAILS, 1), said


@pytest.mark.parametrize(
    "fault", [Fault.HALF, Fault.HTML, Fault.NOT_JSON, Fault.RATE_LIMITED, Fault.SERVER_ERROR, Fault.DUPLICATE_KEYS,
              Fault.HUGE, Fault.REDIRECT, Fault.ERROR_IN_200],
)  # fmt: skip
async def test_a_vendor_that_says_nothing_sound_is_not_asked_further(
    text: str, emulators: Mapping[str, Emulator], tmp_path: Path, fault: Fault
) -> None:
    for key in PUBLISHING:
        emulators[key].behaviour.fault = fault
    try:
        found = await findings(text, tmp_path)
    finally:
        for key in PUBLISHING:
            emulators[key].reset()
    for key in PUBLISHING:
        state, said = found.get(f"published {key}") or found[f"published {key} sbxa"]
        assert state is State.WARNS, said
        assert said.startswith(("could not be asked: ", "not published: ")), said
        assert "agreed" not in said


GUARD = "0x" + "ab" * 20
ROWS: Mapping[str, list[object]] = {
    "NORDSTERN": [[], {"8453": None}, {"8453": {"RouterAddress": "0x12"}}, {"8453": {"RouterAddress": [GUARD]}}],
    "RELAY": [
        {"chains": {}},
        {"chains": [{"id": 8453}, {"id": 8453}]},
        {"chains": [{"id": 8453, "contracts": {"v3": {"erc20Router": "hello"}}}]},
        {"chains": [{"id": 8453, "protocol": []}]},
    ],
    "GASZIP": [{"chains": 5}, {"chains": [{"chain": 8453, "short": "54"}]}, {"chains": [{"chain": 8453}]}],
}
UNNAMED: Mapping[str, list[object]] = {
    "NORDSTERN": [{}, {"424242": {"RouterAddress": 3}}],
    "RELAY": [{"chains": [None, 5, {"id": [8453]}, {"id": True}, {"id": "8453"}, {}]}],
    "GASZIP": [{"chains": [None, {"chain": "8453"}, {"chain": 424242, "short": []}]}],
}


async def alone(key: str, url: str, folder: Path) -> tuple[State, str]:
    """What is found where only this vendor is asked, at this address."""
    text = f'[[chains]]\nid = 8453\nrpc = "http://127.0.0.1:9"\n[adapters.{key.lower()}]\nurl = "{url}"\n'
    others = "".join(f"[adapters.{each.key.lower()}]\nenabled = false\n" for each in SPECS if each.key != key)
    (finding,) = (await findings(text + others, folder)).values()
    return finding


async def said_of(key: str, document: object, folder: Path) -> tuple[State, str]:
    async def answer(_: web.Request) -> web.Response:
        return web.json_response(document)

    app = web.Application()
    app.router.add_get("/chains", answer)
    async with hosted(app) as url:
        return await alone(key, url, folder)


@pytest.mark.parametrize(("key", "document"), [(key, each) for key, rows in ROWS.items() for each in rows])
async def test_what_is_not_as_documented_is_no_answer(key: str, document: object, tmp_path: Path) -> None:
    state, said = await said_of(key, document, tmp_path)
    assert (state, said.startswith("could not be asked: answered")) == (State.WARNS, True), said
    assert "hello" not in said


@pytest.mark.parametrize(("key", "document"), [(key, each) for key, rows in UNNAMED.items() for each in rows])
async def test_a_chain_that_is_not_in_the_list_is_said(key: str, document: object, tmp_path: Path) -> None:
    finding = await said_of(key, document, tmp_path)
    assert finding == (State.WARNS, "not published: the vendor does not name the chain")


async def test_a_vendor_that_cannot_be_reached(tmp_path: Path) -> None:
    state, said = await alone("RELAY", "http://127.0.0.1:9", tmp_path)
    assert (state, said.startswith("could not be asked: ")) == (State.WARNS, True)
