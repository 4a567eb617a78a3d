"""An emulator of Symbiosis: crossings through its pools of dollars and of ether on its host chain.

API v2 by the vendor's documentation, its SDK's errors and public clients of it, read 2026-11-21. Its contracts on the
origin chain exist here, at their addresses on Ethereum; the host chain is this program.
"""

import time
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from aiohttp import web

from rhumbline.devnet.upstreams.behaviour import Fails, Failure, Lie
from rhumbline.devnet.upstreams.emulator import Emulator, answer, received
from rhumbline.devnet.upstreams.solver import Dealing, Deposit, DepositState, Payment, Solver
from rhumbline.devnet.upstreams.symbiosis.calls import (
    BRIDGE,
    GATEWAY,
    HOST_CHAIN,
    META_ROUTER,
    PORTAL,
    STRANGER,
    UNWRAPPER,
    Order,
    TransitToken,
    read_release,
    route_call,
)
from rhumbline.devnet.upstreams.symbiosis.swap_request import SwapRequest, read_request
from rhumbline.devnet.upstreams.trades import NoMarket
from rhumbline.devnet.upstreams.world import World
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.evm.abi import topic
from rhumbline.gateways.evm.address import checksummed

_POOLS = MappingProxyType(
    {
        "USDC": "0xC3255E317481B95A3e61844c274dE8BAF8eDF397",
        "USDT": "0xC3255E317481B95A3e61844c274dE8BAF8eDF397",
        "DAI": "0xC3255E317481B95A3e61844c274dE8BAF8eDF397",
        "WETH": "0x2d877Fe148dBCB056Bf71ED5232E8d580195c0f1",
    }
)
# A tenth of a dollar, and about as much in ether.
_FEES = MappingProxyType({"USDC": 100_000, "USDT": 100_000, "DAI": 10**17, "WETH": 3 * 10**13})
_WHOLE = 10_000
_LIFE_S = 1_200
_BROADCASTER = "0xd99ac0681b904991169a4f398B9043781ADbe0C3"
_CODES = MappingProxyType({"Not found": -1, "Success": 0, "Pending": 1, "Stucked": 2, "Reverted": 3})
_WORDS = MappingProxyType(
    {
        DepositState.PENDING: "Pending",
        DepositState.FILLED: "Success",
        DepositState.REFUNDED: "Reverted",
        DepositState.FAILED: "Stucked",
    }
)


def _failure(message: str, status: int = 400) -> Failure:
    return Failure(status, {"code": status, "message": message}, on=("/v2/quote",))


