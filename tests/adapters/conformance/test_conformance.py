"""What every adapter over HTTP must do, tested alike for all: none is excepted, for the cases are found, not chosen."""

import asyncio
import time
from dataclasses import replace
from decimal import Decimal

import pytest

from rhumbline.devnet.upstreams.emulator import Fault, Lie
from rhumbline.domain.adapter import Capability, is_bridge, takes_output
from rhumbline.domain.chain import NATIVE_EVM, ChainType
from rhumbline.domain.errors import AdapterError, UpstreamFailed
from rhumbline.domain.expectations import expect
from rhumbline.domain.quote import Refusal
from rhumbline.domain.simulation import ExecutionStatus
from rhumbline.domain.svm import SvmDraft
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.domain.transfer import IssuedTransaction
from rhumbline.gateways.svm.programs import SPL_PROGRAMS, SYSTEM
from rhumbline.routing.call_log import CallNotes
from rhumbline.routing.fan_out import Deadlines, gather_quotes
from rhumbline.routing.selection import Ask as Asked
from tests.adapters.conformance.adapter_fixture import PATIENCE_S, SLIPPAGE, AdapterFixture
from tests.adapters.conformance.case import Ask
from tests.adapters.conformance.cases import ASKS, CASES, KEYS
from tests.routing.venues import Toy, after, toy_chain

FAULTS = [fault for fault in Fault if fault not in (Fault.NONE, Fault.LATE, Fault.NEVER)]
TAKERS = {"GASZIP", "JUPITER", "NEAR_INTENTS", "OKX", "RELAY"}
every_key = pytest.mark.parametrize("key", KEYS)
every_ask = pytest.mark.parametrize(("key", "ask"), ASKS, ids=str)


def test_no_adapter_is_excepted() -> None:
    assert sorted(CASES) == KEYS
    for key, case in CASES.items():
        assert case.asks, key
        assert case.refused, key
        assert case.errors, key


@every_key
async def test_it_supports_only_what_it_says(adapter_fixture: AdapterFixture) -> None:
    info = adapter_fixture.adapter.info
    assert info.key == adapter_fixture.case.spec.key
    assert info.name
    named_chains = {chain for ask in adapter_fixture.case.asks for chain in (ask.origin, ask.destination)}
    assert {adapter_fixture.chains[chain].id for chain in named_chains} <= set(info.chains)
    for ask in adapter_fixture.case.asks:
        request = adapter_fixture.request(ask)
        assert adapter_fixture.adapter.supports(request), ask
        assert not adapter_fixture.adapter.supports(replace(request, origin=toy_chain(77))), ask
        assert not adapter_fixture.adapter.supports(replace(request, destination=toy_chain(77))), ask
        crossing = ask.origin != ask.destination
        assert info.capability is not (Capability.EXCHANGE if crossing else Capability.BRIDGE)
    for ask in adapter_fixture.case.refused:
        assert not adapter_fixture.adapter.supports(adapter_fixture.request(ask)), ask
    assert adapter_fixture.emulator.requests == []
    assert is_bridge(adapter_fixture.adapter) is (info.capability is not Capability.EXCHANGE)


@every_ask
async def test_its_amounts_are_sound(adapter_fixture: AdapterFixture, ask: Ask) -> None:
    request = adapter_fixture.request(ask)
    quote = await adapter_fixture.adapter.quote(request)
    assert quote.adapter == adapter_fixture.adapter.info.key
    assert quote.request == request
    for amount in (quote.output_amount, quote.min_output_amount or 1):
        assert type(amount) is int
        assert 0 < amount < 2**256
    assert (quote.min_output_amount or 0) <= quote.output_amount
    assert quote.native_fee >= 0
    assert all(type(item.amount) is int and item.amount >= 0 for item in quote.fees)
    assert not any(isinstance(item.amount, Decimal) for item in quote.fees)
    if ask.origin != ask.destination:
        assert quote.seconds is not None
        assert quote.seconds >= 0


