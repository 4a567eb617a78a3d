"""Native on arrival by Relay from Solana: a payment of the order that the deposit names, delivered or not at all."""

from typing import Any

import pytest

from rhumbline.adapters.relay.order import order_id
from rhumbline.devnet.upstreams.emulator import Outcome
from rhumbline.devnet.upstreams.relay import emulator as emulator_module
from rhumbline.devnet.upstreams.relay.order import Terms, order_data
from rhumbline.domain.fee import FeeType
from rhumbline.domain.tracking import TransferState
from tests.adapters.adapter_fixture import RECEIVER, AdapterFixture
from tests.adapters.bridging.solana import WALLET, SolanaFixture
from tests.adapters.relay.test_gas_topup import GAS, LIES

Place = tuple[str, str]
TO = ("sbxb", "USDC")
FROM = [(("sbxs", "USDC"), 250_000_000), (("sbxs", "SOL"), 10**9)]


@pytest.fixture
def solana(adapter_fixture: AdapterFixture) -> SolanaFixture:
    return SolanaFixture(adapter_fixture)


@pytest.mark.parametrize(("origin", "amount"), FROM)
async def test_what_was_asked_arrives_with_the_output(solana: SolanaFixture, origin: Place, amount: int) -> None:
    asked, evm = solana.request(origin, TO, amount, destination_gas=GAS), solana.evm
    native, token = asked.destination.native, asked.destination_token
    plain = await evm.adapter.quote(solana.request(origin, TO, amount))
    before = len(evm.emulator.requests)
    balances = [await solana.balance(each, RECEIVER) for each in (native, token)]
    quote, draft = await solana.drafted(await evm.adapter.quote(asked))
    told = quote.gas_on_arrival
    assert told is not None
    assert GAS <= told.minimum <= told.amount <= GAS * 106 // 100
    # The deposit is made under the order whose hash covers the payment of native.
    order = quote.payload.protocol.v2.order_data
    paid = {each.currency.lower(): each.minimum_amount for each in order.output.payments}
    assert paid == {native.address: told.minimum, token.address.lower(): quote.min_output_amount}
    assert draft.instructions[0].data[16:] == order_id(order)
    executed = await solana.run(draft)
    status = await evm.followed(evm.begun(quote, draft, executed.signature), TransferState.SUCCESS)
    gained = [await solana.balance(each, RECEIVER) - had for each, had in zip((native, token), balances, strict=True)]
    assert gained == [told.amount, quote.output_amount]
    assert status.raw["destinationGas"] == str(told.amount)
    (item,) = [each for each in quote.fees if each.type is FeeType.DESTINATION_GAS]
    assert (item.amount, item.token) == (told.amount, native)
    assert [each for each in quote.fees if each != item] == list(plain.fees)
    assert quote.output_amount < plain.output_amount
    assert len([each for each in evm.emulator.requests[before:] if each.path == "/quote/v2"]) == 3


async def test_what_is_not_delivered_comes_back_without_it(solana: SolanaFixture) -> None:
    solana.evm.emulator.behaviour.outcome = Outcome.REFUND
    asked = solana.request(FROM[0][0], TO, FROM[0][1], destination_gas=GAS)
    native, sold = asked.destination.native, asked.origin_token
    had, held = await solana.balance(native, RECEIVER), await solana.balance(sold, WALLET)
    await solana.evm.followed(await solana.crossed(asked), TransferState.REFUNDED)
    assert await solana.balance(sold, WALLET) == held
    assert await solana.balance(native, RECEIVER) == had


async def test_an_order_that_does_not_hold_it_is_refused(
    solana: SolanaFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The solver signs all of these orders, and the deposit names them."""
    asked = solana.request(("sbxs", "USDC"), TO, 250_000_000, destination_gas=GAS)
    for lower, change, error in LIES.values():

        def lied(terms: Terms, solver: str, salt: str, lower: Any = lower, change: Any = change) -> dict[str, Any]:
            honest = not terms.native
            return order_data(terms, solver, salt) if honest else change(order_data(lower(terms), solver, salt))

        monkeypatch.setattr(emulator_module, "order_data", lied)
        with pytest.raises(error):
            await solana.drafted(await solana.evm.adapter.quote(asked))
    monkeypatch.undo()
    await solana.drafted(await solana.evm.adapter.quote(asked))
