"""The answer of Across's Swap API on the sandbox, with a transaction that executes.

A token on both chains is a bare deposit into the SpokePool, a native input goes through the periphery. An output that
must be wrapped, unwrapped or traded on arrival carries a message to the handler contract, as with the real API. Source:
``api/swap/_utils.ts``, ``api/_dexes/utils.ts`` and ``api/swap/approval/_utils.ts``, 2026-02, read 2026-11-21.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from rhumbline.devnet.upstreams.across.query import sides
from rhumbline.devnet.upstreams.across.svm_transaction import solana_transaction
from rhumbline.devnet.upstreams.across.terms import (
    FILL_TIME_S,
    QUOTE_AGE_S,
    STRANGER,
    Fees,
    Side,
    Terms,
    deposit_data,
    fees_of,
    largest,
    lied,
    native_data,
    smallest,
    terms_of,
)
from rhumbline.devnet.upstreams.behaviour import Fails, Lie
from rhumbline.devnet.upstreams.trades import NoMarket
from rhumbline.devnet.upstreams.world import World
from rhumbline.domain.chain import NATIVE_EVM

_HANDLED = b"\x01"
"""Stands for the handler's instructions, which nothing in the sandbox executes."""


@dataclass(frozen=True, slots=True)
class CheckedRequest:
    """A checked query: both sides in wrapped tokens, and whether native assets are meant."""

    query: Mapping[str, str]
    origin: Side
    destination: Side
    native_in: bool
    native_out: bool

    @property
    def traded(self) -> bool:
        """Whether the tokens differ."""
        return self.origin.symbol != self.destination.symbol


async def swap_answer(world: World, query: Mapping[str, str], lie: Lie | None) -> dict[str, object]:
    """Answer ``/swap/approval``; raise Fails."""
    asked = _asked(world, query)
    amount = int(query["amount"])
    landing = _landing(asked)
    fees = fees_of(asked.origin, amount)
    if amount <= fees.total:
        raise Fails("amount_too_low")
    if amount < smallest(asked.origin):
        raise Fails("amount_too_low")
    if amount > await largest(world, landing):
        raise Fails("amount_too_high")
    honest = await terms_of(
        *(world, asked.origin, landing, amount),
        depositor=query.get("refundAddress", query["depositor"]),
        recipient=query.get("recipient", query["depositor"]),
    )
    if not await _bare(world, asked):
        honest = replace(honest, recipient=landing.chain.contracts["multicall_handler"], message=_HANDLED)
    return await _body(world, asked, honest, lie, fees)


def _asked(world: World, query: Mapping[str, str]) -> CheckedRequest:
    natives = [query[name] == NATIVE_EVM for name in ("inputToken", "outputToken")]
    wrapped = dict(query)
    ends = (("inputToken", "originChainId"), ("outputToken", "destinationChainId"))
    for (token, chain), native in zip(ends, natives, strict=True):
        if native and int(query[chain]) in world.evm_chains:
            wrapped[token] = world.chain(int(query[chain])).contracts["weth9"]
    # It trades, and it converts decimals by itself.
    origin, destination = sides(world, {**wrapped, "allowUnmatchedDecimals": "true"}, same_token=False)
    return CheckedRequest(query, origin, destination, *natives)


def _landing(asked: CheckedRequest) -> Side:
    """Return the token that is bridged to: the same one on the destination."""
    chain = asked.destination.chain
    return Side(chain, asked.origin.symbol, chain.tokens[asked.origin.symbol])


async def _bare(world: World, asked: CheckedRequest) -> bool:
    """Return whether a plain deposit suffices: no trade, and no native asset that would arrive in another form."""
    if asked.traded:
        return False
    if asked.destination.symbol != "WETH" or asked.destination.on_solana:
        return True
    recipient = asked.query.get("recipient", asked.query["depositor"])
    is_contract = bool(await world.rpc(asked.destination.chain.id).code(recipient))
    return is_contract is not asked.native_out


