"""Where Relay swaps before the deposit, so much is deposited under the order, or the transaction reverts."""

import copy
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rhumbline.adapters.relay import calldata
from rhumbline.adapters.relay.deployments import DEPLOYMENTS, Deployment
from rhumbline.adapters.relay.router_call import deposit_evidence, hold
from rhumbline.devnet.upstreams.behaviour import Outcome
from rhumbline.domain.adapter import is_binder
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.quote import Quote
from rhumbline.domain.token import Token
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.evm.calldata import Function
from rhumbline.gateways.nodes.evm.rpc import RpcError
from tests.adapters.adapter_fixture import AdapterFixture
from tests.adapters.relay.stub_upstream import REQUEST, USDC, WALLET, WETH, StubUpstream, said
from tests.adapters.relay.test_checking import SWAPPED, refused, signed_anew

ONE = 10**18
PLACE = DEPLOYMENTS[1]
STRANGER = "0x000000000000000000000000000000000000dEaD"
OWNER = "0x0000000000000000000000000000000000C0ffee"
NAME = b"\x0d" * 32
PAY = Function("transfer(address,uint256)")
WRAP, UNWRAP = Function("deposit()"), Function("withdraw(uint256)")
Calls = list[tuple[str, bool, int, bytes]]


def whole(place: Deployment, token: str) -> Calls:
    if token == NATIVE_EVM:
        into = calldata.CLEAN_NATIVE_INTO.encode(0, place.depository, calldata.DEPOSIT_NATIVE.encode(OWNER, NAME))
    else:
        left = calldata.DEPOSIT_ALLOWANCE.encode(OWNER, token, NAME)
        into = calldata.CLEAN_TOKENS_INTO.encode([token], [place.depository], [left], [0])
    return [(place.router, False, 0, into)]


def named(place: Deployment, token: str) -> Calls:
    """One unit: what a hostile answer would deposit of all that the swap yields."""
    if token == NATIVE_EVM:
        return [(place.depository, False, 1, calldata.DEPOSIT_NATIVE.encode(OWNER, NAME))]
    return [
        (token, False, 0, calldata.APPROVE.encode(place.depository, 1)),
        (place.depository, False, 0, calldata.DEPOSIT_TOKEN.encode(OWNER, token, 1, NAME)),
    ]


@settings(deadline=None)
@given(st.integers(1, 2**256 - 1), st.booleans(), st.booleans(), st.booleans())
def test_a_held_call_deposits_so_much_or_more(least: int, native: bool, one: bool, marked: bool) -> None:
    token = NATIVE_EVM if native else WETH.address
    calls = [(STRANGER, False, 0, b"\x01\x02"), *(named if one else whole)(PLACE, token)]
    mark = NAME if marked else b""
    data = calldata.PROXIED.encode([USDC.address], [5], calls, STRANGER, WALLET, b"meta") + mark
    start = calldata.read_start(PLACE.approval_proxy, 0, data, PLACE, (NAME,))
    assert start.deposit is not None
    held = hold(PLACE.approval_proxy, data, PLACE, (NAME,), start, start.deposit, least)
    values, rest = calldata.PROXIED.decode_first(held)
    tokens, amounts, written, refund_to, receiver, metadata = values
    assert (tokens, amounts, receiver, metadata, rest) == ((USDC.address.lower(),), (5,), WALLET, b"meta", mark)
    assert refund_to == OWNER.lower()
    assert isinstance(written, tuple)
    assert list(written[: len(calls) - 1]) == [(to.lower(), *each) for to, *each in calls[:-1]]
    ours = written[len(calls) - 1 :]
    assert {call[0] for call in ours} <= {PLACE.router.lower(), PLACE.depository.lower(), token.lower()}
    assert all(not call[1] or call[3] == calldata.APPROVE.encode(PLACE.depository, 0) for call in ours)
    if one:
        (deposit,) = [call for call in ours if call[0] == PLACE.depository.lower()]
        assert deposit[2 if native else 3] == (
            least if native else calldata.DEPOSIT_TOKEN.encode(OWNER, token, least, NAME)
        )


GOT = ONE // 10
SPENT_NATIVE = GOT + 7


