"""The question to Symbiosis, and the slippage that it can be asked with."""

from rhumbline.domain.amount import BASIS_POINTS
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.errors import SlippageTooTight
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.token import Token

LEAST_SLIPPAGE_BPS = 20
MOST_SLIPPAGE_BPS = 1_000
# Routes that only hand the tokens on to somebody else's bridge.
_NOT_THROUGH = "chainflip-bridge,thorchain-bridge,changelly"


def question(request: QuoteRequest, tolerance: int) -> dict[str, object]:
    """Return the body of ``POST /v2/quote``; ``tolerance`` is the slippage in basis points.

    ``from`` is the wallet, whoever makes the call: the tokens are pulled from the caller, and given back to
    ``from`` when the crossing is turned back.
    """
    wallet = request.sender
    return {
        "tokenAmountIn": {**_token(request.origin_token), "amount": str(request.amount)},
        "tokenOut": _token(request.destination_token),
        "from": wallet,
        "to": request.payout_address,
        "slippage": min(tolerance, MOST_SLIPPAGE_BPS),
        "revertableAddresses": [
            {"chainId": chain.id, "address": wallet} for chain in (request.origin, request.destination)
        ],
        "disabledProviders": _NOT_THROUGH,
    }


def tolerance_for(output: int, minimum: int, fee: int) -> int:
    """Return the largest slippage, in whole basis points and rounded down, that still guarantees ``minimum``.

    It counts on the pool's output, of which ``fee`` is off before ``output`` arrives.
    """
    return max(output - minimum, 0) * BASIS_POINTS // (output + fee) if output + fee > 0 else 0


def expect_promisable(tolerance: int) -> None:
    """Raise SlippageTooTight for less than the bridge takes."""
    if tolerance < LEAST_SLIPPAGE_BPS:
        raise SlippageTooTight("the bridge promises no output closer than 0.2 % to its price")


def _token(token: Token) -> dict[str, object]:
    address = "" if token.address == NATIVE_EVM else token.address
    return {"chainId": token.chain_id, "address": address, "decimals": token.decimals, "symbol": token.symbol}