async def _body(world: World, asked: CheckedRequest, honest: Terms, lie: Lie | None, fees: Fees) -> dict[str, object]:
    token_in = asked.origin.place(NATIVE_EVM if asked.native_in else None)
    token_out = asked.destination.place(NATIVE_EVM if asked.native_out else None)
    steps: dict[str, object] = {"bridge": _bridge(asked, honest, fees)}
    output = minimum = honest.output
    if asked.traded:
        output, minimum, steps["destinationSwap"] = await _destination_swap(world, asked, honest.output)
    entry = asked.origin.chain.contracts["spoke_pool_periphery"] if asked.native_in else asked.origin.pool
    # On Solana the lie is in the transaction itself.
    told = None if asked.origin.on_solana else lie
    value = (honest.amount if asked.native_in else 0) + (told is Lie.MORE_VALUE)
    token = NATIVE_EVM if asked.native_in else asked.origin.token.address
    spender = STRANGER if told is Lie.OTHER_SPENDER else entry
    allowance = {"token": token, "spender": spender, "actual": "0", "expected": str(honest.amount)}
    return {
        "crossSwapType": "bridgeableToAny" if asked.traded else "bridgeableToBridgeable",
        "amountType": asked.query.get("tradeType", "exactInput"),
        "checks": {
            "allowance": allowance,
            "balance": {"token": token, "actual": "0", "expected": str(honest.amount)},
        },
        "steps": steps,
        "inputToken": token_in,
        "outputToken": token_out,
        "refundToken": asked.origin.place(),
        "fees": {"total": {"amount": str(fees.total), "pct": _pct(fees.total, honest.amount), "token": token_in}},
        "inputAmount": str(honest.amount),
        "maxInputAmount": str(honest.amount),
        "expectedOutputAmount": str(output),
        "minOutputAmount": str(minimum),
        "expectedFillTime": FILL_TIME_S,
        "swapTx": {
            "simulationSuccess": False,
            "chainId": asked.origin.chain.id,
            "to": STRANGER if told is Lie.OTHER_ENTRY else entry,
            "data": await _transaction(world, asked, honest, lie),
            **({"value": str(value)} if value else {}),
        },
        "quoteExpiryTimestamp": honest.timestamp + QUOTE_AGE_S,
        "id": "sbx1-1",
    }


async def _transaction(world: World, asked: CheckedRequest, honest: Terms, lie: Lie | None) -> str:
    """Write what is to be signed: calldata in hex, or on Solana a whole transaction in base64."""
    integrator = asked.query.get("integratorId")
    if asked.origin.on_solana:
        return await solana_transaction(world.svm(asked.origin.chain.id), honest, lie, integrator)
    write = native_data if asked.native_in else deposit_data
    return "0x" + write(lied(honest, lie), integrator).hex()


def _bridge(asked: CheckedRequest, terms: Terms, fees: Fees) -> dict[str, object]:
    origin = asked.origin.place()
    parts = {"relayerCapital": fees.capital, "destinationGas": fees.gas, "lp": fees.lp}
    shown = {
        name: {"amount": str(part), "pct": _pct(part, terms.amount), "token": origin} for name, part in parts.items()
    }
    # Unless Across is requested by name, the real API uses the stablecoin's own bridge.
    own = asked.query.get("routingPreference") != "across" and asked.origin.symbol == "USDC"
    return {
        "inputAmount": str(terms.amount),
        "outputAmount": str(terms.output),
        "tokenIn": origin,
        "tokenOut": terms.destination.place(),
        "fees": {
            "amount": str(fees.total),
            "pct": _pct(fees.total, terms.amount),
            "token": origin,
            **({} if own else {"details": {"type": "across", **shown}}),
        },
        "provider": "cctp" if own else "across",
    }


async def _destination_swap(world: World, asked: CheckedRequest, landed: int) -> tuple[int, int, dict[str, object]]:
    """Trade what arrives; return expected and least output, and the step."""
    side, landing = asked.destination, _landing(asked)
    try:
        trade = await world.market.quote(side.chain.id, landing.token.address, side.token.address, landed)
    except NoMarket:
        raise Fails("swap_unavailable") from None
    least = trade.amount_out * 99 // 100
    step = {
        "tokenIn": landing.place(),
        "tokenOut": side.place(),
        "inputAmount": str(landed),
        "maxInputAmount": str(landed),
        "outputAmount": str(trade.amount_out),
        "minOutputAmount": str(least),
        "swapProvider": {"name": "uniswap", "sources": ["uniswap_v3"]},
        "slippage": 0.01,
    }
    return trade.amount_out, least, step


def _pct(part: int, whole: int) -> str:
    return str(part * 10**18 // whole)
