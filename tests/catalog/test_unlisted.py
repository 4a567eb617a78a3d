"""Tokens that are on no list, read from a node that knows one token and one Multicall3."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

import aiohttp
import pytest
from aiohttp import web

from rhumbline.catalog.evm.token_reader import token_readers
from rhumbline.catalog.known import known_chains, to_chain
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.chain import Chain, ChainType
from rhumbline.domain.errors import NodeUnavailable, NotFound
from rhumbline.domain.token import Token
from rhumbline.gateways.evm.abi import decode_args, encode_args, selector
from rhumbline.gateways.evm.multicall import MULTICALL3
from rhumbline.gateways.evm.rpc import EvmRpc
from tests.catalog.conftest import ETH, OTHER

SOLANA = next(to_chain(facts) for facts in known_chains() if facts.type is ChainType.SVM)

ERA = to_chain(next(facts for facts in known_chains() if facts.id == 324))
AGGREGATE = "tryBlockAndAggregate(bool,(address,bytes)[])"
OWN = "0x1111111111111111111111111111111111111111"


@dataclass
class TokenNode:
    """A node: a token at `OTHER`, a Multicall3 at `multicall`, no code anywhere else."""

    rpc: EvmRpc
    multicall: str = MULTICALL3
    symbol: str = "DAI"
    name: str = "Dai"

    async def answer(self, request: web.Request) -> web.Response:
        asked = await request.json()
        assert asked["method"] in ("eth_getCode", "eth_call")
        about = asked["params"][0]
        result = self._code(about) if asked["method"] == "eth_getCode" else self._call(about)
        return web.json_response({"jsonrpc": "2.0", "id": asked["id"], "result": "0x" + result.hex()})

    def _code(self, address: str) -> bytes:
        return b"\x01" if address.lower() in (OTHER.lower(), self.multicall.lower()) else b""

    def _call(self, call: dict[str, str]) -> bytes:
        if call["to"].lower() != self.multicall.lower():
            return b""
        data = bytes.fromhex((call.get("input") or call["data"])[2:])
        assert data[:4] == selector(AGGREGATE)
        _, reads = decode_args(["bool", "(address,bytes)[]"], data[4:])
        assert isinstance(reads, tuple)
        answers = {
            selector("decimals()"): encode_args(["uint8"], [18]),
            selector("symbol()"): encode_args(["string"], [self.symbol]),
            selector("name()"): encode_args(["string"], [self.name]),
        }
        assert {to.lower() for to, _ in reads} == {OTHER.lower()}
        told = [(True, answers[read]) for _, read in reads]
        return encode_args(["uint256", "bytes32", "(bool,bytes)[]"], [1, bytes(32), told])


@pytest.fixture
async def node(session: aiohttp.ClientSession) -> AsyncIterator[TokenNode]:
    app = web.Application()
    runner = web.AppRunner(app, access_log=None)
    served = TokenNode(EvmRpc("", session))
    app.router.add_post("/", served.answer)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    served.rpc = EvmRpc(f"http://127.0.0.1:{runner.addresses[0][1]}/", session, "node")
    try:
        yield served
    finally:
        await runner.cleanup()


async def read(node: TokenNode, chain: Chain) -> Token:
    return await TokenCatalog([chain], [], token_readers({chain.id: node.rpc})).resolve(chain, OTHER)


@pytest.mark.parametrize("chain", [ETH, ERA, replace(ETH, multicall=OWN)])
async def test_a_token_is_read_by_its_chains_own_multicall(node: TokenNode, chain: Chain) -> None:
    """Era's is elsewhere than everybody's; a chain of the operator's has what the settings say."""
    node.multicall = chain.multicall or MULTICALL3
    assert await read(node, chain) == Token(chain.id, OTHER, "DAI", 18, "Dai", listed=False)


async def test_without_a_multicall_there_the_node_is_at_fault(node: TokenNode) -> None:
    with pytest.raises(NodeUnavailable, match="Multicall3 does not answer at 0xF9cd"):
        await read(node, ERA)


@pytest.mark.parametrize(
    ("symbol", "shown"),
    [
        ("DAI", "DAI"),
        ("  D\u202eA\x00I ", "DAI"),
        ("A" * 500, "A" * 64),
        ("\u202e" * 192 + "A" * 500, "A" * 64),
        ("\u202e" * 256 + "DAI", "?"),
        ("\u202e" * 1_000_000 + "DAI", "?"),
        ("", "?"),
    ],
)
async def test_only_the_beginning_of_a_text_is_looked_at(node: TokenNode, symbol: str, shown: str) -> None:
    """A contract may answer megabytes: what is worth showing comes first."""
    node.symbol = node.name = symbol
    token = await read(node, ETH)
    assert (token.symbol, token.name) == (shown, "Unknown token" if shown == "?" else shown)


@dataclass
class MintReader:
    """Knows every mint by the same name, and counts."""

    asked: int = 0

    async def read(self, chain: Chain, address: str, /) -> Token:
        self.asked += 1
        return Token(chain.id, address, "BONK", 5, "Bonk", listed=False)


async def test_another_chain_type_brings_a_reader_of_its_own() -> None:
    mint, reader = "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263", MintReader()
    catalog = TokenCatalog([SOLANA, ETH], [], {SOLANA.id: reader})
    assert (catalog.reads(SOLANA), catalog.reads(ETH)) == (True, False)
    assert await catalog.resolve(SOLANA, mint) == Token(SOLANA.id, mint, "BONK", 5, "Bonk", listed=False)
    await catalog.resolve(SOLANA, mint)
    assert reader.asked == 1
    with pytest.raises(NotFound, match="is not known on chain 1"):
        await catalog.resolve(ETH, OTHER)
