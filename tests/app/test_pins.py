"""The doctor holds what is pinned against the chains themselves."""

from pathlib import Path

from rhumbline.app.chains import build_chains
from rhumbline.app.checkups import State
from rhumbline.app.pins import pin_findings
from rhumbline.app.sandbox_settings import sandbox_settings
from rhumbline.app.settings import load_settings
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams import EMULATORS
from rhumbline.devnet.upstreams.mayan.deployments import FORWARDER
from rhumbline.devnet.upstreams.mayan.emulator import Mayan
from rhumbline.devnet.upstreams.okx.emulator import Okx
from rhumbline.devnet.upstreams.okx.router_call import ROUTER
from rhumbline.devnet.upstreams.server import running_emulators
from rhumbline.devnet.upstreams.world import running_world
from rhumbline.gateways.http.client import HttpClient

WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"


async def findings(file: Path) -> dict[str, tuple[State, str]]:
    settings = load_settings(file, {})
    async with HttpClient() as http:
        found = await pin_findings(settings, build_chains(settings, http))
    return {each.what: (each.state, each.text) for each in found}


async def test_pins_are_where_the_chains_say(restored_sandbox: Sandbox, tmp_path: Path) -> None:
    sandbox = restored_sandbox
    async with running_world(sandbox) as world, running_emulators(world, EMULATORS) as emulators:
        file = tmp_path / "rhumbline.toml"
        text = sandbox_settings(sandbox, tmp_path, "http://127.0.0.1:1", WALLET, list(emulators.values()))
        file.write_text(text, "utf-8")
        sound = await findings(file)
        first = sandbox.evm_chains[0]
        assert {"pins OKX sbxa", "pins MAYAN sbxb", "pins RELAY sbxa", "pins ACROSS sbxa"} <= sound.keys()
        # Deployments that several adapters share count once.
        assert len([what for what in sound if what.startswith("pins MAYAN")]) == len(sandbox.evm_chains)
        # The sandbox does without two of Symbiosis' contracts, which is what such a finding is about.
        missing = {what: text for what, (state, text) in sound.items() if state is not State.OK}
        assert missing.keys() == {"pins SYMBIOSIS sbxa", "pins SYMBIOSIS sbxb"}
        assert {text.count("no code at") for text in missing.values()} == {2}

        okx, mayan = emulators["OKX"], emulators["MAYAN"]
        assert isinstance(okx, Okx)
        assert isinstance(mayan, Mayan)
        await okx.list_router(first.id, ROUTER, listed=False)
        await world.install_code(first.id, mayan.protocols["SWIFT"], b"")
        await world.install_code(first.id, FORWARDER, b"")
        wrong = await findings(file)
        assert wrong["pins OKX sbxa"] == (State.FAILS, f"TokenApprove does not know router {ROUTER}")
        state, told = wrong["pins MAYAN sbxa"]
        assert state is State.FAILS
        assert f"no code at swift {mayan.protocols['SWIFT']}" in told
        assert f"no code at forwarder {FORWARDER}" in told
        assert f"the Forwarder does not list SWIFT {mayan.protocols['SWIFT']}" in told
        assert wrong["pins OKX sbxb"] == sound["pins OKX sbxb"]


async def test_a_node_that_does_not_answer_is_a_finding(tmp_path: Path) -> None:
    file = tmp_path / "rhumbline.toml"
    file.write_text('[[chains]]\nid = 8453\nrpc = "http://127.0.0.1:9/very-secret"\n', "utf-8")
    found = await findings(file)
    assert "pins KYBERSWAP base" in found
    assert {state for what, (state, _) in found.items() if what != "pins NEAR_INTENTS base"} == {State.FAILS}
    assert "very-secret" not in str(found)