@every_ask
async def test_what_it_asks_names_the_amount_exactly_and_no_secret_is_in_an_address(
    adapter_fixture: AdapterFixture, ask: Ask
) -> None:
    # An amount that nothing else in a request is likely to be.
    unusual = replace(ask, amount=ask.amount + 12_347)
    await adapter_fixture.transaction(adapter_fixture.request(unusual))
    assert adapter_fixture.emulator.requests
    sent = [f"{asked.target} {asked.raw.decode()}" for asked in adapter_fixture.emulator.requests]
    cut = str(unusual.amount)[:-4]
    assert any(cut in text or _decimal(adapter_fixture, unusual) in text for text in sent)
    secrets = [
        value for value in adapter_fixture.emulator.credentials().values() if not value.startswith(("http", "0x"))
    ]
    for asked in adapter_fixture.emulator.requests:
        assert not any(secret in asked.target for secret in secrets)


def _decimal(adapter_fixture: AdapterFixture, ask: Ask) -> str:
    """The amount as some upstreams want it: in whole tokens."""
    decimals = adapter_fixture.token(ask.origin, ask.origin_token).decimals
    return format(Decimal(ask.amount).scaleb(-decimals).normalize(), "f")


@every_ask
async def test_what_it_builds_is_bounded(adapter_fixture: AdapterFixture, ask: Ask) -> None:
    request = adapter_fixture.request(ask)
    quote = await adapter_fixture.adapter.quote(request)
    least = quote.output_amount * (1 - SLIPPAGE) if quote.min_output_amount is None else quote.min_output_amount
    bound = replace(quote, min_output_amount=int(least))
    built = await adapter_fixture.adapter.build(bound)
    taken = request.amount if built.input_taken is None else built.input_taken
    assert 0 < taken <= request.amount
    assert built.chain_id == request.origin.id
    crossing = ask.origin != ask.destination
    assert not crossing or built.deposit is not None
    assert built.expires_at is None or built.expires_at > time.time()
    if not isinstance(built, EvmTransaction):
        assert request.origin.type is ChainType.SVM
        assert built.program in built.programs | SPL_PROGRAMS | {SYSTEM}
        return
    native = request.origin_token.address == NATIVE_EVM
    assert built.value == (taken if native else 0) + quote.native_fee
    assert native or built.spender is not None or built.kind.value == "pay"


@every_ask
async def test_an_output_is_had_for_the_input_that_an_upstream_names(adapter_fixture: AdapterFixture, ask: Ask) -> None:
    adapter, request = adapter_fixture.adapter, adapter_fixture.request(ask)
    if not takes_output(adapter) or not adapter.names_input(request, priced=False):
        return
    output = (await adapter.quote(request)).output_amount
    named = await adapter.input_for(request, output)
    assert abs(named - request.amount) * 10_000 <= request.amount
    assert abs((await adapter.quote(replace(request, amount=named))).output_amount - output) * 10_000 <= output


def test_who_is_asked_for_inputs() -> None:
    """The upstreams whose documentation has a form for outputs that gives a price alone."""
    assert {key for key, case in CASES.items() if hasattr(case.spec.make, "input_for")} == TAKERS


LIES = [(key, lie) for key, case in sorted(CASES.items()) for lie in sorted(case.emulator.lies)]


@pytest.mark.parametrize(("key", "lie"), LIES, ids=str)
async def test_a_lie_never_yields_a_transaction(adapter_fixture: AdapterFixture, lie: Lie) -> None:
    told = 0
    for ask in adapter_fixture.case.asks:
        adapter_fixture.emulator.behaviour.lie = lie
        try:
            built = await adapter_fixture.transaction(adapter_fixture.request(ask))
        except AdapterError:
            told += 1
            continue
        finally:
            adapter_fixture.emulator.behaviour.lie = None
        # An answer without the field that the lie is about is an honest one.
        honest = await adapter_fixture.transaction(adapter_fixture.request(ask))
        assert lie in adapter_fixture.case.unseen or _same(honest, built), (ask, lie)
    if lie in adapter_fixture.case.unseen:
        assert adapter_fixture.adapter.info.trust_assumptions
    else:
        assert told, f"{lie} was never told"


