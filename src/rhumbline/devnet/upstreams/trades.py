"""Trades in the sandbox's pools, and their calldata on EVM chains."""

from dataclasses import dataclass

from rhumbline.devnet.evm.operator import encoded
from rhumbline.devnet.pool import Pool
from rhumbline.devnet.upstreams.behaviour import Lie
from rhumbline.domain.chain import NATIVE_EVM

# SwapRouter02's constants for itself as recipient and for its whole balance (Constants.sol of swap-router-contracts
# 1.3.1).
_ROUTER_ITSELF = "0x0000000000000000000000000000000000000002"
_ALL_OF_IT = 0
STRANGER = "0x000000000000000000000000000000000000dEaD"
"""The address that a lie pays or calls."""


class NoMarket(Exception):
    """No pools trade one token for the other."""


@dataclass(frozen=True, slots=True)
class Leg:
    """A trade in one pool: token addresses, and the output for an input, in raw units."""

    pool: Pool
    token_in: str
    token_out: str
    amount_in: int
    amount_out: int


@dataclass(frozen=True, slots=True)
class Trade:
    """A trade of ``amount_in`` of ``token_in`` through at most three pools.

    Native tokens are the native marker here and wrapped in the legs; none is needed between an asset and its wrapped
    token. ``router`` is SwapRouter02: its caller has approved it for ``amount_in``, or sends ``value``.
    """

    token_in: str
    token_out: str
    amount_in: int
    amount_out: int
    router: str
    legs: tuple[Leg, ...]

    @property
    def value(self) -> int:
        """The call's value in wei."""
        return self.amount_in if self.token_in == NATIVE_EVM else 0

    def calldata(self, recipient: str, minimum: int) -> tuple[str, bytes]:
        """Return the contract to call and the calldata that pays `recipient` at least `minimum`, or reverts."""
        unwraps = self.token_out == NATIVE_EVM
        calls = [
            _swap(leg, self.amount_in if number == 0 else _ALL_OF_IT, _ROUTER_ITSELF, 0)
            for number, leg in enumerate(self.legs[:-1])
        ]
        last = self.legs[-1]
        amount = _ALL_OF_IT if calls else self.amount_in
        calls.append(_swap(last, amount, _ROUTER_ITSELF if unwraps else recipient, 0 if unwraps else minimum))
        if unwraps:
            calls.append(encoded("unwrapWETH9(uint256,address)", minimum, recipient))
        return self.router, encoded("multicall(bytes[])", calls)


@dataclass(frozen=True, slots=True)
class SwapTerms:
    """The terms of a trade for a vendor's contract; tokens in the vendor's own notation."""

    token_in: str
    token_out: str
    amount: int
    minimum: int
    receiver: str


def swap_terms(trade: Trade, native: str, receiver: str, minimum: int, lie: Lie | None) -> SwapTerms:
    """Return a trade's terms with the active lie; ``native`` is the vendor's marker of the native asset."""
    token_in, token_out = (native if token == NATIVE_EVM else token for token in (trade.token_in, trade.token_out))
    least = minimum // 2 if lie is Lie.WORSE_OUTPUT else minimum
    return SwapTerms(
        token_in,
        token_in if lie is Lie.OTHER_TOKEN else token_out,
        trade.amount_in * 2 if lie is Lie.OTHER_AMOUNT else trade.amount_in,
        1 if lie is Lie.NO_MINIMUM else least,
        STRANGER if lie is Lie.OTHER_RECEIVER else receiver,
    )


def ours(token: str, native: str) -> str:
    """Return a token in the sandbox's notation: the native marker for the vendor's, in any case."""
    return NATIVE_EVM if token.lower() == native.lower() else token


def _swap(leg: Leg, amount: int, recipient: str, minimum: int) -> bytes:
    if leg.pool.kind == "uniswap_v2":
        signature = "swapExactTokensForTokens(uint256,uint256,address[],address)"
        return encoded(signature, amount, minimum, [leg.token_in, leg.token_out], recipient)
    signature = "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))"
    return encoded(signature, (leg.token_in, leg.token_out, leg.pool.fee, recipient, amount, minimum, 0))
