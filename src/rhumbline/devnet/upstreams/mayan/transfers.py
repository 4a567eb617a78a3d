"""Transfers of Mayan's emulator: a deposit's payment, who gets a refund, and the explorer's answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType

from rhumbline.devnet.evm.operator import encoded
from rhumbline.devnet.upstreams.mayan.deployments import SHARE_BPS, Asset, Deployment, asset_of, human, without
from rhumbline.devnet.upstreams.mayan.offers import Offers
from rhumbline.devnet.upstreams.mayan.svm_instructions import read_terms
from rhumbline.devnet.upstreams.solver import Dealing, Deposit, DepositState, Payment, Solver
from rhumbline.devnet.upstreams.trades import NoMarket
from rhumbline.gateways.evm.abi import decode_args

_SWIFT = ("bytes32", "bytes32", "uint16", "bytes32", "uint64", "uint64")
_CIRCLE = ("bytes32", "uint256", "bool", "bytes32", "uint64", "uint256", "uint256")
_WORMHOLE = (
    "bytes32", "bytes32", "uint16", "bytes32", "uint16", "bool", "uint64", "uint64", "bytes32", "bytes32",
)  # fmt: skip
# Begun, delivered and refunded, by kind; the chains are those where it happens.
_STEPS = MappingProxyType(
    {
        "SWIFT": ("ORDER_CREATED", "ORDER_SETTLED", "ORDER_REFUNDED"),
        "MCTP": ("INITIATED_ON_{here}_MCTP", "REDEEMED_ON_{there}_WITH_FEE", "REFUNDED_ON_{there}_MCTP"),
        "FAST_MCTP": ("INITIATED_ON_{here}_MCTP", "REDEEMED_ON_{there}_WITH_FEE", "REFUNDED_ON_{there}_MCTP"),
        "WH": ("INITIATED_ON_EVM", "{settled}", "REFUNDED_ON_EVM"),
    }
)
_SERVICES = MappingProxyType({"SWIFT": "SWIFT_SWAP", "MCTP": "MCTP_BRIDGE", "FAST_MCTP": "MCTP_FAST_BRIDGE"})
_SETTLED = (
    "SETTLED_ON_SOLANA REDEEMED_ON_EVM REDEEMED_ON_APTOS SWAPPED_ON_EVM_MCTP SWAPPED_ON_SUI_MCTP "
    "SETTLED_ON_SOLANA_MCTP REDEEMED_ON_SUI_WITH_FEE REDEEMED_ON_EVM_WITH_FEE REDEEMED_ON_SOL_WITH_FEE "
    "REDEEMED_ON_SOLANA_WITH_FEE REDEEMED_ON_SUI_WITH_LOCKED_FEE REDEEMED_ON_EVM_WITH_LOCKED_FEE "
    "REDEEMED_ON_SOL_WITH_LOCKED_FEE MCTP_FEE_UNLOCKED ORDER_SETTLED ORDER_UNLOCKED SWAP_LAYER_ORDER_SETTLED"
)
_RETURNED = (
    "REFUNDED_ON_EVM REFUNDED_ON_SOLANA REFUNDED_ON_SOLANA_MCTP REFUNDED_ON_EVM_MCTP REFUNDED_ON_SUI_MCTP "
    "ORDER_REFUNDED"
)
_UNDER_WAY = (
    "INITIATED_ON_EVM TRANSFER_VAA_SIGNED SWAP_VAA_SIGNED SUBMITTED_ON_SOLANA CLAIMED_ON_SOLANA SWAPPED_ON_SOLANA "
    "INITIATED_ON_EVM_MCTP INITIATED_ON_SOLANA_MCTP SUBMITTED_ON_SOLANA_MCTP CIRCLE_ATTESTATION_ACQUIRED "
    "CLAIMED_ON_SOLANA_MCTP SWAPPED_ON_SOLANA_MCTP ORDER_SUBMITTED ORDER_CREATED ORDER_FULFILLED ORDER_EXPIRED "
    "ORDER_CANCELED REDEEM_SEQUENCE_RECEIVED REDEEM_VAA_SIGNED REFUND_SEQUENCE_RECEIVED REFUND_VAA_SIGNED"
)
SETTLED, RETURNED = frozenset(_SETTLED.split()), frozenset(_RETURNED.split())
WORDS = (*_UNDER_WAY.split(), *sorted(SETTLED), *sorted(RETURNED), "FAILED", "CANCELED")
"""The words that the explorer can be told to answer; the last two are words of ``clientStatus``."""


@dataclass(frozen=True, slots=True)
class Order:
    """A deposit's order: receiver, token, minimum (raw units), the fees taken off the input, native in wei."""

    kind: str
    origin: Asset
    destination: Asset
    receiver: str
    trader: str
    minimum: int
    fees: int = 0
    refund_fee: int = 0
    bridged: bool = False
    redeem_fee: int = 0
    drop: int = 0


