"""An emulator of OKX DEX's Swap API v6: its ``/swap``, signed, whose quote already contains the call.

The vendor's pages on the swap, on signing and on error codes, read 2026-11-21, and a printed reply of 2026-03-18, whose
fields and order are used. Every request must have the three credentials and a signature over exactly its content, with
a time at most half a minute off (that tolerance is the exchange's; the pages of this API name none).
"""

import time
from collections.abc import Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType
from typing import ClassVar

from aiohttp import web
from eth_utils.crypto import keccak

from rhumbline.devnet.upstreams.behaviour import Fails, Failure, Lie
from rhumbline.devnet.upstreams.emulator import Emulator, answer, received
from rhumbline.devnet.upstreams.okx import svm_transaction
from rhumbline.devnet.upstreams.okx.router_call import (
    APPROVE_PROXY,
    APPROVED,
    NATIVE,
    NEXT_ROUTER,
    ROUTER,
    router_call,
)
from rhumbline.devnet.upstreams.okx.signature import CREDENTIALS, admit
from rhumbline.devnet.upstreams.parameters import (
    AMOUNT,
    BOOLEAN,
    Parameters,
    anything,
    evm_address,
    one_of,
    pattern,
    refusal,
)
from rhumbline.devnet.upstreams.trades import Trade, ours
from rhumbline.gateways.evm.address import checksummed

_TEN_MINUTES_S = 600
_PERCENT = pattern(r"[0-9]{1,3}(\.[0-9]{1,4})?")


def _failure(status: int, code: int, message: str) -> Failure:
    return Failure(status, {"code": str(code), "msg": message, "data": []})


def _empty(name: str) -> Fails:
    return Fails("parameter_empty", _failure(400, 50014, f"Parameter {name} cannot be empty").body)


def _lower_address(value: object) -> bool:
    return evm_address(value) and value == str(value).lower()


_SWAP = Parameters(
    {
        "chainIndex": anything,
        "amount": AMOUNT,
        "swapMode": one_of("exactIn"),
        "fromTokenAddress": evm_address,
        "toTokenAddress": evm_address,
        "slippagePercent": lambda value: _PERCENT(value) and Decimal(value) <= 100,
        "userWalletAddress": _lower_address,
    },
    {
        "swapReceiverAddress": _lower_address,
        "disableRFQ": BOOLEAN,
    },
    wrong=refusal("parameter_error", userWalletAddress="wallet_invalid", swapReceiverAddress="receiver_invalid"),
    unknown=refusal("parameter_error"),
    missing=_empty,
    empty_is_missing=True,
)


_QUOTE = Parameters(
    {
        "chainIndex": anything,
        "amount": AMOUNT,
        "swapMode": one_of("exactOut"),
        "fromTokenAddress": evm_address,
        "toTokenAddress": evm_address,
    },
    {},
    wrong=refusal("parameter_error"),
    unknown=refusal("parameter_error"),
    missing=_empty,
    empty_is_missing=True,
)
"""Prices are asked for outputs alone: for an input ``/swap`` has them too."""