@pytest.mark.parametrize("deposits", [whole, named], ids=["whole", "named"])
@pytest.mark.parametrize("native", [False, True], ids=["token", "native"])
async def test_at_least_so_much_is_deposited_or_nothing_is_done(
    adapter_fixture: AdapterFixture, native: bool, deposits: Callable[[Deployment, str], Calls]
) -> None:
    """On the contracts: the rest of what a swap yields, and of the input, is the depositor's."""
    adapter_fixture.emulator.behaviour.outcome = Outcome.NEVER
    place, wrapped = here(adapter_fixture), adapter_fixture.tokens["sbxa", "WETH"]
    ether = adapter_fixture.tokens["sbxa", "ETH"]
    taken, made = (wrapped, ether) if native else (ether, wrapped)
    random = Random(20261122)
    for least in (1, GOT, *(random.randrange(2, GOT) for _ in range(4))):
        name = random.randbytes(32)
        await prepare(adapter_fixture, native)
        held = wrapping(place, wrapped, native, deposits, name, least)
        before = await standing(adapter_fixture, place, made)
        await adapter_fixture.send("sbxa", *held)
        depository, owner, router = (
            now - then for now, then in zip(await standing(adapter_fixture, place, made), before, strict=True)
        )
        assert (depository, owner) == ((GOT, 0) if deposits is whole else (least, GOT - least))
        assert router == 0
        assert await adapter_fixture.balance(taken, place.router) == 0
        await prepare(adapter_fixture, native)
        for more in (GOT + 1, 2 * GOT, 2**255):
            with pytest.raises(RpcError):
                await adapter_fixture.send("sbxa", *wrapping(place, wrapped, native, deposits, name, more))


async def prepare(adapter_fixture: AdapterFixture, native: bool) -> None:
    if native:
        wrapped = adapter_fixture.tokens["sbxa", "WETH"].address
        await adapter_fixture.send("sbxa", wrapped, WRAP.encode(), SPENT_NATIVE)
        await adapter_fixture.send(
            "sbxa", wrapped, calldata.APPROVE.encode(here(adapter_fixture).approval_proxy, SPENT_NATIVE)
        )


def wrapping(
    place: Deployment, wrapped: Token, native: bool, deposits: Callable[..., Calls], name: bytes, least: int
) -> tuple[str, bytes, int]:
    """A held call that wraps, or unwraps, all of the input but seven units."""
    token = NATIVE_EVM if native else wrapped.address
    trade = (wrapped.address, False, 0, UNWRAP.encode(GOT)) if native else (wrapped.address, False, GOT, WRAP.encode())
    calls = [trade, *deposits(place, token)]
    deposit = calldata.Deposit(OWNER, token, None if deposits is whole else 1, name)
    if native:
        data = calldata.PROXIED.encode([wrapped.address], [SPENT_NATIVE], calls, STRANGER, OWNER, b"")
        start = calldata.Start(wrapped.address, SPENT_NATIVE, STRANGER, (), deposit)
        return place.approval_proxy, hold(place.approval_proxy, data, place, (), start, deposit, least), 0
    data = calldata.MULTICALL.encode(calls, STRANGER, OWNER, b"")
    start = calldata.Start(NATIVE_EVM, SPENT_NATIVE, STRANGER, (), deposit)
    return place.router, hold(place.router, data, place, (), start, deposit, least), SPENT_NATIVE


async def standing(adapter_fixture: AdapterFixture, place: Deployment, token: Token) -> list[int]:
    return [await adapter_fixture.balance(token, owner) for owner in (place.depository, OWNER, place.router)]


def here(adapter_fixture: AdapterFixture) -> Deployment:
    fields: Any = adapter_fixture.emulator.deployments()[adapter_fixture.chains["sbxa"].id]
    return Deployment(**fields)


async def swapped(adapter_fixture: AdapterFixture, amount: int) -> Quote[Any]:
    request = adapter_fixture.request(("sbxa", "DAI"), ("sbxb", "USDC"), amount)
    quote: Quote[Any] = await adapter_fixture.adapter.quote(request)
    return quote


def calls_of(quote: Quote[Any]) -> Any:
    return calldata.PROXIED.decode_first(data_of(quote))[0][2]


def data_of(quote: Quote[Any]) -> bytes:
    return bytes.fromhex(quote.payload.steps[-1].items[0].data["data"][2:])


def retold(quote: Quote[Any], calls: Any) -> Quote[Any]:
    """The same answer with other calls inside the router."""
    values, mark = calldata.PROXIED.decode_first(data_of(quote))
    data = calldata.PROXIED.encode(*values[:2], calls, *values[3:]) + mark
    payload = copy.deepcopy(quote.payload)
    payload.steps[-1].items[0].data["data"] = "0x" + data.hex()
    return replace(quote, payload=payload)


async def robbing(adapter_fixture: AdapterFixture, amount: int, left: int) -> Quote[Any]:
    """A genuine order whose transaction pays a stranger first and swaps what is left."""
    small = await swapped(adapter_fixture, left)
    genuine = await swapped(adapter_fixture, amount)
    token = genuine.request.origin_token.address
    pay = (token, False, 0, PAY.encode(STRANGER, amount - left))
    return retold(genuine, (pay, *calls_of(small)[:-1], calls_of(genuine)[-1]))