@dataclass(frozen=True, slots=True)
class Orders:
    """Decodes deposits: ``kinds`` by the address of the protocol's contract or program, chains by their IDs."""

    offers: Offers
    kinds: Mapping[str, str]
    by_chain: Mapping[int, Deployment]

    def read(self, deposit: Deposit) -> Order:
        """Decode a deposit; raise ValueError or LookupError for one that cannot be served."""
        deployment, kind = self.by_chain[deposit.chain_id], self.kinds[deposit.contract]
        origin = _known(asset_of(deployment, deposit.token))
        if deployment.on_solana:
            return self._from_solana(kind, origin, deposit)
        if kind == "SWIFT":
            trader, receiver, chain, token, minimum, drop = decode_args(_SWIFT, deposit.terms)
            destination = self._asset(chain, token)
            least = int(str(minimum)) * _unit(destination)
            paid, drop = destination.deployment.address(receiver), int(str(drop)) * 10**10
            return Order(kind, origin, destination, paid, deployment.address(trader), least, drop=drop)
        if kind == "WH":
            trader, receiver, chain, token, home, unwrap, minimum, fee, *_ = decode_args(_WORMHOLE, deposit.terms)
            if home != chain:
                raise ValueError("its output is at home elsewhere")
            destination = self._asset(chain, bytes(32) if unwrap else token)
            unit = _unit(destination)
            numbers = int(str(minimum)) * unit, int(str(fee)) * unit
            paid = destination.deployment.address(receiver)
            return Order(kind, origin, destination, paid, deployment.address(trader), numbers[0], redeem_fee=numbers[1])
        receiver, chain, orders, token, minimum, fees, refund = decode_args(_CIRCLE, deposit.terms)
        there = self._named(chain)
        destination = self._asset(chain, token) if orders else _known(asset_of(there, there.usdc))
        paid = there.address(receiver)
        return Order(
            kind, origin, destination, paid, paid, int(str(minimum)) * _unit(destination), int(str(fees)),
            int(str(refund)), not orders,
        )  # fmt: skip

    def _from_solana(self, kind: str, origin: Asset, deposit: Deposit) -> Order:
        read = read_terms(kind, deposit.terms)
        there = self._named(read.chain)
        bridged = read.token_out is None
        destination = _known(asset_of(there, there.usdc)) if bridged else self._asset(read.chain, read.token_out)
        receiver = there.address(read.receiver)
        # An amount that Circle has transferred cannot come back.
        trader = deposit.depositor if kind == "SWIFT" else receiver
        least = read.minimum * _unit(destination)
        return Order(
            kind, origin, destination, receiver, trader, least, read.fees, read.refund_fee, bridged,
            drop=read.drop * 10**10,
        )  # fmt: skip

    async def payment(self, deposit: Deposit) -> Payment:
        """Return a deposit's payment at present prices; raise ValueError if it is below the order's minimum."""
        order = self.read(deposit)
        try:
            amount = await self._output(order, deposit.amount)
        except NoMarket as error:
            raise ValueError("no market") from error
        if amount + order.redeem_fee < order.minimum:
            raise ValueError(f"nobody pays {order.minimum} for it")
        return Payment(
            order.destination.deployment.chain.id, order.destination.address, order.receiver, amount, order.trader
        )  # fmt: skip

    async def _output(self, order: Order, amount: int) -> int:
        left = amount - order.fees
        if order.bridged:
            return left if order.kind == "MCTP" else without(left, SHARE_BPS)
        if order.kind == "FAST_MCTP":
            return await self.offers.across(
                order.origin, order.origin.address, order.destination, without(left, SHARE_BPS)
            )
        gross = await self.offers.across(order.origin, order.origin.address, order.destination, left)
        if order.kind == "WH":
            return gross - order.redeem_fee
        return without(gross, SHARE_BPS) - await self.offers.drop_price(order.destination, order.drop)

    def _named(self, name: object) -> Deployment:
        """Find a chain by Wormhole's ID or Circle's."""
        return next(each for each in self.by_chain.values() if name in (each.wormhole, each.domain))

    def _asset(self, chain: object, token: object) -> Asset:
        deployment = self._named(chain)
        return _known(asset_of(deployment, deployment.native if token == bytes(32) else deployment.address(token)))


