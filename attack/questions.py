"""A question of the attack, as an adapter and as the service is asked it."""

from dataclasses import replace

from attack.purse import Pair
from attack.service import SLIPPAGE, AttackedService
from rhumbline.domain.account import ApiClient
from rhumbline.domain.adapter import AdapterInfo
from rhumbline.domain.arrival import CallOnArrival
from rhumbline.domain.clock import system_clock
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.route import RouteRequest
from rhumbline.domain.token import Token
from rhumbline.gateways.evm.abi import selector
from rhumbline.gateways.nodes.evm.multicall import MULTICALL3
from tests.adapters.conformance.case import Ask

_AFTER_S = 1200
_HARMLESS = CallOnArrival(MULTICALL3, selector("getBlockNumber()"))
"""A call that takes nothing, so that all of what arrives is the receiver's."""


def asked_of_adapter(
    service: AttackedService, ask: Ask, pair: Pair, tokens: tuple[Token, Token], info: AdapterInfo
) -> QuoteRequest:
    """Return the question with which routing would ask an adapter; native on arrival only where it brings it."""
    if ask.bridged:
        tokens = tokens[0], service.token(ask.destination, ask.bridged)
    origin, destination = service.chain(ask.origin), service.chain(ask.destination)
    caller = pair.sender if ask.direct else str(origin.executor)
    recipient = pair.receiver if ask.direct or origin.id != destination.id else caller
    deadline = int(system_clock().timestamp()) + _AFTER_S
    gas = ask.gas if origin.type in info.gas_from and not ask.calls else 0
    return QuoteRequest(
        origin, destination, *tokens, ask.amount, sender=pair.sender, receiver=pair.receiver, taker=caller,
        payout_address=recipient, slippage=SLIPPAGE, deadline=deadline, refund_to=pair.refunded,
        destination_gas=gas,
    )  # fmt: skip


def asked_of_service(service: AttackedService, ask: Ask, pair: Pair, tokens: tuple[Token, Token]) -> RouteRequest:
    """Return the caller's question; where it is direct, of chains that have no Diamond."""
    origin, destination = service.chain(ask.origin), service.chain(ask.destination)
    if ask.direct:
        origin, destination = (replace(chain, diamond=None, executor=None) for chain in (origin, destination))
    sold, bought = tokens
    return RouteRequest(
        origin, destination, sold.address, bought.address, ask.amount, pair.sender, pair.receiver, ApiClient(),
        slippage=SLIPPAGE, permits=pair.signer is not None, refund_to=pair.refunded, destination_gas=ask.gas,
        destination_call=_HARMLESS if ask.calls else None,
    )  # fmt: skip