def _same(one: object, other: object) -> bool:
    """Tell whether two transactions say the same, but for what is new in each: prices, times and IDs."""
    if isinstance(one, SvmDraft) and isinstance(other, SvmDraft):
        return _drafted(one) == _drafted(other)
    assert isinstance(one, EvmTransaction)
    assert isinstance(other, EvmTransaction)
    try:
        expect("entry", (other.to, other.spender, other.value, other.kind), (one.to, one.spender, one.value, one.kind))
    except UpstreamFailed:
        return False
    return len(one.data) == len(other.data)


def _drafted(draft: SvmDraft) -> object:
    calls = [(each.program, each.accounts, len(each.data)) for each in draft.instructions]
    return calls, draft.programs, draft.delegate, draft.deposit, draft.enforces_minimum


def test_only_lies_that_it_can_tell_are_said_to_be_unseen() -> None:
    for case in CASES.values():
        assert case.unseen <= case.emulator.lies


FAILURES = [(key, name) for key, case in sorted(CASES.items()) for name in case.failures]


@pytest.mark.parametrize(("key", "name"), FAILURES)
async def test_each_documented_failure_has_its_error(adapter_fixture: AdapterFixture, name: str) -> None:
    adapter_fixture.emulator.behaviour.failure = name
    seen = []
    for ask in adapter_fixture.case.asks:
        try:
            await adapter_fixture.transaction(adapter_fixture.request(ask))
        except AdapterError as error:
            seen.append(type(error))
    assert seen
    assert set(seen) == {adapter_fixture.case.failures[name]}


DOCUMENTED_TO_PASS = {
    ("KYBERSWAP", "quote_smaller"),
    ("KYBERSWAP", "canceled"),
    ("RELAY", "REQUEST_TIMED_OUT"),
    ("RELAY", "ROUTE_TEMPORARILY_RESTRICTED"),
    ("RELAY", "RPC_HTTP_ERROR"),
}
"""What vendors say passes, though its HTTP status blames the request."""


def test_what_is_refused_again_is_no_passing_failure() -> None:
    """The same question gets the same 4xx: an amount that is refused so must not read as an outage."""
    passing = {
        (case.emulator.key, name)
        for case in CASES.values()
        for name, kind in case.failures.items()
        if kind is UpstreamFailed
        and 400 <= case.emulator.failures[name].status < 500
        and case.emulator.failures[name].status not in (408, 425, 429)
    }
    assert passing == DOCUMENTED_TO_PASS


def test_every_documented_failure_is_in_the_table() -> None:
    for key, case in CASES.items():
        forced = {name for name, failure in case.emulator.failures.items() if name in case.failures or not failure.on}
        assert set(case.failures) == forced, key


@pytest.mark.parametrize("fault", FAULTS)
@every_key
async def test_an_answer_that_is_none_is_a_passing_failure(adapter_fixture: AdapterFixture, fault: Fault) -> None:
    adapter_fixture.emulator.behaviour.fault = fault
    with pytest.raises(AdapterError) as caught:
        await adapter_fixture.transaction(adapter_fixture.request(adapter_fixture.case.asks[0]))
    assert isinstance(caught.value, UpstreamFailed)
    assert caught.value.reason
    if fault is Fault.RATE_LIMITED_RETRY_AFTER:
        assert caught.value.retry_after_s
    assert adapter_fixture.emulator.url not in caught.value.reason
    assert not any(secret in caught.value.reason for secret in adapter_fixture.emulator.credentials().values())


@pytest.mark.parametrize("fault", [Fault.NEVER, Fault.LATE])
@every_key
async def test_one_that_does_not_answer_delays_nobody_and_leaves_nothing_open(
    adapter_fixture: AdapterFixture, fault: Fault
) -> None:
    adapter_fixture.emulator.behaviour.fault = fault
    request = adapter_fixture.request(adapter_fixture.case.asks[0])
    good = Toy("GOOD", after(0, 7), Capability.MULTI, tuple(adapter_fixture.adapter.info.chains))
    started = time.monotonic()
    gathered = await gather_quotes(
        [Asked(good, request), Asked(adapter_fixture.adapter, request)], CallNotes(), Deadlines(0.3, 120)
    )
    # It is given up at the soft deadline; a busy machine decides nothing.
    assert time.monotonic() - started < 60
    assert [quote.adapter for quote in gathered.quotes] == ["GOOD"]
    (refusal,) = gathered.refusals
    assert isinstance(refusal, Refusal)
    assert (refusal.adapter, refusal.kind) == (adapter_fixture.adapter.info.key, UpstreamFailed.kind)
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if not adapter_fixture.open_calls():
            break
        await asyncio.sleep(0.02)
    assert adapter_fixture.open_calls() == 0


