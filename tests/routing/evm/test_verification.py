"""A bridge that lies about a deposit with a message, or puts something else into it: nothing is handed out."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from rhumbline.adapters.across.calldata import DepositCall, decode, encode
from rhumbline.devnet.upstreams.behaviour import Lie
from rhumbline.domain.destination_call import DestinationCall
from rhumbline.domain.errors import AdaptersFailed, RhumblineError
from rhumbline.domain.quote import Quote
from rhumbline.domain.transaction import EvmTransaction, UpstreamTransaction
from tests.routing.evm.test_composer import crossing
from tests.routing.evm.test_destination_swap import THOUSAND, Listening, receiving, with_bridge
from tests.routing.receiving import Receiving

__all__ = ["crossing", "receiving"]


@pytest.mark.parametrize("lie", [Lie.OTHER_TOKEN, Lie.OTHER_ENTRY])
async def test_a_lying_bridge_gets_nothing(receiving: Receiving, lie: Lie) -> None:
    receiving.emulator.behaviour.lie = lie
    with pytest.raises(AdaptersFailed) as caught:
        await receiving.quotes.service.answer(receiving.ask("USDC", "WBTC", THOUSAND))
    assert "before a swap out of USDC: answered with another" in str(caught.value.details)
    assert receiving.kept == []


@dataclass(frozen=True)
class Meddling(Listening):
    """Builds its deposit with something else in it than it was asked."""

    odd: Callable[[DepositCall], DepositCall] = lambda call: call
    told: Callable[[DestinationCall], DestinationCall] = lambda call: call

    async def build(self, quote: Quote[Any], /) -> UpstreamTransaction:
        made = await super().build(quote)
        assert isinstance(made, EvmTransaction)
        assert made.destination_call is not None
        return replace(
            made, data=encode(self.odd(decode(made.data))), destination_call=self.told(made.destination_call)
        )


STRANGER = "0x00000000000000000000000000000000000B0b00"


@pytest.mark.parametrize(
    "odd",
    [
        lambda call: replace(call, recipient=bytes(12) + bytes.fromhex(STRANGER[2:])),
        lambda call: replace(call, depositor=bytes(12) + bytes.fromhex(STRANGER[2:])),
        lambda call: replace(call, output_amount=1),
        lambda call: replace(call, message=b""),
        lambda call: replace(call, message=call.message + call.message),
    ],
)
async def test_a_deposit_with_something_else_in_it_is_not_handed_out(
    receiving: Receiving, odd: Callable[[DepositCall], DepositCall]
) -> None:
    service = with_bridge(receiving, Meddling(receiving.across, odd=odd))
    with pytest.raises(RhumblineError):
        await service.answer(receiving.ask("USDC", "WBTC", THOUSAND))
    assert receiving.kept == []


@pytest.mark.parametrize("change", [{"payee": STRANGER}, {"token": STRANGER}, {"least": 1}])
async def test_a_bridge_that_says_something_else_of_its_deposit_is_refused(
    receiving: Receiving, change: dict[str, Any]
) -> None:
    service = with_bridge(receiving, Meddling(receiving.across, told=lambda call: replace(call, **change)))
    with pytest.raises(RhumblineError):
        await service.answer(receiving.ask("USDC", "WBTC", THOUSAND))
    assert receiving.kept == []
