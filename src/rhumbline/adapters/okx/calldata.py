"""Decodes the calls of OKX's router.

DexRouter of DEX-Router-EVM-V1 (published source, read 2026-11-21). Its functions take ``fromTokenAmount`` of
``fromToken`` from their caller through TokenApprove, or native value, and revert unless the receiver gained
``minReturnAmount`` of ``toToken``; what pools do not take goes back to the caller. Addresses may be written in 256
bits, of which the lower 160 count.

Data after the arguments has a meaning: by flags at its end the router pays commissions, or *trims*: it gives at most a
tenth of the output to OKX, but only of the excess over an expected amount. API answers were seen to end with a single
trim, at the quoted amount. Nothing else is accepted, nor a last word that looks like one.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

from rhumbline.domain.chain import NATIVE_EVM, NATIVE_EVM_ALIAS
from rhumbline.domain.errors import NoRoute, UpstreamFailed
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.evm.calldata import Function

ADDRESS = 2**160 - 1
WORD = 32
TRIM = bytes.fromhex("777777771111")
FLAGS = frozenset(
    bytes.fromhex(flag)
    for flag in (
        "3ca20afc2aaa", "3ca20afc2bbb", "22220afc2aaa", "22220afc2bbb", "88880afc2aaa", "88880afc2bbb",
        "777777771111", "777777772222",
    )
)  # fmt: skip
"""Flags by which the router finds commissions (the first six) and trims, in the first bytes of its last words."""
LARGEST_TRIM = 100
"""In thousandths of the output: the router's own limit."""
NATIVE = NATIVE_EVM_ALIAS.lower()

_BASE = "(uint256,address,uint256,uint256,uint256)"
_PATH = "(address[],address[],uint256[],bytes[],uint256)"
_OFFER = "(uint256,address,address,address,uint256,uint256,uint256,uint256,bool,bytes)"
DAG_BY_ORDER = Function(f"dagSwapByOrderId(uint256,{_BASE},{_PATH}[])")
DAG_TO = Function(f"dagSwapTo(uint256,address,{_BASE},{_PATH}[])")
SMART_BY_ORDER = Function(f"smartSwapByOrderId(uint256,{_BASE},uint256[],{_PATH}[][],{_OFFER}[])")
SMART_TO = Function(f"smartSwapTo(uint256,address,{_BASE},uint256[],{_PATH}[][],{_OFFER}[])")
UNX_BY_ORDER = Function("unxswapByOrderId(uint256,uint256,uint256,bytes32[])")
UNX_TO = Function("unxswapTo(uint256,uint256,uint256,address,bytes32[])")
V3_TO = Function("uniswapV3SwapTo(uint256,uint256,uint256,uint256[])")


class RouterSwap(NamedTuple):
    """A decoded call of the router: addresses in lower case, amounts in raw units, ``deadline`` in Unix seconds.

    None: ``receiver`` is the caller, the tokens are not named, there is no deadline, nothing is trimmed. ``passed`` are
    the tokens that the route goes through, ``trimmed_above`` is the output above which OKX has a share.
    """

    amount: int
    minimum: int
    token_in: str | None = None
    token_out: str | None = None
    receiver: str | None = None
    deadline: int | None = None
    passed: tuple[str, ...] = ()
    trimmed_above: int | None = None


def read_swap(data: bytes) -> RouterSwap:
    """Read a call of the router; raise UpstreamFailed for a call that is not one of those known, all of it."""
    reader = _READERS.get(data[:4])
    if reader is None:
        raise UpstreamFailed("answered calldata that is not a known call of its router")
    function, read = reader
    try:
        values, rest = function.decode_first(data)
    except MalformedAnswer:
        raise UpstreamFailed("answered calldata that is not a known call of its router") from None
    trimmed_above = _trimmed_above(data, rest)
    swap = read(*values)
    return swap if trimmed_above is None else swap._replace(trimmed_above=trimmed_above)


def _trimmed_above(data: bytes, rest: bytes) -> int | None:
    if not rest:
        if data[-WORD:][:6] in FLAGS:
            raise UpstreamFailed("answered a call that ends like one with a commission")
        return None
    rate = int.from_bytes(rest[38:44])
    if len(rest) != 2 * WORD or rest[:6] != TRIM or rest[WORD:][:6] != TRIM or not 0 < rate <= LARGEST_TRIM:
        raise UpstreamFailed("answered a call with a commission that nobody asked for")
    if rest[6] not in (0, 0x80) or any(rest[7:12]):
        raise UpstreamFailed("answered a call with a commission that nobody asked for")
    return int.from_bytes(rest[12:WORD])


def _token(address: int | str) -> str:
    """Return an address by its lower 160 bits, the native asset by OKX's marker; the router knows both."""
    found = f"0x{address & ADDRESS:040x}" if isinstance(address, int) else address
    return NATIVE if found == NATIVE_EVM else found


def _routed(base: tuple[Any, ...], paths: Iterable[tuple[Any, ...]], receiver: str | None = None) -> RouterSwap:
    token_in, token_out, amount, minimum, deadline = base
    passed = tuple(dict.fromkeys(_token(path[4]) for path in paths))
    return RouterSwap(amount, minimum, _token(token_in), _token(token_out), receiver, deadline, passed)


def _batched(
    base: tuple[Any, ...], batches: tuple[Any, ...], offers: tuple[Any, ...], receiver: str | None = None
) -> RouterSwap:
    if offers:
        raise NoRoute("has only a market maker's offer, which is for one caller and seconds")
    return _routed(base, chain.from_iterable(batches), receiver)


def _pools(token_in: int, amount: int, minimum: int, receiver: str | None = None) -> RouterSwap:
    return RouterSwap(amount, minimum, _token(token_in), receiver=receiver)


_READERS: Mapping[bytes, tuple[Function, Callable[..., RouterSwap]]] = MappingProxyType(
    {
        function.selector: (function, reader)
        for function, reader in (
            (DAG_BY_ORDER, lambda _, base, paths: _routed(base, paths)),
            (DAG_TO, lambda _, to, base, paths: _routed(base, paths, to)),
            (SMART_BY_ORDER, lambda _, base, _shares, batches, offers: _batched(base, batches, offers)),
            (SMART_TO, lambda _, to, base, _shares, batches, offers: _batched(base, batches, offers, to)),
            (UNX_BY_ORDER, lambda sold, amount, minimum, _: _pools(sold, amount, minimum)),
            (UNX_TO, lambda sold, amount, minimum, to, _: _pools(sold, amount, minimum, to)),
            (V3_TO, lambda to, amount, minimum, _: RouterSwap(amount, minimum, receiver=f"0x{to & ADDRESS:040x}")),
        )
    }
)