STATUSES = [(key, word) for key, case in sorted(CASES.items()) for word in case.statuses]


@pytest.mark.parametrize(("key", "word"), STATUSES)
async def test_each_documented_status_has_its_state(adapter_fixture: AdapterFixture, word: str) -> None:
    """Of a transfer whose chains have no node of ours, so that the bridge's word is all there is."""
    ask = next(ask for ask in adapter_fixture.case.asks if ask.origin != ask.destination)
    kept: list[IssuedTransaction] = []
    answer = await adapter_fixture.service(kept).answer(adapter_fixture.question(ask))
    tx_hash = await adapter_fixture.execute(answer)
    adapter_fixture.emulator.behaviour.status = word
    adapter = adapter_fixture.without_nodes()
    assert is_bridge(adapter)
    status = await adapter.status(adapter_fixture.transfer(kept[0], tx_hash))
    assert status.state is adapter_fixture.case.statuses[word]
    assert status.source is StatusSource.BRIDGE_API
    assert status.substatus


def test_every_documented_status_is_in_the_table() -> None:
    for key, case in CASES.items():
        assert set(case.statuses) == set(case.emulator.statuses), key


@every_ask
async def test_it_wins_executes_and_delivers(adapter_fixture: AdapterFixture, ask: Ask) -> None:
    kept: list[IssuedTransaction] = []
    answer = await adapter_fixture.service(kept).answer(adapter_fixture.question(ask))
    assert answer.adapter == adapter_fixture.adapter.info.key
    assert answer.simulation is not None
    assert answer.simulation.result.status is ExecutionStatus.SUCCESS, answer.simulation.result.reason
    crossing = ask.origin != ask.destination
    # On Solana the wallet calls by itself, and what was handed out is how its call is known.
    assert bool(kept) is (crossing or adapter_fixture.chains[ask.origin].type is ChainType.SVM)
    before = await adapter_fixture.balance(ask)
    tx_hash = await adapter_fixture.execute(answer)
    assert await adapter_fixture.arrived(ask, before, answer.min_output_amount) >= answer.min_output_amount
    if not crossing:
        return
    adapter = adapter_fixture.adapter
    assert is_bridge(adapter)
    async with asyncio.timeout(PATIENCE_S):
        while True:
            place = -1 if kept[0].wallet_call else await adapter_fixture.last_log(tx_hash)
            status = await adapter.status(adapter_fixture.transfer(kept[0], tx_hash, place))
            assert status.state in (TransferState.UNKNOWN, TransferState.BRIDGE_PENDING, TransferState.SUCCESS)
            if status.state is TransferState.SUCCESS:
                break
            await asyncio.sleep(0.05)
    assert status.output_amount is None or status.output_amount >= answer.min_output_amount


@every_key
async def test_a_transfer_that_nobody_made_is_unknown(adapter_fixture: AdapterFixture) -> None:
    adapter = adapter_fixture.adapter
    crossing = [ask for ask in adapter_fixture.case.asks if ask.origin != ask.destination]
    assert bool(crossing) is is_bridge(adapter)
    for ask in crossing[:1]:
        assert is_bridge(adapter)
        kept: list[IssuedTransaction] = []
        await adapter_fixture.service(kept).answer(adapter_fixture.question(ask))
        status = await adapter.status(adapter_fixture.transfer(kept[0], "0x" + "9a" * 32))
        assert status.state in (TransferState.UNKNOWN, TransferState.BRIDGE_PENDING)
        assert status.output_amount is None
