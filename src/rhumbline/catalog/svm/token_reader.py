"""The metadata of unlisted mints, read from their chain."""

from collections.abc import Mapping
from dataclasses import dataclass

from rhumbline.domain.chain import Chain
from rhumbline.domain.errors import NotFound
from rhumbline.domain.token import Token
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.svm.address import decode_address
from rhumbline.gateways.svm.token_extensions import Extension
from rhumbline.gateways.svm.tokens import NoToken, read_mint

_MAX_TEXT = 64
_MOST_LOOKED_AT = 256
"""In bytes: a text in a mint may be long."""
_KEY = 32
_LENGTH = 4


@dataclass(frozen=True, slots=True)
class SvmTokenReader:
    """Reads mints of the Token program and of Token-2022 through a chain's node.

    Only Token-2022 has symbol and name in the mint itself; metadata of other programs is not read.
    """

    rpc: SvmRpc

    async def read(self, chain: Chain, address: str, /) -> Token:
        """Return the token at an address; NotFound where there is no mint, NodeUnavailable."""
        try:
            mint = read_mint(address, await self.rpc.account(address))
        except NoToken as error:
            raise NotFound(f"There is no token at {address} on chain {chain.id}: {error}") from None
        symbol, name = symbol_and_name(address, mint.extensions.get(Extension.TOKEN_METADATA))
        return Token(chain.id, address, symbol or "?", mint.decimals, name or "Unknown token", listed=False)


def token_readers(rpcs: Mapping[int, SvmRpc]) -> Mapping[int, SvmTokenReader]:
    return {chain_id: SvmTokenReader(rpc) for chain_id, rpc in rpcs.items()}


def symbol_and_name(address: str, value: bytes | None) -> tuple[str, str]:
    """Read the extension: the keys of its authority and of its mint, then name and symbol, each after its length.

    Source: docs.rs/spl-token-metadata-interface, state.rs (`TokenMetadata`, in Borsh), read 2026-11-22.
    """
    if value is None or value[_KEY : 2 * _KEY] != decode_address(address):
        return "", ""
    name, after = _text(value, 2 * _KEY)
    symbol, _ = _text(value, after)
    return symbol, name


def _text(value: bytes, at: int) -> tuple[str, int]:
    """Read a text's printable characters, none of a truncated one, and the offset of its end."""
    start = at + _LENGTH
    end = start + int.from_bytes(value[at:start], "little")
    if end > len(value):
        return "", len(value)
    text = value[start : min(end, start + _MOST_LOOKED_AT)].decode("utf-8", "replace")
    return "".join(filter(str.isprintable, text)).strip()[:_MAX_TEXT], end
