"""What Relay's solver pays on the destination: the output, and with it native where an order has such a payment."""

from dataclasses import dataclass, field

from rhumbline.devnet.evm.operator import encoded
from rhumbline.devnet.upstreams.market import Market
from rhumbline.devnet.upstreams.relay.quote_request import Wanted
from rhumbline.devnet.upstreams.relay.steps import APPROVAL_PROXY, PROXIED, Call
from rhumbline.devnet.upstreams.solver import Dealing, DepositState, Payment, Solver
from rhumbline.domain.chain import NATIVE_EVM


@dataclass
class Fills(Solver):
    """A solver that pays both in one call of the router; ``natives`` are in wei, by the orders' IDs."""

    natives: dict[str, int] = field(default_factory=dict)

    async def _pay(self, dealing: Dealing, payment: Payment, *, refund: bool) -> None:
        native = self.natives.get(dealing.deposit.reference, 0)
        if refund or not native:
            return await super()._pay(dealing, payment, refund=refund)
        payer = self.world.solver(payment.chain_id)
        await payer.send(payment.token, encoded("approve(address,uint256)", APPROVAL_PROXY, payment.amount))
        calls: list[Call] = [
            (payment.token, False, 0, encoded("transfer(address,uint256)", payment.receiver, payment.amount)),
            (payment.receiver, False, native, b""),
        ]
        filled = encoded(PROXIED, [payment.token], [payment.amount], calls, payment.receiver, payment.receiver, b"")
        dealing.fill_tx = await payer.send(APPROVAL_PROXY, filled, native)
        dealing.state = DepositState.FILLED
        return None


async def topped_up(market: Market, wanted: Wanted, dollars: str) -> tuple[int, int]:
    """Return a request's native on arrival in wei, by the pools there, and what the output is less by.

    ``dollars`` is USDC there. Raise NoMarket.
    """
    if not wanted.topup:
        return 0, 0
    native = (await market.quote(wanted.destination, dollars, NATIVE_EVM, wanted.topup)).amount_out
    if wanted.token_out == dollars:
        return native, wanted.topup
    return native, (await market.quote(wanted.destination, dollars, wanted.token_out, wanted.topup)).amount_out
