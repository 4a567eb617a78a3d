"""What Mayan's emulator offers for an amount, by kind, at the pools' prices."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rhumbline.devnet.upstreams.market import Market
from rhumbline.devnet.upstreams.mayan.deployments import (
    REDEEM_FEE,
    SHARE_BPS,
    SOLANA_FEE,
    Asset,
    Deployment,
    human,
    without,
)
from rhumbline.devnet.upstreams.trades import NoMarket
from rhumbline.domain.chain import NATIVE_EVM

_FINALITY = 1000


@dataclass(frozen=True, slots=True)
class Offer:
    """A quote's numbers in raw units: output and minimum; in between ``middle`` of ``middle_token``."""

    output: int
    minimum: int
    middle: int
    least_middle: int
    fields: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Offers:
    """The market, and the protocol contracts and programs by kind."""

    market: Market
    contracts: Mapping[str, str]
    programs: Mapping[str, str]

    async def offer(
        self, kind: str, origin: Asset, destination: Asset, amount: int, slippage: int, drop: int = 0
    ) -> Offer:
        """Return a kind's offer with ``drop`` wei of native on arrival; raise NoMarket if it has none."""
        if kind == "SWIFT":
            return await self._swift(origin, destination, amount, slippage, drop)
        if drop:
            raise NoMarket("the others bring no native on the sandbox")
        match kind:
            case "MCTP":
                return await self._mctp(origin, destination, amount, slippage)
            case "FAST_MCTP":
                return await self._fast(origin, destination, amount, slippage)
            case _:
                return await self._wormhole(origin, destination, amount, slippage)

    async def across(self, origin: Asset, token: str, destination: Asset, amount: int) -> int:
        """Return the output for an amount of a token on the origin's chain; raise NoMarket."""
        chains = origin.deployment.chain.id, destination.deployment.chain.id
        if amount <= 0:
            raise NoMarket("nothing is left of it")
        return await self.market.quote_across(chains[0], token, chains[1], destination.address, amount)

    async def drop_price(self, destination: Asset, drop: int) -> int:
        """Return what native on arrival takes of an output, by the pools there; raise NoMarket."""
        deployment = destination.deployment
        if not drop or destination.address == deployment.weth:
            return drop
        sold = await self.market.quote(deployment.chain.id, deployment.native, destination.address, drop)
        return sold.amount_out

    def _contract(self, kind: str, deployment: Deployment) -> str:
        return self.programs[kind] if deployment.on_solana else self.contracts[kind]

    async def _middle(self, origin: Asset, amount: int, token: str) -> int:
        if origin.address == token:
            return amount
        return (await self.market.quote(origin.deployment.chain.id, origin.address, token, amount)).amount_out

    async def _swift(self, origin: Asset, destination: Asset, amount: int, slippage: int, drop: int) -> Offer:
        deployment = origin.deployment
        # Native input is wrapped one to one; on Solana the program takes it as it is.
        whole = origin.is_native or origin.address in (deployment.usdc, deployment.weth)
        whole = whole or (deployment.on_solana and origin.symbol == "USDT")
        token = deployment.weth if origin.is_native else origin.address if whole else deployment.usdc
        taken = NATIVE_EVM if origin.is_native and deployment.on_solana else _written(deployment, token)
        decimals = origin.decimals if whole else 6
        middle = amount if whole else await self._middle(origin, amount, token)
        output = without(await self.across(origin, token, destination, middle), SHARE_BPS)
        output = positive(output - await self.drop_price(destination, drop))
        fee = max(1, middle // 10 ** max(0, decimals - 8) // 5_000)
        fields = {
            "swiftMayanContract": self._contract("SWIFT", deployment),
            "swiftVersion": "V2",
            "swiftAuctionMode": 2,
            "swiftInputContract": taken,
            "swiftInputDecimals": decimals,
            "swiftInputContractStandard": "spl" if deployment.on_solana else "erc20",
            "swiftVerifiedInputAddress": "",
            "cancelRelayerFee64": str(fee),
            "refundRelayerFee64": str(fee),
            "submitRelayerFee64": "0",
            "protocolBps": SHARE_BPS,
            "etaSeconds": 10,
        }
        least = middle if whole else without(middle, slippage)
        return Offer(output, without(output, slippage), middle, least, fields)

    async def _mctp(self, origin: Asset, destination: Asset, amount: int, slippage: int) -> Offer:
        deployment = origin.deployment
        if origin.is_native and deployment.message_fee:
            raise NoMarket("the message would have to be paid out of the input")
        middle = await self._middle(origin, amount, deployment.usdc)
        orders = destination.address != destination.deployment.usdc
        locked = not orders and not deployment.message_fee and not destination.deployment.on_solana
        output = middle - REDEEM_FEE
        if orders:
            output = without(await self.across(origin, deployment.usdc, destination, output), SHARE_BPS)
        fields = {
            "mctpMayanContract": self._contract("MCTP", deployment),
            "mctpInputContract": _written(deployment, deployment.usdc),
            "mctpOutputContract": _written(destination.deployment, destination.deployment.usdc),
            "solanaRelayerFee64": str(SOLANA_FEE) if deployment.on_solana else None,
            "hasAuction": orders,
            "cheaperChain": deployment.name if locked else destination.deployment.name,
            "lockFeesOnSource": locked,
            "redeemRelayerFee": human(REDEEM_FEE, 6),
            "redeemRelayerFee64": str(REDEEM_FEE),
            "bridgeFee": human(0 if locked else deployment.message_fee, 18),
            "protocolBps": SHARE_BPS if orders else 0,
            "etaSeconds": 900,
        }
        return _circled(origin, middle, output, slippage, fields, bridged=not orders)

    async def _fast(self, origin: Asset, destination: Asset, amount: int, slippage: int) -> Offer:
        deployment = origin.deployment
        middle = await self._middle(origin, amount, deployment.usdc)
        circle = middle * 13 // 100_000 + 1
        orders = destination.address != destination.deployment.usdc
        output = middle - REDEEM_FEE - circle
        if orders:
            output = await self.across(origin, deployment.usdc, destination, without(output, SHARE_BPS))
        else:
            output = without(output, SHARE_BPS)
        fields = {
            "fastMctpMayanContract": self._contract("FAST_MCTP", deployment),
            "fastMctpInputContract": _written(deployment, deployment.usdc),
            "solanaRelayerFee64": str(SOLANA_FEE) if deployment.on_solana else None,
            "fastMctpMinFinality": _FINALITY,
            "circleMaxFee64": str(circle),
            "hasAuction": orders,
            "redeemRelayerFee": human(REDEEM_FEE, 6),
            "redeemRelayerFee64": str(REDEEM_FEE),
            "refundRelayerFee64": str(REDEEM_FEE),
            "protocolBps": SHARE_BPS,
            "etaSeconds": 20,
        }
        return _circled(origin, middle, output, slippage, fields, bridged=not orders)

    async def _wormhole(self, origin: Asset, destination: Asset, amount: int, slippage: int) -> Offer:
        deployment = origin.deployment
        if deployment.on_solana:
            raise NoMarket("left out from Solana")
        carried = amount - (2 * deployment.message_fee if origin.is_native else 0)
        gross = await self.across(origin, origin.address, destination, carried)
        unit = 10 ** max(0, destination.decimals - 8)
        redeem = max(1, gross // unit // 1_000) * unit
        fee = human(max(1, amount // 5_000), origin.decimals)
        fields = {
            "whMayanContract": self.contracts["WH"],
            "swapRelayerFee": fee,
            "refundRelayerFee": fee,
            "redeemRelayerFee": human(redeem, destination.decimals),
            "bridgeFee": human(2 * deployment.message_fee, 18),
            "etaSeconds": 1200,
        }
        return Offer(gross - redeem, without(gross, slippage), amount, amount, fields)


def positive(output: int) -> int:
    """Return an output; raise NoMarket for none."""
    if output <= 0:
        raise NoMarket("nothing is left of it")
    return output


def _circled(
    origin: Asset, middle: int, output: int, slippage: int, fields: Mapping[str, object], *, bridged: bool
) -> Offer:
    """Return an offer over Circle; it pays exactly the amount less its fees, after a swap at least that."""
    if output <= 0:
        raise NoMarket("the fees take all of it")
    swapped = origin.address != origin.deployment.usdc
    least = without(middle, slippage) if swapped else middle
    minimum = output - (middle - least) if bridged else without(output, slippage)
    return Offer(output, minimum, middle, least, fields)


def _written(deployment: Deployment, token: str) -> str:
    return token if deployment.on_solana else token.lower()