async def test_a_stranger_is_not_paid_before_the_swap(adapter_fixture: AdapterFixture) -> None:
    quote, built = await adapter_fixture.built(await robbing(adapter_fixture, 900 * ONE, ONE))
    stranger = await adapter_fixture.balance(quote.request.origin_token, STRANGER)
    with pytest.raises(RpcError):
        await adapter_fixture.execute(quote, built)
    assert await adapter_fixture.balance(quote.request.origin_token, STRANGER) == stranger
    honest, built = await adapter_fixture.built(await robbing(adapter_fixture, 900 * ONE, 900 * ONE))
    await adapter_fixture.execute(honest, built)


async def dusty(adapter_fixture: AdapterFixture, amount: int, left: int) -> Quote[Any]:
    """An answer under a genuine order for a small part of the input, as a lying answer may tell it."""
    small = await swapped(adapter_fixture, left)
    large = await swapped(adapter_fixture, amount)
    told = large.payload.details.model_copy(update={"currency_out": small.payload.details.currency_out})
    payload = copy.deepcopy(large.payload).model_copy(update={"protocol": small.payload.protocol, "details": told})
    ids = [each.payload.protocol.v2.order_id[2:] for each in (large, small)]
    data = payload.steps[-1].items[0].data
    data["data"] = data["data"].replace(*ids)
    return replace(large, payload=payload, output_amount=small.output_amount, min_output_amount=small.min_output_amount)


async def test_an_order_for_dust_is_bound_to_what_was_measured(adapter_fixture: AdapterFixture) -> None:
    adapter_fixture.emulator.behaviour.outcome = Outcome.NEVER
    quote, built = await adapter_fixture.built(await dusty(adapter_fixture, 900 * ONE, 9 * ONE))
    assert built.deposit is not None
    before = await adapter_fixture.balance(adapter_fixture.tokens["sbxa", "USDC"], here(adapter_fixture).depository)
    await adapter_fixture.execute(quote, built)
    measured = (
        await adapter_fixture.balance(adapter_fixture.tokens["sbxa", "USDC"], here(adapter_fixture).depository) - before
    )
    assert measured > 50 * built.deposit.least
    least = measured * 995 // 1000
    quote, built = await adapter_fixture.built(await dusty(adapter_fixture, 900 * ONE, 9 * ONE))
    bound = bind(adapter_fixture, built, quote, least)
    assert bound.deposit is not None
    assert bound.deposit.least == least
    before = await adapter_fixture.balance(adapter_fixture.tokens["sbxa", "USDC"], here(adapter_fixture).depository)
    await adapter_fixture.execute(quote, bound)
    assert (
        await adapter_fixture.balance(adapter_fixture.tokens["sbxa", "USDC"], here(adapter_fixture).depository) - before
        >= least
    )
    small = await swapped(adapter_fixture, 9 * ONE)
    quote = await dusty(adapter_fixture, 900 * ONE, 9 * ONE)
    pay = (quote.request.origin_token.address, False, 0, PAY.encode(STRANGER, 891 * ONE))
    quote, built = await adapter_fixture.built(retold(quote, (pay, *calls_of(small)[:-1], calls_of(quote)[-1])))
    with pytest.raises(RpcError):
        await adapter_fixture.execute(quote, bind(adapter_fixture, built, quote, least))


async def test_a_deposit_under_another_order_takes_from_what_must_be_deposited(adapter_fixture: AdapterFixture) -> None:
    """Inside, through a contract that nobody reads, as a stranger's order: the depository has all, the order less."""
    quote = await swapped(adapter_fixture, 900 * ONE)
    token, place = adapter_fixture.tokens["sbxa", "USDC"].address, here(adapter_fixture)
    rounds = calldata.MULTICALL.encode(
        [
            (token, False, 0, calldata.APPROVE.encode(place.depository, 500_000_000)),
            (place.depository, False, 0, calldata.DEPOSIT_TOKEN.encode(STRANGER, token, 500_000_000, bytes(32))),
        ], STRANGER, STRANGER, b"",
    )  # fmt: skip
    calls = calls_of(quote)
    nested = (place.approval_proxy, False, 0, calldata.PROXIED.encode([], [], [], STRANGER, STRANGER, b""))
    with pytest.raises(UpstreamFailed):
        await adapter_fixture.built(retold(quote, (*calls[:-1], (place.router, False, 0, rounds), calls[-1])))
    inside = calldata.PROXIED.encode([], [], calldata.MULTICALL.decode(rounds)[0], STRANGER, STRANGER, b"")
    _, built = await adapter_fixture.built(retold(quote, (*calls[:-1], nested, calls[-1])))
    await adapter_fixture.execute(quote, built)
    quote = await swapped(adapter_fixture, 900 * ONE)
    calls = calls_of(quote)
    _, built = await adapter_fixture.built(
        retold(quote, (*calls[:-1], (place.approval_proxy, False, 0, inside), calls[-1]))
    )
    with pytest.raises(RpcError):
        await adapter_fixture.execute(quote, built)


