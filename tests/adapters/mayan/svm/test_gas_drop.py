"""Native on arrival by SWIFT from Solana: in the order that the wallet pays for, delivered with the output or not."""

import json
from dataclasses import replace

import pytest

from rhumbline.adapters.mayan.checking import verify_order
from rhumbline.adapters.mayan.deployments import DEPLOYMENTS
from rhumbline.adapters.mayan.kinds.order import Kind, Places
from rhumbline.adapters.mayan.plan import plan_of
from rhumbline.devnet.svm.wallet import balance_of
from rhumbline.devnet.upstreams.behaviour import Outcome
from rhumbline.domain.arrival import GasOnArrival
from rhumbline.domain.errors import NoRoute, UpstreamFailed
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.tracking import TransferState
from rhumbline.gateways.http.strict_json import Json, read_json
from rhumbline.gateways.nodes.svm.calls import SvmRpcError
from tests.adapters.adapter_fixture import RECEIVER, AdapterFixture
from tests.adapters.mayan.stub_upstream import KEYS, NOW, open_stub
from tests.adapters.mayan.svm.quotes import HERE, from_solana, quoted
from tests.adapters.mayan.svm.test_execution import AMOUNT, Place, drafted, leaving, node, sent
from tests.adapters.mayan.test_execution import of_kind
from tests.adapters.mayan.test_gas_drop import DROP, GAS
from tests.adapters.svm_fixture import executed

PLACES = Places(HERE, DEPLOYMENTS[8453], int(NOW.timestamp()), bytes)
UNITS = DROP // 10**10
AT = 99
"""Where the instruction has the drop, behind the minimum."""


@pytest.mark.parametrize(
    ("symbol", "to", "amount"), [("USDC", ("sbxb", "USDC"), AMOUNT), ("SOL", ("sbxa", "DAI"), 10**9)]
)
async def test_what_was_asked_arrives_with_the_output(
    adapter_fixture: AdapterFixture, symbol: str, to: Place, amount: int
) -> None:
    plain, native = leaving(adapter_fixture, symbol, to, amount), adapter_fixture.chains[to[0]].native
    without = await adapter_fixture.adapter.quote(replace(plain, destination_gas=0))
    balances = [await adapter_fixture.balance(each, RECEIVER) for each in (native, plain.destination_token)]
    quote, draft, transfer = await sent(adapter_fixture, replace(plain, destination_gas=GAS))
    status = await adapter_fixture.followed(transfer, TransferState.SUCCESS)
    assert await adapter_fixture.balance(native, RECEIVER) - balances[0] == DROP
    assert quote.payload.order.kind is Kind.SWIFT
    gained = await adapter_fixture.balance(plain.destination_token, RECEIVER) - balances[1]
    assert without.output_amount > quote.output_amount >= gained >= (quote.min_output_amount or 0) > 0
    assert quote.gas_on_arrival == GasOnArrival(DROP, DROP)
    assert FeeItem(FeeType.DESTINATION_GAS, DROP, native) in quote.fees
    assert int.from_bytes(draft.instructions[-1].data[AT : AT + 8], "little") == UNITS
    assert (status.raw["destinationGas"], status.raw["gasDrop"]) == (str(DROP), "0.00200001")


async def test_what_is_not_delivered_comes_back_without_it(adapter_fixture: AdapterFixture) -> None:
    adapter_fixture.emulator.behaviour.outcome = Outcome.REFUND
    asked = replace(leaving(adapter_fixture, "USDC", ("sbxb", "USDC"), AMOUNT), destination_gas=GAS)
    native, mint = asked.destination.native, asked.origin_token.address
    had, held = (
        await adapter_fixture.balance(native, RECEIVER),
        await balance_of(node(adapter_fixture), mint, asked.sender),
    )
    _, _, transfer = await sent(adapter_fixture, asked)
    await adapter_fixture.followed(transfer, TransferState.REFUNDED)
    assert await balance_of(node(adapter_fixture), mint, asked.sender) == held
    assert await adapter_fixture.balance(native, RECEIVER) == had


async def test_an_order_is_paid_for_with_its_drop_or_not_at_all(adapter_fixture: AdapterFixture) -> None:
    """The program makes the order's hash anew, from which the account derives that the wallet has paid into."""
    one = of_kind(adapter_fixture, Kind.SWIFT)
    asked = replace(leaving(one, "USDC", ("sbxb", "USDC"), AMOUNT), destination_gas=GAS)
    _, draft = await drafted(one, asked)
    last = draft.instructions[-1]
    for other in (0, UNITS - 1):
        data = last.data[:AT] + other.to_bytes(8, "little") + last.data[AT + 8 :]
        changed = replace(draft, instructions=(*draft.instructions[:-1], replace(last, data=data)))
        with pytest.raises(SvmRpcError, match=hex(2006)):
            await executed(node(one), changed)
    contract = str(one.chains["sbxb"].executor)
    with pytest.raises(NoRoute, match="the receiver is a contract"):
        await one.adapter.quote(replace(asked, receiver=contract, payout_address=contract))
    with pytest.raises(NoRoute, match=r"brings at most 0\.01 ETH to "):
        await one.adapter.quote(replace(asked, destination_gas=10**16 + 1))


async def test_only_swift_is_asked() -> None:
    for key in KEYS:
        async with open_stub(key) as stub_upstream:
            served = stub_upstream.adapter.supports(from_solana(destination_gas=GAS))
            assert served is (key in ("MAYAN", "MAYAN_SWIFT"))


def told_of(drop: str) -> Json:
    return read_json(json.dumps(quoted(from_solana(), gasDrop=float(drop))).encode())


@pytest.mark.parametrize("told", ["0", "0.002", "0.00200002", "0.02", "-0.00200001"])
def test_an_answer_with_another_drop_is_refused(told: str) -> None:
    asked = from_solana(destination_gas=GAS)
    honest = plan_of(Kind.SWIFT, told_of("0.00200001"), asked, PLACES).order
    assert int.from_bytes(honest.data[AT : AT + 8], "little") == UNITS
    with pytest.raises(UpstreamFailed, match="gas drop"):
        plan_of(Kind.SWIFT, told_of(told), asked, PLACES)


@pytest.mark.parametrize("gas", [0, 2 * 10**15, GAS + 10**10])
def test_what_is_signed_has_the_drop(gas: int) -> None:
    """Orders that are sound in themselves, of other requests: each is paid for at an address of its own."""
    asked, other = from_solana(destination_gas=GAS), from_solana(destination_gas=gas)
    told = f"{-(-gas // 10**10) / 10**8:.8f}"
    orders = [
        plan_of(Kind.SWIFT, told_of(drop), each, PLACES).order for drop, each in (("0.00200001", asked), (told, other))
    ]
    verify_order(orders[0], asked, PLACES.here, PLACES.there)
    with pytest.raises(UpstreamFailed, match="native on arrival"):
        verify_order(orders[1], asked, PLACES.here, PLACES.there)
    owners = {order.ledger.owner for order in orders if order.ledger is not None}
    assert len(owners) == len({order.reference for order in orders}) == 2
