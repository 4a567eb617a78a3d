"""What a quote promises is deposited as asked and arrives on the other chain of the sandbox."""

from dataclasses import replace

import pytest

from rhumbline.adapters.across.calldata import decode
from rhumbline.adapters.across.route import DepositTerms
from rhumbline.devnet.upstreams.across.terms import side_of, smallest
from rhumbline.devnet.upstreams.emulator import Lie
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.errors import BelowMinimum, NoRoute, RequestRejected, SlippageTooTight, UpstreamFailed
from rhumbline.domain.tracking import TransferState
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError
from tests.adapters.across.bridge_fixture import BridgeFixture, word
from tests.adapters.adapter_fixture import RECEIVER
from tests.adapters.bridging.deposits import expect_deposit_seen

ONE = 10**18
BARE = [
    ("USDC", "USDC", 1_000 * 10**6),
    ("DAI", "DAI", 700 * ONE),
    ("WBTC", "WBTC", 10**7),
    ("ETH", "ETH", ONE),
    ("WETH", "ETH", 2 * ONE),
]
PARTIES = pytest.mark.parametrize("keyless", [False, True], ids=["swap", "fees"])


@PARTIES
@pytest.mark.parametrize(("origin", "destination", "amount"), BARE)
async def test_what_was_quoted_arrives(
    bridge_fixture: BridgeFixture, origin: str, destination: str, amount: int, keyless: bool
) -> None:
    adapter = bridge_fixture.with_parts(credentials={}) if keyless else bridge_fixture.adapter
    request = bridge_fixture.asked(origin, amount, destination)
    assert adapter.supports(request)
    quote, transaction = await bridge_fixture.built(await adapter.quote(request))
    assert quote.min_output_amount == quote.output_amount
    before = await bridge_fixture.gained(destination, RECEIVER)
    transfer = await bridge_fixture.execute(quote, transaction)
    (relay,) = await bridge_fixture.relays(transfer.tx_hash)
    assert relay.depositor == word(bridge_fixture.account)
    assert relay.recipient == word(RECEIVER)
    assert (relay.input_amount, relay.output_amount) == (amount, quote.output_amount)
    await bridge_fixture.fill(relay)
    assert await bridge_fixture.gained(destination, RECEIVER, before) == quote.output_amount
    assert (await bridge_fixture.adapter.status(transfer)).state is TransferState.SUCCESS


async def test_the_transaction(bridge_fixture: BridgeFixture) -> None:
    for symbol, value in (("USDC", 0), ("ETH", ONE)):
        amount = value or 1_000 * 10**6
        quote, built = await bridge_fixture.quoted(bridge_fixture.asked(symbol, amount))
        assert (built.to, built.value, built.chain_id) == (
            bridge_fixture.pool,
            value,
            bridge_fixture.chains["sbxa"].id,
        )
        assert built.spender == (None if value else bridge_fixture.pool)
        assert built.reference is None
        call = decode(built.data)
        assert built.data[:4].hex() == "7b939232"
        assert call.depositor == word(bridge_fixture.account)
        assert call.input_token == word(bridge_fixture.token("sbxa", symbol))
        assert call.output_token == word(bridge_fixture.token("sbxb", symbol))
        assert (call.input_amount, call.output_amount, call.message) == (amount, quote.output_amount, b"")
        assert (call.exclusive_relayer, call.exclusivity) == (
            quote.payload.exclusive_relayer,
            quote.payload.exclusivity,
        )
        assert built.expires_at is not None
        assert call.quote_timestamp < built.expires_at < call.quote_timestamp + 3600


async def test_times_are_fitted_to_the_chain_that_takes_the_deposit(bridge_fixture: BridgeFixture) -> None:
    """A pool reverts for a quote from the future, and for a deadline beyond its buffer."""
    quote = await bridge_fixture.adapter.quote(bridge_fixture.asked())
    now = quote.payload.quote_timestamp
    ahead = replace(quote.payload, quote_timestamp=now + 300, fill_deadline=now + 40_000, expires_at=None)
    bound, built = await bridge_fixture.built(replace(quote, payload=ahead))
    call = decode(built.data)
    assert call.quote_timestamp == now
    assert call.fill_deadline == now + 21_600
    await bridge_fixture.execute(bound, built)


async def test_a_quote_that_is_too_old_is_refused(bridge_fixture: BridgeFixture) -> None:
    quote = await bridge_fixture.adapter.quote(bridge_fixture.asked())
    terms: DepositTerms = quote.payload
    for old in (
        replace(terms, quote_timestamp=terms.quote_timestamp - 3600),
        replace(terms, fill_deadline=terms.quote_timestamp + 30),
        replace(terms, fill_deadline=terms.quote_timestamp + 900),
        replace(terms, expires_at=terms.quote_timestamp),
    ):
        with pytest.raises(UpstreamFailed, match="too old"):
            await bridge_fixture.built(replace(quote, payload=old))
    await bridge_fixture.pass_time("sbxa", 3601)
    with pytest.raises(UpstreamFailed, match="too old"):
        await bridge_fixture.built(quote)