class Okx(Emulator):
    """OKX DEX on the sandbox's pools."""

    key = "OKX"
    failures: ClassVar[Mapping[str, Failure]] = MappingProxyType(
        {
            "rate_limited": _failure(429, 50011, "Rate limit reached. Please refer to API documentation"),
            "parameter_empty": _failure(400, 50014, "Parameter amount cannot be empty"),
            "system": _failure(500, 50026, "System error. Try again later"),
            "key_empty": _failure(401, 50103, 'Request header "OK-ACCESS-KEY" cannot be empty'),
            "passphrase_empty": _failure(401, 50104, 'Request header "OK-ACCESS-PASSPHRASE" cannot be empty'),
            "passphrase_wrong": _failure(401, 50105, 'Request header "OK-ACCESS-PASSPHRASE" incorrect'),
            "sign_empty": _failure(401, 50106, 'Request header "OK-ACCESS-SIGN" cannot be empty'),
            "timestamp_empty": _failure(401, 50107, 'Request header "OK-ACCESS-TIMESTAMP" cannot be empty'),
            "key_invalid": _failure(401, 50111, "Invalid OK-ACCESS-KEY"),
            "timestamp_invalid": _failure(401, 50112, "Invalid OK-ACCESS-TIMESTAMP"),
            "signature_invalid": _failure(401, 50113, "Invalid signature"),
            "no_access": _failure(401, 50125, "No access to this API"),
            "parameter_error": _failure(400, 51000, "Parameter amount error"),
            "repeated": _failure(200, 80000, "Repeated request"),
            "calldata_too_long": _failure(200, 80001, "CallData exceeds the maximum limit. Try again in 5 minutes."),
            "risk": _failure(200, 81362, "Risk warning"),
            "no_liquidity": _failure(200, 82000, "Insufficient liquidity"),
            "commission_down": _failure(500, 82001, "The commission service is not available during the upgrade"),
            "below_minimum": _failure(200, 82102, "Less than the minimum quantity limit,the minimum amount is 10"),
            "above_maximum": _failure(200, 82103, "Exceeds than the maximum quantity limit,the maximum amount is 9"),
            "token_unsupported": _failure(200, 82104, "This token is not supported"),
            "chain_unsupported": _failure(200, 82105, "This chain is not supported"),
            "value_lost": _failure(200, 82112, "The value difference is higher than 90%, which may cause asset loss"),
            "blacklisted": _failure(200, 82200, "Address is blacklisted"),
            "wallet_invalid": _failure(200, 82201, "Wallet address is invalid: convert EVM to lowercase"),
            "receiver_invalid": _failure(200, 82202, "Receiver address is invalid"),
            "build_failed": _failure(200, 82500, "Calldata build failed"),
            "no_route": _failure(200, 0, ""),
        }
    )  # fmt: skip
    lies = frozenset(Lie) - {Lie.OTHER_REFUND}
    secrets = CREDENTIALS
    settlements = MappingProxyType(
        {
            ROUTER: "OkxRouter",
            NEXT_ROUTER: "OkxRouter",
            APPROVED: "OkxTokenApprove",
            APPROVE_PROXY: "OkxTokenApproveProxy",
        }
    )
    svm_programs = MappingProxyType({svm_transaction.PROGRAM: "okx"})
    router = ROUTER
    """The router that calls go to."""

    def routes(self) -> Sequence[web.AbstractRouteDef]:
        folder = "/api/v6/dex/aggregator"
        return [
            web.get(f"{folder}/quote", self._quote),
            web.get(f"{folder}/swap", self._swap),
            web.get(f"{folder}/swap-instruction", self._swap_instruction),
            web.get(f"{folder}/supported/chain", self._chains),
        ]

    def deployments(self) -> Mapping[int, Mapping[str, object]]:
        places: dict[str, object] = {"routers": (ROUTER,), "token_approve": APPROVED, "takes_outputs": True}
        on_solana: dict[str, object] = {"routers": (svm_transaction.PROGRAM,), "index": svm_transaction.INDEX}
        return {**dict.fromkeys(self.world.evm_chains, places), **dict.fromkeys(self.world.nodes, on_solana)}

    async def install(self) -> None:
        """Install the contracts at the real addresses, each with the next one's address."""
        await super().install()
        for number in self.world.evm_chains:
            await self.world.store(number, APPROVED, 0, int(APPROVE_PROXY, 16))
            await self.world.store(number, APPROVE_PROXY, 1, int(APPROVED, 16))
            for router in (ROUTER, NEXT_ROUTER):
                await self.world.store(number, router, 0, int(APPROVE_PROXY, 16))
                await self.list_router(number, router, listed=True)
        for node in self.world.nodes.values():
            await svm_transaction.store_tables(node)

    async def list_router(self, number: int, router: str, *, listed: bool) -> None:
        """Add a router to a chain's list, or remove it."""
        slot = int.from_bytes(keccak(int(router, 16).to_bytes(32) + bytes(32)))
        await self.world.store(number, APPROVE_PROXY, slot, int(listed))

    async def _quote(self, request: web.Request) -> web.Response:
        """Answer the terms of the swap that brings an output."""
        asked = received(request)
        admit(asked)
        query = _QUOTE.query(asked)
        chain_id = self.chain_by_number(query["chainIndex"], "chain_unsupported")
        tokens = query["fromTokenAddress"], query["toTokenAddress"]
        named = self._known(chain_id, *tokens)
        trade = await self.trade_for(chain_id, *named, int(query["amount"]), none="no_liquidity")
        found = {**self._result(chain_id, tokens, trade), "swapMode": "exactOut"}
        return answer({"code": "0", "data": [found], "msg": ""})

    async def _swap(self, request: web.Request) -> web.Response:
        asked = received(request)
        admit(asked)
        query = _SWAP.query(asked)
        chain_id = self.chain_by_number(query["chainIndex"], "chain_unsupported")
        tokens = query["fromTokenAddress"], query["toTokenAddress"]
        trade = await self._trade(chain_id, *tokens, int(query["amount"]))
        slippage = Decimal(query["slippagePercent"])
        minimum = int(trade.amount_out * (100 - slippage) / 100)
        user = query["userWalletAddress"]
        receiver = query.get("swapReceiverAddress", user)
        # Without transactions a sandbox chain's time stands still, but the caller's clock does not.
        deadline = max(await self.world.block_time(chain_id), int(time.time())) + _TEN_MINUTES_S
        call = router_call(trade, user, receiver, minimum, deadline, self.behaviour.lie, self.router)
        data = {
            "routerResult": self._result(chain_id, tokens, trade),
            "tx": {
                "data": "0x" + call.hex(),
                "from": user,
                "gas": str(_gas(trade) * 3 // 2),
                "gasPrice": "1000000000",
                "maxPriorityFeePerGas": "1000000",
                "minReceiveAmount": str(minimum),
                "signatureData": [""],
                "slippagePercent": query["slippagePercent"],
                "to": self.entry(self.router).lower(),
                "value": self.value(trade),
            },
        }
        return answer({"code": "0", "data": [data], "msg": ""})

    async def _swap_instruction(self, request: web.Request) -> web.Response:
        asked = received(request)
        admit(asked)
        wanted = svm_transaction.read_request(asked)
        ((_, node),) = self.world.nodes.items()
        if not {wanted.token_in, wanted.token_out} <= {token.address for token in node.chain.tokens.values()}:
            raise Fails("token_unsupported")
        trade = await self.svm_trade(wanted.token_in, wanted.token_out, wanted.amount, none="no_liquidity")
        if not wanted.fits(trade):
            raise Fails("no_liquidity")
        return answer(
            {"code": "0", "data": svm_transaction.instructions_answer(wanted, trade, self.behaviour.lie), "msg": ""}
        )

    async def _chains(self, request: web.Request) -> web.Response:
        admit(received(request))
        rows = [
            {"chainIndex": str(number), "chainName": chain.name, "dexTokenApproveAddress": self.entry(APPROVED).lower()}
            for number, chain in self.world.evm_chains.items()
        ]
        solana = {"chainIndex": "501", "chainName": "Solana", "dexTokenApproveAddress": ""}
        return answer({"code": "0", "data": [*rows, solana], "msg": ""})

    def _result(self, chain_id: int, tokens: tuple[str, str], trade: Trade) -> dict[str, object]:
        return {
            "chainIndex": str(chain_id),
            "contextSlot": 0,
            "dexRouterList": [
                {
                    "dexProtocol": {"dexName": leg.pool.kind, "percent": "100"},
                    "fromToken": self._described(chain_id, leg.token_in),
                    "fromTokenIndex": str(place),
                    "toToken": self._described(chain_id, leg.token_out),
                    "toTokenIndex": str(place + 1),
                }
                for place, leg in enumerate(trade.legs)
            ],
            "estimateGasFee": str(_gas(trade)),
            "fromToken": self._described(chain_id, tokens[0]),
            "fromTokenAmount": str(trade.amount_in),
            "priceImpactPercent": "-0.07",
            "router": "--".join([tokens[0], *(leg.token_out.lower() for leg in trade.legs)]),
            "swapMode": "exactIn",
            "toToken": self._described(chain_id, tokens[1]),
            "toTokenAmount": str(trade.amount_out),
            "tradeFee": "0.01",
        }

    def _described(self, chain_id: int, address: str) -> dict[str, object]:
        """Describe a token in the form of answers, without a price: the sandbox has only the pools' prices."""
        known = {token.address: (symbol, token) for symbol, token in self.world.chain(chain_id).tokens.items()}
        symbol, decimals = "ETH", 18
        if checksummed(address) in known:
            symbol, token = known[checksummed(address)]
            decimals = token.decimals
        return {
            "decimal": str(decimals),
            "isHoneyPot": False,
            "taxRate": "0",
            "tokenContractAddress": address.lower(),
            "tokenSymbol": symbol,
            "tokenUnitPrice": None,
        }

    async def _trade(self, chain_id: int, token_in: str, token_out: str, amount: int) -> Trade:
        return await self.trade(chain_id, *self._known(chain_id, token_in, token_out), amount, none="no_liquidity")

    def _known(self, chain_id: int, token_in: str, token_out: str) -> tuple[str, str]:
        """Return the sandbox's addresses of a pair; raise Fails for tokens that it does not have."""
        known = {NATIVE, *(token.address.lower() for token in self.world.chain(chain_id).tokens.values())}
        if not {token_in, token_out} <= known:
            raise Fails("token_unsupported")
        return ours(token_in, NATIVE), ours(token_out, NATIVE)


def _gas(trade: Trade) -> int:
    return 150_000 + 120_000 * len(trade.legs)
