"""The metadata of unlisted ERC-20 tokens, read from their chain."""

from collections.abc import Mapping
from dataclasses import dataclass

from rhumbline.domain.chain import NATIVE_EVM, Chain
from rhumbline.domain.errors import NodeUnavailable, NotFound
from rhumbline.domain.token import Token
from rhumbline.gateways.evm.abi import MalformedAnswer, decode_args, selector
from rhumbline.gateways.nodes.evm.multicall import MULTICALL3, Read, read_many
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError, hex_bytes, quantity

_MAX_TEXT = 64
_MOST_LOOKED_AT = 256
"""In characters: a contract's text may be megabytes long."""
_MAX_DECIMALS = 255


@dataclass(frozen=True, slots=True)
class EvmTokenReader:
    """Reads ERC-20 contracts through a chain's node, each at one block."""

    rpc: EvmRpc

    async def read(self, chain: Chain, address: str, /) -> Token:
        """Return the token at an address; NotFound without code or ``decimals()`` there, NodeUnavailable, RpcError."""
        if address == NATIVE_EVM or not await self._code(chain, address):
            raise NotFound(f"There is no token at {address} on chain {chain.id}: no code at that address")
        calls = [Read(address, selector(name)) for name in ("decimals()", "symbol()", "name()")]
        decimals, symbol, name = (await read_many(self.rpc, calls, chain.multicall or MULTICALL3)).answers
        number = int.from_bytes(decimals) if decimals is not None and len(decimals) == 32 else _MAX_DECIMALS + 1
        if number > _MAX_DECIMALS:
            raise NotFound(f"There is no token at {address} on chain {chain.id}: the contract there has no decimals()")
        return Token(chain.id, address, _text(symbol) or "?", number, _text(name) or "Unknown token", listed=False)

    async def _code(self, chain: Chain, address: str) -> bytes:
        """Read code, and make sure that it is this chain's: a token's metadata is kept."""
        number, code = await self.rpc.batch([("eth_chainId", ()), ("eth_getCode", (address, "latest"))])
        for answer in (number, code):
            if isinstance(answer, RpcError):
                raise answer
        if quantity(number) != chain.id:
            raise NodeUnavailable(f"{self.rpc.name}: the node is on another chain")
        return hex_bytes(code)


def token_readers(rpcs: Mapping[int, EvmRpc]) -> Mapping[int, EvmTokenReader]:
    return {chain_id: EvmTokenReader(rpc) for chain_id, rpc in rpcs.items()}


def _text(data: bytes | None) -> str:
    """Read a string, or the bytes32 that old tokens answer; printable characters only."""
    if data is None:
        return ""
    try:
        (value,) = decode_args(["string"], data)
        text = str(value)
    except MalformedAnswer:
        text = data[:32].rstrip(b"\x00").decode("utf-8", "replace") if len(data) == 32 else ""
    printable = (character for character in text[:_MOST_LOOKED_AT] if character.isprintable())
    return "".join(printable).strip()[:_MAX_TEXT]