def bind(adapter_fixture: AdapterFixture, built: EvmTransaction, quote: Quote[Any], least: int) -> EvmTransaction:
    assert is_binder(adapter_fixture.adapter)
    return adapter_fixture.adapter.bind(built, quote, least)


async def test_binding_changes_nothing_else(stub_upstream: StubUpstream) -> None:
    stub_upstream.upstream.says("/quote/v2", said("swapped_transfer.json"))
    quote = await stub_upstream.adapter.quote(SWAPPED)
    built = await stub_upstream.built(quote)
    assert built.deposit is not None
    for least in (0, built.deposit.least - 1, built.deposit.least):
        assert stub_upstream.adapter.bind(built, quote, least) is built
    bound = stub_upstream.adapter.bind(built, quote, built.deposit.least + 5)
    assert replace(bound, data=built.data, deposit=built.deposit) == built
    assert bound.data != built.data
    assert bound.deposit == replace(built.deposit, least=built.deposit.least + 5)
    assert stub_upstream.adapter.bind(bound, quote, built.deposit.least) is bound
    with pytest.raises(UpstreamFailed):
        stub_upstream.adapter.bind(built, quote, 2**256)
    stub_upstream.upstream.says("/quote/v2", said("transfer.json"))
    quote = await stub_upstream.adapter.quote(REQUEST)
    direct = await stub_upstream.built(quote)
    assert stub_upstream.adapter.bind(direct, quote, REQUEST.amount) is direct
    for transaction, least in ((direct, REQUEST.amount + 1), (replace(direct, deposit=None), 1)):
        with pytest.raises(UpstreamFailed):
            stub_upstream.adapter.bind(transaction, quote, least)


def test_a_native_deposit_is_seen_by_its_own_event() -> None:
    seen = deposit_evidence(calldata.Deposit(WALLET, NATIVE_EVM, 5, NAME), PLACE, 5, swapped=False)
    assert isinstance(seen, BridgeDeposit)
    assert seen.log is not None
    # As the vendor lists it: RelayNativeDeposit.
    assert seen.log.topics[0] == bytes.fromhex("8032066556caf3967d8fec4ad22a2d9e1e9576556b2903a0fcd5b1fd201e3477")
    assert (seen.log.emitter, seen.log.amount_at, seen.log.words[2]) == (PLACE.depository, 1, NAME)
    seen = deposit_evidence(calldata.Deposit(WALLET, USDC.address, 5, NAME), PLACE, 5, swapped=False)
    assert seen.log is not None
    assert seen.log.topics[0] == bytes.fromhex("49fed1d0b752ce30eee63c7a81133f3363b532fec5d4d7dd1ccfd005de4555e1")
    assert (seen.holders, seen.log.amount_at, seen.log.words[3]) == ((PLACE.depository,), 2, NAME)


async def test_the_promise_is_at_most_what_is_signed(stub_upstream: StubUpstream) -> None:
    answer = said("transfer.json")
    promised = int(answer["details"]["currencyOut"]["amount"])
    payment = answer["protocol"]["v2"]["orderData"]["output"]["payments"][0]
    payment["expectedAmount"] = str(promised - 1)
    signed_anew(answer)
    stub_upstream.upstream.says("/quote/v2", answer)
    quote = await stub_upstream.adapter.quote(REQUEST)
    assert quote.output_amount == quote.assured_output == promised - 1
    await stub_upstream.adapter.build(quote)
    payment["expectedAmount"] = str((quote.min_output_amount or 0) - 1)
    signed_anew(answer)
    stub_upstream.upstream.says("/quote/v2", answer)
    with pytest.raises(UpstreamFailed, match="expected output"):
        await stub_upstream.adapter.quote(REQUEST)


async def test_an_order_pays_nobody_a_fee(stub_upstream: StubUpstream) -> None:
    """We ask for no app's fee; a stranger can have a genuine order with one, for the same wallet and receiver."""

    def change(answer: Any) -> None:
        fee = {"recipientChainId": "base", "recipient": STRANGER, "currencyChainId": "base", "currency": STRANGER}
        answer["protocol"]["v2"]["orderData"]["fees"] = [fee | {"amount": "1"}]
        signed_anew(answer)

    await refused(stub_upstream, "transfer.json", REQUEST, change)


async def test_an_order_takes_something(stub_upstream: StubUpstream) -> None:
    def change(answer: Any) -> None:
        answer["protocol"]["v2"]["orderData"]["inputs"][0]["payment"]["amount"] = "0"
        signed_anew(answer)

    await refused(stub_upstream, "swapped_transfer.json", SWAPPED, change)
