"""What ``make live`` asks the real upstreams, asked of the emulators: the questions work, and lies do not pass."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from rhumbline.app.adapters import built_adapters
from rhumbline.app.chains import build_chains
from rhumbline.app.sandbox_settings import sandbox_settings
from rhumbline.app.settings import load_settings
from rhumbline.app.tokens import fixed_tokens
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.emulator import Emulator, Lie
from rhumbline.domain.errors import AdapterError
from rhumbline.domain.tracking import TransferState
from rhumbline.gateways.http.client import HttpClient
from tests.adapters.conformance.case import Ask
from tests.adapters.conformance.cases import ASKS, CASES
from tests.live.adapter_fixture import Live
from tests.live.answers import hearing
from tests.live.asks import SOLANA_WALLET, WALLET
from tests.live.nodes import with_nodes
from tests.live.quote_check import check_quote
from tests.live.transfers import by_word, nobodys

BRIDGING = [(key, ask) for key, ask in ASKS if ask.origin != ask.destination]
CROSSING = sorted(dict(reversed(BRIDGING)).items())


@pytest.fixture
async def live(
    key: str, sandbox: Sandbox, restored_sandbox: Sandbox, emulators: Mapping[str, Emulator], tmp_path: Path
) -> AsyncIterator[Live]:
    """As for the real upstreams, with the sandbox's settings, whose nodes are the public ones of its chains."""
    file = tmp_path / "rhumbline.toml"
    file.write_text(sandbox_settings(sandbox, tmp_path, "http://127.0.0.1:1", WALLET, list(emulators.values())))
    written = load_settings(file, {})
    unserved = tuple(chain.model_copy(update={"rpc": None}) for chain in written.chains)
    emulator = emulators[CASES[key].emulator.key]
    emulator.reset()
    notes: list[str] = []
    async with AsyncExitStack() as stack:
        heard = stack.enter_context(hearing(notes))
        http = await stack.enter_async_context(HttpClient())
        settings = await with_nodes(written.model_copy(update={"chains": unserved}), http)
        chains = build_chains(settings, http)
        tokens = TokenCatalog(chains.catalog, fixed_tokens(settings, chains), chains.token_readers)
        adapters = await stack.enter_async_context(built_adapters(settings, chains, tokens))
        yield Live(settings, chains, tokens, {each.info.key: each for each in adapters}, heard, notes)
    emulator.reset()


@pytest.mark.parametrize(("key", "ask"), ASKS, ids=str)
async def test_answers_are_like_the_recorded_ones(live: Live, key: str, ask: Ask) -> None:
    assert await check_quote(live, key, ask) == []
    assert live.heard
    assert {heard.key for heard in live.heard} == {key}
    assert live.request(ask).sender in (WALLET, SOLANA_WALLET)


@pytest.mark.parametrize(("key", "ask"), [("KYBERSWAP", CASES["KYBERSWAP"].asks[0])], ids=str)
async def test_an_amount_that_makes_no_sense_is_seen(
    live: Live, key: str, ask: Ask, emulators: Mapping[str, Emulator]
) -> None:
    emulators[key].behaviour.lie = Lie.WORSE_OUTPUT
    with pytest.raises((AdapterError, AssertionError)):
        await check_quote(live, key, ask)


@pytest.mark.parametrize(("key", "ask"), [("KYBERSWAP", CASES["KYBERSWAP"].asks[0])], ids=str)
async def test_a_refusal_is_noted_by_its_shape(
    live: Live, key: str, ask: Ask, emulators: Mapping[str, Emulator]
) -> None:
    emulators[key].behaviour.failure = next(iter(CASES[key].failures))
    with pytest.raises(AdapterError):
        await check_quote(live, key, ask)
    assert any(note.startswith("KYBERSWAP GET") and "HTTP " in note for note in live.notes)


@pytest.mark.parametrize(("key", "ask"), CROSSING, ids=str)
async def test_what_nobody_made_is_not_delivered(live: Live, key: str, ask: Ask) -> None:
    status = await by_word(live, key, nobodys(live, key, ask))
    assert status.state in (TransferState.UNKNOWN, TransferState.BRIDGE_PENDING)
