"""What every adapter over HTTP must do, tested alike for all: none is excepted, for the cases are found, not chosen."""

import asyncio
import time
from dataclasses import replace
from decimal import Decimal

import pytest

from rhumbline.devnet.upstreams.emulator import Fault, Lie
from rhumbline.domain.adapter import Capability, is_bridge
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.errors import AdapterError, UpstreamFailed
from rhumbline.domain.expecting import expect
from rhumbline.domain.quote import Refusal
from rhumbline.domain.simulation import ExecutionStatus
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.domain.transfer import IssuedTransaction
from rhumbline.routing.call_log import CallNotes
from rhumbline.routing.quoting import Deadlines, gather_quotes
from rhumbline.routing.selection import Ask as Asked
from tests.adapters.conformance.case import Ask
from tests.adapters.conformance.cases import ASKS, CASES, KEYS, named
from tests.adapters.conformance.desk import PATIENCE_S, SLIPPAGE, Desk
from tests.routing.venues import Toy, after, toy_chain

STRANGER = "0x000000000000000000000000000000000000dEaD"
FAULTS = [fault for fault in Fault if fault not in (Fault.NONE, Fault.LATE, Fault.NEVER)]
every_key = pytest.mark.parametrize("key", KEYS)
every_ask = pytest.mark.parametrize(("key", "ask"), ASKS, ids=named)


def test_no_adapter_is_excepted() -> None:
    assert sorted(CASES) == KEYS
    for key, case in CASES.items():
        assert case.asks, key
        assert case.refused, key
        assert case.failures, key


@every_key
async def test_it_supports_only_what_it_says(desk: Desk) -> None:
    info = desk.adapter.info
    assert info.key == desk.case.blueprint.key
    assert info.name
    assert {chain.id for chain in desk.chains.values()} <= set(info.chains)
    for ask in desk.case.asks:
        request = desk.request(ask)
        assert desk.adapter.supports(request), ask
        assert not desk.adapter.supports(replace(request, origin=toy_chain(77))), ask
        assert not desk.adapter.supports(replace(request, destination=toy_chain(77))), ask
        crossing = ask.origin != ask.destination
        assert info.capability is not (Capability.EXCHANGE if crossing else Capability.BRIDGE)
    for ask in desk.case.refused:
        assert not desk.adapter.supports(desk.request(ask)), ask
    assert desk.emulator.requests == []
    assert is_bridge(desk.adapter) is (info.capability is not Capability.EXCHANGE)


@every_ask
async def test_its_amounts_are_sound(desk: Desk, ask: Ask) -> None:
    request = desk.request(ask)
    quote = await desk.adapter.quote(request)
    assert quote.adapter == desk.adapter.info.key
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
async def test_what_it_asks_names_the_amount_exactly_and_no_secret_is_in_an_address(desk: Desk, ask: Ask) -> None:
    # An amount that nothing else in a request is likely to be.
    unusual = replace(ask, amount=ask.amount + 12_347)
    await desk.transaction(desk.request(unusual))
    assert desk.emulator.requests
    sent = [f"{asked.target} {asked.raw.decode()}" for asked in desk.emulator.requests]
    cut = str(unusual.amount)[:-4]
    assert any(cut in text or _decimal(desk, unusual) in text for text in sent)
    secrets = [value for value in desk.emulator.credentials().values() if not value.startswith(("http", "0x"))]
    for asked in desk.emulator.requests:
        assert not any(secret in asked.target for secret in secrets)


def _decimal(desk: Desk, ask: Ask) -> str:
    """The amount as some upstreams want it: in whole tokens."""
    decimals = desk.token(ask.origin, ask.origin_token).decimals
    return format(Decimal(ask.amount).scaleb(-decimals).normalize(), "f")


@every_ask
async def test_what_it_builds_is_bounded(desk: Desk, ask: Ask) -> None:
    request = desk.request(ask)
    quote = await desk.adapter.quote(request)
    least = quote.output_amount * (1 - SLIPPAGE) if quote.min_output_amount is None else quote.min_output_amount
    bound = replace(quote, min_output_amount=int(least))
    built = await desk.adapter.build(bound)
    assert isinstance(built, EvmTransaction)
    native = request.origin_token.address == NATIVE_EVM
    taken = request.amount if built.takes is None else built.takes
    assert 0 < taken <= request.amount
    assert built.chain_id == request.origin.id
    assert built.value == (taken if native else 0) + quote.native_fee
    assert native or built.spender is not None or built.kind.value == "pay"
    assert built.expires_at is None or built.expires_at > time.time()


LIES = [(key, lie) for key, case in sorted(CASES.items()) for lie in sorted(case.emulator.lies)]


@pytest.mark.parametrize(("key", "lie"), LIES, ids=str)
async def test_a_lie_never_yields_a_transaction(desk: Desk, lie: Lie) -> None:
    told = 0
    for ask in desk.case.asks:
        honest = await desk.transaction(desk.request(ask))
        desk.emulator.behaviour.lie = lie
        try:
            built = await desk.transaction(desk.request(ask))
        except AdapterError:
            told += 1
        else:
            # An answer without the field that the lie is about is an honest one.
            assert lie in desk.case.unseen or _same(honest, built), (ask, lie)
        finally:
            desk.emulator.behaviour.lie = None
    if lie in desk.case.unseen:
        assert desk.adapter.info.unprovable
    else:
        assert told, f"{lie} was never told"