@dataclass
class Relayers(Solver):
    """A solver that refunds as Mayan does: an amount that Circle transferred is paid out on the destination.

    ``protocols`` are the contracts on EVM chains, by kind.
    """

    orders: Orders | None = field(default=None)
    protocols: Mapping[str, str] = field(default_factory=dict)

    async def _pay(self, dealing: Dealing, payment: Payment, *, refund: bool) -> None:
        order = None if self.orders is None else self.orders.read(dealing.deposit)
        if not refund and order is not None and order.drop:
            return await self._pay_with_drop(dealing, payment, order)
        if not refund or order is None or order.kind not in ("MCTP", "FAST_MCTP"):
            return await super()._pay(dealing, payment, refund=refund)
        deployment = order.destination.deployment
        left = dealing.deposit.amount - order.refund_fee
        dealing.refund_tx = await self._transfer(deployment.chain.id, deployment.usdc, payment.receiver, left)
        dealing.state = DepositState.REFUNDED
        return None

    async def _pay_with_drop(self, dealing: Dealing, payment: Payment, order: Order) -> None:
        """Deliver by the protocol's contract on the destination, which asks for the native with the output."""
        # Of an order that began on Solana the deposit's contract is a program there.
        contract, payer = self.protocols[order.kind], self.world.solver(payment.chain_id)
        await payer.send(payment.token, encoded("approve(address,uint256)", contract, payment.amount))
        call = encoded(
            "makePayments(address,uint256,address,uint64)",
            *(payment.token, payment.amount, payment.receiver, order.drop // 10**10),
        )
        dealing.fill_tx = await payer.send(contract, call, order.drop)
        dealing.state = DepositState.FILLED


def explorer_answer(orders: Orders, dealing: Dealing, word: str | None) -> dict[str, object]:
    """Write a transfer in the explorer's form; ``word`` replaces its status."""
    deposit, order = dealing.deposit, orders.read(dealing.deposit)
    origin, destination = order.origin, order.destination
    status, client = _words(order, dealing.state) if word is None else forced(word)
    circled = order.kind in ("MCTP", "FAST_MCTP")
    back = destination if circled else origin
    paid = dealing.payment.amount if dealing.payment is not None else order.minimum
    return {
        "id": deposit.reference[2:38],
        "trader": order.trader,
        "sourceTxHash": deposit.tx_hash,
        "sourceChain": str(origin.deployment.wormhole),
        "destChain": str(destination.deployment.wormhole),
        "destAddress": order.receiver,
        "status": status,
        "clientStatus": client,
        "service": _SERVICES.get(order.kind, "WH_SWAP"),
        "fromAmount": f"{human(deposit.amount, origin.decimals):f}",
        "toAmount": f"{human(paid, destination.decimals):f}",
        "fromTokenAddress": origin.contract,
        "fromTokenSymbol": origin.symbol,
        "toTokenAddress": destination.contract,
        "toTokenSymbol": destination.symbol,
        "orderHash": deposit.reference if order.kind == "SWIFT" else None,
        "fulfillTxHash": dealing.fill_tx,
        "redeemTxHash": dealing.fill_tx,
        "refundTxHash": dealing.refund_tx,
        "gasDrop": f"{human(order.drop // 10**10, 8):f}",
        "refundChain": str(back.deployment.wormhole) if dealing.refund_tx else None,
        "initiatedAt": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z"),
    }


def forced(word: str) -> tuple[str, str]:
    """Return both words of a forced status."""
    if word in ("FAILED", "CANCELED"):
        return "ORDER_CREATED", word
    client = "COMPLETED" if word in SETTLED else "REFUNDED" if word in RETURNED else "INPROGRESS"
    return word, client


def _words(order: Order, state: DepositState) -> tuple[str, str]:
    here, there = ("SOLANA" if asset.deployment.on_solana else "EVM" for asset in (order.origin, order.destination))
    settled = "SETTLED_ON_SOLANA" if order.destination.deployment.on_solana else "REDEEMED_ON_EVM"
    begun, done, back = (each.format(here=here, there=there, settled=settled) for each in _STEPS[order.kind])
    match state:
        case DepositState.FILLED:
            return done, "COMPLETED"
        case DepositState.REFUNDED:
            return back, "REFUNDED"
        case _:
            return begun, "FAILED" if state is DepositState.FAILED else "INPROGRESS"


def _unit(asset: Asset) -> int:
    return int(10 ** max(0, asset.decimals - 8))


def _known(asset: Asset | None) -> Asset:
    if asset is None:
        raise LookupError("not a token of the sandbox")
    return asset
