"""Tokens: the lists, and the metadata of unlisted ones read from their chain."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from rhumbline.catalog.index import TokenIndex, address_key
from rhumbline.domain.chain import NATIVE_EVM, Chain, ChainType
from rhumbline.domain.errors import NotFound
from rhumbline.domain.token import Token
from rhumbline.gateways.evm.abi import MalformedAnswer, decode_args, selector
from rhumbline.gateways.evm.multicall import MULTICALL3, Read, read_many
from rhumbline.gateways.evm.rpc import EvmRpc

_MAX_TEXT = 64
_MOST_LOOKED_AT = 256
"""Of a text that a contract answers, which may be megabytes long: characters."""
_MAX_DECIMALS = 255


class TokenCatalog:
    """Listed tokens by chain, most trusted list first, and a reader for the others.

    ``resolve`` never lets an unlisted token win a symbol: symbols are looked up in the lists only. ``adopt`` changes
    all listed tokens at once: whoever asks sees the old ones or the new ones, never a mixture.
    """

    __slots__ = ("_fixed", "_index", "_read", "_rpcs", "as_of", "version")

    def __init__(self, chains: Iterable[Chain], tokens: Iterable[Token], rpcs: Mapping[int, EvmRpc]) -> None:
        """Index ``tokens`` in their order of trust; every chain's native asset comes first on its own."""
        self._index = self._fixed = TokenIndex.of(chains, tokens)
        self._read: dict[tuple[int, str], Token] = {}
        self._rpcs = rpcs
        self.version = 0
        self.as_of: datetime | None = None

    def adopt(self, index: TokenIndex, as_of: datetime | None) -> None:
        """Take over another set of listed tokens; ``as_of`` is when the newest list in it was first had."""
        self._index = index
        self.as_of = as_of
        self.version += 1

    def __len__(self) -> int:
        """Count the listed tokens."""
        return len(self._index)

    def listed(self, chain_id: int) -> tuple[Token, ...]:
        """Return a chain's listed tokens, the native asset first."""
        return self._index.lists.get(chain_id, ())

    def find(self, chain: Chain, name: str) -> Token | None:
        """Return the listed token with this address or, without case, this symbol.

        Symbols that look the same to a person are the same, and are the most trusted token's.
        """
        return self._index.find(chain, name)

    def listed_at(self, chain_id: int, address: str) -> Token | None:
        """Return the listed token at an address, whatever it calls itself; None for one that is on no list."""
        return self._index.by_address.get((chain_id, address_key(address)))

    def find_fixed(self, chain: Chain, name: str) -> Token | None:
        """Return what ``find`` does, of the tokens that were there at first: no list that came later can add to them.

        These are the operator's and the package's, and what must not come from foreign hands is to be asked for here.
        """
        return self._fixed.find(chain, name)

    async def resolve(self, chain: Chain, address: str) -> Token:
        """Return the token at a canonical address, listed or not.

        An unlisted token's symbol, name and decimals are read from the chain once and kept. Raise NotFound when there
        is no token at the address, NodeUnavailable when the chain's node does not answer.
        """
        listed = self._index.by_address.get((chain.id, address_key(address)))
        if listed is not None:
            return listed
        known = self._read.get((chain.id, address))
        if known is not None:
            return known
        rpc = self._rpcs.get(chain.id)
        if rpc is None or chain.type is not ChainType.EVM:
            raise NotFound(f"Token {address} is not known on chain {chain.id}")
        token = await _read_token(rpc, chain, address)
        if len(self._read) >= 10_000:
            self._read.pop(next(iter(self._read)))
        self._read[chain.id, address] = token
        return token


async def _read_token(rpc: EvmRpc, chain: Chain, address: str) -> Token:
    if address == NATIVE_EVM or not await rpc.code(address):
        raise NotFound(f"There is no token at {address} on chain {chain.id}: no code at that address")
    calls = [Read(address, selector(name)) for name in ("decimals()", "symbol()", "name()")]
    decimals, symbol, name = (await read_many(rpc, calls, chain.multicall or MULTICALL3)).answers
    number = int.from_bytes(decimals) if decimals is not None and len(decimals) == 32 else _MAX_DECIMALS + 1
    if number > _MAX_DECIMALS:
        raise NotFound(f"There is no token at {address} on chain {chain.id}: the contract there has no decimals()")
    return Token(chain.id, address, _text(symbol) or "?", number, _text(name) or "Unknown token", listed=False)


def _text(data: bytes | None) -> str:
    """Read a string, or the bytes32 that old tokens answer; printable characters only."""
    if data is None:
        return ""
    try:
        (value,) = decode_args(["string"], data)
        text = str(value)
    except MalformedAnswer:
        text = data[:32].rstrip(b"\x00").decode("utf-8", "replace") if len(data) == 32 else ""
    shown = (character for character in text[:_MOST_LOOKED_AT] if character.isprintable())
    return "".join(shown).strip()[:_MAX_TEXT]