def _same(one: object, other: object) -> bool:
    """Tell whether two transactions say the same, but for what is new in each: prices, times and IDs."""
    assert isinstance(one, EvmTransaction)
    assert isinstance(other, EvmTransaction)
    try:
        expect("entry", (other.to, other.spender, other.value, other.kind), (one.to, one.spender, one.value, one.kind))
    except UpstreamFailed:
        return False
    return len(one.data) == len(other.data)


def test_only_lies_that_it_can_tell_are_said_to_be_unseen() -> None:
    for case in CASES.values():
        assert case.unseen <= case.emulator.lies


FAILURES = [(key, name) for key, case in sorted(CASES.items()) for name in case.failures]


@pytest.mark.parametrize(("key", "name"), FAILURES)
async def test_each_documented_failure_has_its_error(desk: Desk, name: str) -> None:
    desk.emulator.behaviour.failure = name
    seen = []
    for ask in desk.case.asks:
        try:
            await desk.transaction(desk.request(ask))
        except AdapterError as error:
            seen.append(type(error))
    assert seen
    assert set(seen) == {desk.case.failures[name]}


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
async def test_an_answer_that_is_none_is_a_passing_failure(desk: Desk, fault: Fault) -> None:
    desk.emulator.behaviour.fault = fault
    with pytest.raises(AdapterError) as caught:
        await desk.transaction(desk.request(desk.case.asks[0]))
    assert isinstance(caught.value, UpstreamFailed)
    assert caught.value.reason
    if fault is Fault.RATE_LIMITED_RETRY_AFTER:
        assert caught.value.retry_after_s
    assert desk.emulator.url not in caught.value.reason
    assert not any(secret in caught.value.reason for secret in desk.emulator.credentials().values())


@pytest.mark.parametrize("fault", [Fault.NEVER, Fault.LATE])
@every_key
async def test_one_that_does_not_answer_delays_nobody_and_leaves_nothing_open(desk: Desk, fault: Fault) -> None:
    desk.emulator.behaviour.fault = fault
    request = desk.request(desk.case.asks[0])
    good = Toy("GOOD", after(0, 7), Capability.MULTI, tuple(desk.adapter.info.chains))
    started = time.monotonic()
    gathered = await gather_quotes(
        [Asked(good, request), Asked(desk.adapter, request)], CallNotes(), Deadlines(0.3, 120)
    )
    # It is given up at the soft deadline; a busy machine decides nothing.
    assert time.monotonic() - started < 60
    assert [quote.adapter for quote in gathered.quotes] == ["GOOD"]
    (refusal,) = gathered.refusals
    assert isinstance(refusal, Refusal)
    assert (refusal.adapter, refusal.kind) == (desk.adapter.info.key, UpstreamFailed.kind)
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if not desk.open_calls():
            break
        await asyncio.sleep(0.02)
    assert desk.open_calls() == 0


STATUSES = [(key, word) for key, case in sorted(CASES.items()) for word in case.statuses]


@pytest.mark.parametrize(("key", "word"), STATUSES)
async def test_each_documented_status_has_its_state(desk: Desk, word: str) -> None:
    """Of a transfer whose chains have no node of ours, so that the bridge's word is all there is."""
    ask = next(ask for ask in desk.case.asks if ask.origin != ask.destination)
    kept: list[IssuedTransaction] = []
    answer = await desk.service(kept).answer(desk.question(ask))
    tx_hash = await desk.execute(answer)
    desk.emulator.behaviour.status = word
    adapter = desk.without_nodes()
    assert is_bridge(adapter)
    status = await adapter.status(desk.transfer(kept[0], tx_hash))
    assert status.state is desk.case.statuses[word]
    assert status.source is StatusSource.BRIDGE_API
    assert status.substatus


def test_every_documented_status_is_in_the_table() -> None:
    for key, case in CASES.items():
        assert set(case.statuses) == set(case.emulator.statuses), key


@every_ask
async def test_it_wins_executes_and_delivers(desk: Desk, ask: Ask) -> None:
    kept: list[IssuedTransaction] = []
    answer = await desk.service(kept).answer(desk.question(ask))
    assert answer.adapter == desk.adapter.info.key
    assert answer.simulation is not None
    assert answer.simulation.result.status is ExecutionStatus.SUCCESS, answer.simulation.result.reason
    crossing = ask.origin != ask.destination
    assert bool(kept) is crossing
    before = await desk.balance(ask)
    tx_hash = await desk.execute(answer)
    assert await desk.arrived(ask, before, answer.min_output_amount) >= answer.min_output_amount
    if not crossing:
        return
    adapter = desk.adapter
    assert is_bridge(adapter)
    async with asyncio.timeout(PATIENCE_S):
        while True:
            place = -1 if kept[0].wallet_call else await desk.last_log(tx_hash)
            status = await adapter.status(desk.transfer(kept[0], tx_hash, place))
            assert status.state in (TransferState.UNKNOWN, TransferState.BRIDGE_PENDING, TransferState.SUCCESS)
            if status.state is TransferState.SUCCESS:
                break
            await asyncio.sleep(0.05)
    assert status.output_amount is None or status.output_amount >= answer.min_output_amount


@every_key
async def test_a_transfer_that_nobody_made_is_unknown(desk: Desk) -> None:
    adapter = desk.adapter
    crossing = [ask for ask in desk.case.asks if ask.origin != ask.destination]
    assert bool(crossing) is is_bridge(adapter)
    for ask in crossing[:1]:
        assert is_bridge(adapter)
        kept: list[IssuedTransaction] = []
        await desk.service(kept).answer(desk.question(ask))
        status = await adapter.status(desk.transfer(kept[0], "0x" + "9a" * 32))
        assert status.state in (TransferState.UNKNOWN, TransferState.BRIDGE_PENDING)
        assert status.output_amount is None
