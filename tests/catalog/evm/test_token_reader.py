"""Tokens that are on no list, read from a node that knows one token and one Multicall3."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from aiohttp import web

from rhumbline.catalog.evm.token_reader import token_readers
from rhumbline.catalog.known import known_chains, to_chain
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.devnet.hosts import hosted
from rhumbline.domain.chain import Chain, ChainType
from rhumbline.domain.errors import AdaptersFailed, NodeUnavailable, NotFound
from rhumbline.domain.token import Token
from rhumbline.gateways.evm.abi import decode_args, encode_args, selector
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.multicall import MULTICALL3
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
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
    chain_id: int = ETH.id

    async def answer(self, request: web.Request) -> web.Response:
        asked = await request.json()
        return web.json_response([self._one(call) for call in asked] if isinstance(asked, list) else self._one(asked))

    def _one(self, asked: dict[str, Any]) -> dict[str, object]:
        assert asked["method"] in ("eth_chainId", "eth_getCode", "eth_call")
        if asked["method"] == "eth_chainId":
            return {"jsonrpc": "2.0", "id": asked["id"], "result": hex(self.chain_id)}
        about = asked["params"][0]
        result = self._code(about) if asked["method"] == "eth_getCode" else self._call(about)
        return {"jsonrpc": "2.0", "id": asked["id"], "result": "0x" + result.hex()}

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
async def node(http: HttpClient) -> AsyncIterator[TokenNode]:
    app = web.Application()
    served = TokenNode(EvmRpc("", http))
    app.router.add_post("/", served.answer)
    async with hosted(app) as url:
        served.rpc = EvmRpc(f"{url}/", http, "node")
        yield served


async def read(node: TokenNode, chain: Chain) -> Token:
    return await TokenCatalog([chain], [], token_readers({chain.id: node.rpc})).resolve(chain, OTHER)


@pytest.mark.parametrize("chain", [ETH, ERA, replace(ETH, multicall=OWN)])
async def test_a_token_is_read_by_its_chains_own_multicall(node: TokenNode, chain: Chain) -> None:
    """Era's is elsewhere than everybody's; a chain of the operator's has what the settings say."""
    node.multicall, node.chain_id = chain.multicall or MULTICALL3, chain.id
    assert await read(node, chain) == Token(chain.id, OTHER, "DAI", 18, "Dai", listed=False)


async def test_without_a_multicall_there_the_node_is_at_fault(node: TokenNode) -> None:
    node.chain_id = ERA.id
    with pytest.raises(NodeUnavailable, match="Multicall3 does not answer at 0xF9cd"):
        await read(node, ERA)


@pytest.mark.parametrize("address", [OTHER, OWN])
async def test_a_node_on_another_chain_tells_neither_that_there_is_a_token_nor_that_there_is_none(
    node: TokenNode, address: str
) -> None:
    """What it said would be kept: another chain's decimals are another amount."""
    node.chain_id = 5
    with pytest.raises(NodeUnavailable, match="the node is on another chain"):
        await TokenCatalog([ETH], [], token_readers({ETH.id: node.rpc})).resolve(ETH, address)


async def test_who_waits_for_a_token_is_told_whose_node_does_not_tell(http: HttpClient) -> None:
    async def hang(_: web.Request) -> web.Response:
        await asyncio.sleep(60)
        raise AssertionError

    app = web.Application()
    app.router.add_post("/", hang)
    async with hosted(app) as url:
        for address in ("http://127.0.0.1:9", url):
            catalog = TokenCatalog([ETH], [], token_readers({ETH.id: EvmRpc(address, http, "eth")}))
            with pytest.raises(AdaptersFailed, match="Ethereum's node does not answer about the token 0x"):
                await catalog.resolve_within(ETH, OTHER, 0.2)


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