class Symbiosis(Emulator):
    """Symbiosis between the sandbox's chains."""

    key = "SYMBIOSIS"
    failures: ClassVar[Mapping[str, Failure]] = MappingProxyType(
        {
            "amount_too_low": _failure("[AmountTooLowError] Amount $0.01 less than minAmount $5"),
            "less_than_fee": _failure("[AmountLessThanFeeError] Amount 0.1 USDC less than fee 0.2 USDC"),
            "amount_too_low_text": _failure("Amount is too low to cover fees"),
            "amount_too_high": _failure("[AmountTooHighError] Amount $900000 more than maxAmount $500000"),
            "slippage_too_low": _failure("[SlippageTooLowError] Slippage cannot be less than 0.2%"),
            "slippage_too_high": _failure("[SlippageTooHighError] Slippage cannot be more than 10%"),
            "price_impact": _failure("[PriceImpactTooHighError] Price impact is too high"),
            "unsupported_pair": _failure("[UnsupportedPairError] Pair is not supported"),
            "no_route": _failure("[NoRouteError] No route"),
            "no_transit_token": _failure("[NoTransitTokenError] Cannot find transitToken token for chain 1"),
            "not_available": _failure("This swap is not available"),
            "invalid_address": _failure("[InvalidAddressError] The to address is invalid"),
            "invalid_body": _failure("Invalid body", 422),
            "rate_limited": Failure(429, {"code": 429, "message": "Too many requests"}),
            "internal": Failure(500, {"code": 500, "message": "Internal server error"}),
            "no_such_path": Failure(404, {"code": 404, "message": "Not found"}, on=("/v2/nothing",)),
        }
    )
    statuses = tuple(_CODES)
    lies = frozenset(Lie)
    settlements = MappingProxyType(
        {META_ROUTER: "SymbiosisMetaRouter", GATEWAY: "SymbiosisMetaRouterGateway", PORTAL: "SymbiosisPortal"}
    )
    no_such_path = "no_such_path"

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.transit_tokens = {
            (transit.chain_id, transit.token, transit.native): transit for transit in self._transit_tokens()
        }
        self.solver = Solver(world, dict.fromkeys(world.evm_chains, (PORTAL,)), self._terms, lambda: self.behaviour)

    def routes(self) -> Sequence[web.AbstractRouteDef]:
        return [
            web.post("/v2/quote", self._quote),
            web.get("/v2/tx/{chain}/{hash}", self._status),
        ]

    async def install(self) -> None:
        """Store the addresses of the entry contract and its gateway in each other."""
        await super().install()
        for chain_id in self.world.evm_chains:
            await self.world.store(chain_id, META_ROUTER, 0, int(GATEWAY, 16))
            await self.world.store(chain_id, GATEWAY, 0, int(META_ROUTER, 16))

    def deployments(self) -> Mapping[int, Mapping[str, object]]:
        return {
            chain_id: {
                "entries": [[META_ROUTER, GATEWAY]],
                "portal": PORTAL,
                "bridge": BRIDGE,
                "transit": [
                    [transit.token, transit.pool, transit.synthetic, transit.index]
                    for transit in self.transit_tokens.values()
                    if transit.chain_id == chain_id and not transit.native
                ],
                "wrapped": self.world.chain(chain_id).contracts["weth9"],
                "unwrapper": UNWRAPPER,
            }
            for chain_id in self.world.evm_chains
        }

    async def run(self) -> None:
        await self.solver.run()

    def _transit_tokens(self) -> list[TransitToken]:
        found: list[TransitToken] = []
        for chain_id, chain in self.world.evm_chains.items():
            for symbol, pool in _POOLS.items():
                synthetic = checksummed(topic(f"synthetic {symbol} of {chain.key}")[12:])
                # A token's index in a pool is the order of creation.
                index = len([each for each in found if each.pool == pool and not each.native])
                transit = TransitToken(chain_id, chain.tokens[symbol].address, False, pool, synthetic, index)
                found.append(transit)
                if symbol == "WETH":
                    found.append(TransitToken(chain_id, transit.token, True, pool, synthetic, index))
        return found

    async def _quote(self, request: web.Request) -> web.Response:
        asked = read_request(received(request).body)
        origin, destination = (self._transit(*token) for token in (asked.given, asked.wanted))
        fee_in, fee_out = (_FEES[self._symbol(transit)] for transit in (origin, destination))
        if asked.amount <= fee_in:
            raise Fails("less_than_fee")
        quoted = await self._pooled(origin, destination, asked.amount - fee_in)
        minimum = quoted * (_WHOLE - asked.slippage) // _WHOLE
        if minimum <= fee_out:
            raise Fails("less_than_fee")
        order = Order(
            origin, destination, asked.amount, fee_in, fee_out, quoted, minimum, int(time.time()) + _LIFE_S,
            asked.wallet, asked.receiver,
            {chain: asked.reverters.get(chain, _BROADCASTER) for chain in self.world.evm_chains},
        )  # fmt: skip
        return answer(self._answered(order, asked))

    def _answered(self, order: Order, asked: SwapRequest) -> dict[str, object]:
        lie, native = self.behaviour.lie, order.origin.native
        value = order.amount if native else 0
        body: dict[str, object] = {
            "type": "evm",
            "kind": "crosschain-swap",
            "labels": ["octopool-swap"],
            "tx": {
                "chainId": order.origin.chain_id,
                "to": STRANGER if lie is Lie.OTHER_ENTRY else META_ROUTER,
                "data": "0x" + route_call(order, lie).hex(),
                "value": str(value + 1 if lie is Lie.MORE_VALUE else value),
            },
            "approveTo": STRANGER if lie is Lie.OTHER_SPENDER else GATEWAY,
            "tokenAmountOut": self._amount(order.destination, order.quoted - order.fee_out),
            "tokenAmountOutMin": self._amount(order.destination, order.minimum - order.fee_out),
            "amountInUsd": self._amount(order.origin, asked.amount),
            "fees": [
                {
                    "provider": "symbiosis",
                    "description": "Cross-chain fee",
                    "value": self._amount(order.origin, order.fee_in)
                    | {"chainId": HOST_CHAIN, "address": order.origin.synthetic},
                },
                {
                    "provider": "symbiosis",
                    "description": "Cross-chain fee",
                    "value": self._amount(order.destination, order.fee_out),
                },
            ],
            "routes": [],
            "priceImpact": "0",
            "estimatedTime": 38,
        }
        return body

    def _transit(self, chain_id: int, address: str) -> TransitToken:
        native = address == NATIVE_EVM
        if chain_id not in self.world.evm_chains:
            raise Fails("unsupported_pair")
        token = self.world.chain(chain_id).contracts["weth9"] if native else address
        transit = self.transit_tokens.get((chain_id, token, native))
        if transit is None:
            raise Fails("no_transit_token")
        return transit

    def _symbol(self, transit: TransitToken) -> str:
        tokens = self.world.chain(transit.chain_id).tokens
        return next(symbol for symbol, token in tokens.items() if token.address == transit.token)

    def _amount(self, transit: TransitToken, amount: int) -> dict[str, object]:
        symbol = self._symbol(transit)
        decimals = self.world.chain(transit.chain_id).tokens[symbol].decimals
        address = "" if transit.native else transit.token
        shown = "ETH" if transit.native else symbol
        return {
            "chainId": transit.chain_id,
            "address": address,
            "amount": str(amount),
            "decimals": decimals,
            "symbol": shown,
        }

    async def _pooled(self, origin: TransitToken, destination: TransitToken, amount: int) -> int:
        """Return the output of the pool on the host chain."""
        if origin.pool != destination.pool or origin.chain_id == destination.chain_id:
            raise Fails("no_route")
        try:
            return await self.world.market.quote_across(
                origin.chain_id, origin.token, destination.chain_id, destination.token, amount
            )
        except NoMarket:
            raise Fails("no_route") from None

    async def _terms(self, deposit: Deposit) -> Payment:
        release = read_release(deposit.terms)
        origin = self.transit_tokens[deposit.chain_id, deposit.token, False]
        destination = next(
            transit
            for transit in self.transit_tokens.values()
            if transit.synthetic == release.synthetic and not transit.native
        )
        given = await self._pooled(origin, destination, deposit.amount - release.fee_in)
        if destination.chain_id != release.chain_id or given < release.minimum:
            raise ValueError("the pool gives less than the minimum")
        token = NATIVE_EVM if release.native else destination.token
        return Payment(release.chain_id, token, release.receiver, given - release.fee_out, deposit.depositor)

    async def _status(self, request: web.Request) -> web.Response:
        chain, tx_hash = request.match_info["chain"], request.match_info["hash"].lower()
        if not chain.isdigit() or int(chain) not in self.world.evm_chains:
            raise Fails("no_such_path")
        chain_id, dealing = int(chain), self.solver.of_transaction(tx_hash)
        mined = await self.world.rpc(chain_id).call("eth_getTransactionReceipt", [tx_hash]) is not None
        here = {"hash": tx_hash, "chainId": chain_id}
        # A transfer that is not indexed yet is called a success, because of its first transaction.
        word = "Success" if dealing is None and mined else "Not found"
        word = word if dealing is None else _WORDS[dealing.state]
        newest: dict[str, object] | None = here if mined else None
        if dealing is not None:
            newest = self._newest(dealing, here)
        forced = self.behaviour.status
        if forced == "Success" and (newest is None or newest["chainId"] == chain_id):
            newest = {"hash": tx_hash, "chainId": next(each for each in self.world.evm_chains if each != chain_id)}
        return answer(
            {
                "status": {"code": _CODES[forced or word], "text": forced or word},
                "tx": newest,
                "txIn": here if mined else None,
                "transitTokenSent": None,
            }
        )

    def _newest(self, dealing: Dealing, here: dict[str, object]) -> dict[str, object]:
        payment = dealing.payment
        if payment is None or dealing.state not in (DepositState.FILLED, DepositState.REFUNDED):
            return here
        if dealing.state is DepositState.REFUNDED:
            return {"hash": dealing.refund_tx, "chainId": dealing.deposit.chain_id}
        native = payment.token == NATIVE_EVM
        token = self.world.chain(payment.chain_id).contracts["weth9"] if native else payment.token
        transit: Any = self.transit_tokens[payment.chain_id, token, native]
        amount = self._amount(transit, payment.amount)
        return {"hash": dealing.fill_tx, "chainId": payment.chain_id, "tokenAmount": amount}