async def test_after_its_expiry_a_deposit_reverts(bridge_fixture: BridgeFixture) -> None:
    """``expires_at`` is a second within what the pool takes."""
    _, built = await bridge_fixture.quoted(bridge_fixture.asked("ETH", ONE))
    assert built.expires_at is not None
    rpc = bridge_fixture.rpcs["sbxa"]
    call = {
        "from": bridge_fixture.account,
        "to": built.to,
        "data": "0x" + built.data.hex(),
        "value": hex(ONE),
    }
    for late, refused in ((1, False), (2, True)):
        overrides = {"time": hex(built.expires_at + late)}
        asked = rpc.call("eth_call", [call, "latest", {}, overrides])
        if refused:
            with pytest.raises(RpcError):
                await asked
        else:
            await asked


async def test_the_minimum_is_the_quoted_output(bridge_fixture: BridgeFixture) -> None:
    quote = await bridge_fixture.adapter.quote(bridge_fixture.asked())
    for minimum, refusal in (
        (None, RequestRejected),
        (0, RequestRejected),
        (quote.output_amount + 1, SlippageTooTight),
    ):
        with pytest.raises(refusal):
            await bridge_fixture.adapter.build(replace(quote, min_output_amount=minimum))
    await bridge_fixture.adapter.build(replace(quote, min_output_amount=1))


@PARTIES
async def test_the_true_minimum(bridge_fixture: BridgeFixture, keyless: bool) -> None:
    adapter = bridge_fixture.with_parts(credentials={}) if keyless else bridge_fixture.adapter
    side = side_of(bridge_fixture.sandbox.evm_chains[0], bridge_fixture.token("sbxa", "USDC"))
    assert side is not None
    least = smallest(side)
    with pytest.raises(BelowMinimum) as caught:
        await adapter.quote(bridge_fixture.asked(amount=least - 1))
    assert caught.value.minimum == least
    assert (await adapter.quote(bridge_fixture.asked(amount=least))).output_amount > 0


@PARTIES
async def test_routes_that_are_none(bridge_fixture: BridgeFixture, keyless: bool) -> None:
    adapter = bridge_fixture.with_parts(credentials={}) if keyless else bridge_fixture.adapter
    for origin, destination, amount in (
        ("USDC", "DAI", 10**9),
        ("USDC", "USDT", 10**9),
        ("DAI", "ETH", 900 * ONE),
        ("WETH", "USDC", ONE),
        ("USDC", "USDC", 10**15),
    ):
        with pytest.raises(NoRoute):
            await adapter.quote(bridge_fixture.asked(origin, amount, destination))


async def test_what_arrives_in_another_form_is_refused(bridge_fixture: BridgeFixture) -> None:
    """Native output to a contract would arrive wrapped, wrapped output to a wallet native."""
    contract = bridge_fixture.sandbox.evm_chains[1].contracts["multicall_handler"]
    native = bridge_fixture.asked("ETH", ONE)
    wrapped = bridge_fixture.asked("ETH", ONE, "WETH")
    with pytest.raises(NoRoute, match="native"):
        await bridge_fixture.adapter.quote(wrapped)
    with pytest.raises(NoRoute, match="contract"):
        await bridge_fixture.adapter.quote(replace(native, receiver=contract, payout_address=contract))
    await bridge_fixture.rpcs["sbxb"].call("anvil_setCode", [RECEIVER, "0xef0100" + contract[2:].lower()])
    for request in (native, wrapped):
        with pytest.raises(NoRoute, match="delegated"):
            await bridge_fixture.adapter.quote(request)
    assert bridge_fixture.emulator.requests == []


async def test_a_contract_gets_the_wrapped_token(bridge_fixture: BridgeFixture) -> None:
    contract = bridge_fixture.sandbox.evm_chains[1].contracts["multicall_handler"]
    request = bridge_fixture.asked("ETH", ONE, "WETH")
    quote, built = await bridge_fixture.quoted(replace(request, receiver=contract, payout_address=contract))
    transfer = await bridge_fixture.execute(quote, built)
    before = await bridge_fixture.gained("WETH", contract)
    await bridge_fixture.fill((await bridge_fixture.relays(transfer.tx_hash))[0])
    assert await bridge_fixture.gained("WETH", contract, before) == quote.output_amount
    assert (await bridge_fixture.adapter.status(transfer)).state is TransferState.SUCCESS


async def test_where_the_wrapped_token_is_not_known_the_pool_is_asked(bridge_fixture: BridgeFixture) -> None:
    """An operator's chain may come without it: a wallet that asks for the token would get the native asset."""
    request = bridge_fixture.asked("WETH", ONE)
    bare = replace(request.destination, wrapped_native=None)
    asked, other = (replace(each, destination=bare) for each in (request, bridge_fixture.asked()))
    with pytest.raises(NoRoute, match="native"):
        await bridge_fixture.adapter.quote(asked)
    assert bridge_fixture.emulator.requests == []
    contract = bridge_fixture.sandbox.evm_chains[1].contracts["multicall_handler"]
    assert (
        await bridge_fixture.adapter.quote(replace(asked, receiver=contract, payout_address=contract))
    ).output_amount > 0
    assert (await bridge_fixture.adapter.quote(other)).output_amount > 0
    for each in (asked, other):
        assert not bridge_fixture.without_node("sbxb").supports(each)
    places = bridge_fixture.adapter.context.deployments
    uncertain = {number: replace(place, delivers_native=False) for number, place in places.items()}
    adapter = bridge_fixture.with_parts(deployments=uncertain)
    assert (await adapter.quote(other)).output_amount > 0
    with pytest.raises(NoRoute, match="not certain"):
        await adapter.quote(replace(asked, receiver=contract, payout_address=contract))


async def test_a_pool_that_wraps_another_token_is_not_trusted_with_it(bridge_fixture: BridgeFixture) -> None:
    """The chain's wrapped native token, as it is known here, is not the one that the pool unwraps."""
    request = bridge_fixture.asked("ETH", ONE)
    other = replace(request.destination, wrapped_native=bridge_fixture.token("sbxb", "DAI"))
    with pytest.raises(UpstreamFailed, match="wraps another"):
        await bridge_fixture.adapter.quote(replace(request, destination=other))
    assert request.destination_token.address == NATIVE_EVM


@pytest.mark.parametrize("lie", sorted(Lie))
async def test_every_lie_of_the_swap_api_is_refused(bridge_fixture: BridgeFixture, lie: Lie) -> None:
    assert lie in bridge_fixture.emulator.lies
    bridge_fixture.emulator.behaviour.lie = lie
    with pytest.raises(UpstreamFailed):
        await bridge_fixture.adapter.quote(bridge_fixture.asked())


@pytest.mark.parametrize("lie", [Lie.OTHER_ENTRY, Lie.OTHER_TOKEN])
async def test_every_lie_of_suggested_fees_is_refused(bridge_fixture: BridgeFixture, lie: Lie) -> None:
    bridge_fixture.emulator.behaviour.lie = lie
    with pytest.raises(UpstreamFailed):
        await bridge_fixture.with_parts(credentials={}).quote(bridge_fixture.asked())


async def test_a_place_without_a_pool(bridge_fixture: BridgeFixture) -> None:
    quote = await bridge_fixture.adapter.quote(bridge_fixture.asked())
    nowhere = {
        number: replace(place, spoke_pool=RECEIVER)
        for number, place in bridge_fixture.adapter.context.deployments.items()
    }
    with pytest.raises(UpstreamFailed, match="no SpokePool"):
        await bridge_fixture.with_parts(deployments=nowhere).build(replace(quote, min_output_amount=1))


async def test_nodes_that_are_down_are_a_passing_failure(bridge_fixture: BridgeFixture) -> None:
    """The destination's says what would arrive, the origin's what the pool takes."""
    request = bridge_fixture.asked("ETH", ONE)
    quote = await bridge_fixture.adapter.quote(request)
    rpcs = bridge_fixture.adapter.context.rpcs
    down = {number: EvmRpc("http://127.0.0.1:9", rpc.http, rpc.name) for number, rpc in rpcs.items()}
    adapter = bridge_fixture.with_parts(rpcs=down)
    with pytest.raises(UpstreamFailed, match="sbxb: the node does not answer"):
        await adapter.quote(request)
    with pytest.raises(UpstreamFailed, match="sbxa: the node does not answer"):
        await adapter.build(quote)


async def test_nothing_is_not_bridged(bridge_fixture: BridgeFixture) -> None:
    with pytest.raises(RequestRejected, match="amount"):
        await bridge_fixture.adapter.quote(bridge_fixture.asked(amount=0))


@pytest.mark.parametrize(("symbol", "amount"), [("USDC", 10**9), ("WETH", ONE), ("ETH", ONE)])
async def test_a_run_shows_the_deposit(bridge_fixture: BridgeFixture, symbol: str, amount: int) -> None:
    to = "ETH" if symbol == "WETH" else symbol
    deposit = await expect_deposit_seen(bridge_fixture, bridge_fixture.asked(symbol, amount, to))
    # Of native currency the pool gains its wrapping, one to one.
    assert deposit.token == bridge_fixture.token("sbxa", "WETH" if symbol == "ETH" else symbol)


async def test_no_relayer_is_alone_for_long(bridge_fixture: BridgeFixture) -> None:
    """One that may fill and does not would hold the deposit back until it is refunded."""
    quote = await bridge_fixture.adapter.quote(bridge_fixture.asked())
    terms, now = quote.payload, quote.payload.quote_timestamp
    for exclusivity in (301, 3600, 31_536_000, 31_536_001 + now, now + 400, 2**32 - 1):
        with pytest.raises(UpstreamFailed, match="only one"):
            await bridge_fixture.built(replace(quote, payload=replace(terms, exclusivity=exclusivity)))
    for exclusivity in (0, 300, now + 290, now - 1):
        alone = replace(quote, payload=replace(terms, exclusivity=exclusivity))
        assert decode((await bridge_fixture.built(alone))[1].data).exclusivity == exclusivity
