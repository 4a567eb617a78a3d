"""Mints that are on no list, read from the sandbox's chain: plain, of Token-2022 with and without a text, and none."""

import struct
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from solders.account import Account
from solders.pubkey import Pubkey

from rhumbline.catalog.known import known_chains, to_chain
from rhumbline.catalog.svm.token_reader import SvmTokenReader, symbol_and_name
from rhumbline.devnet.svm.accounts import FUNDED, keypair
from rhumbline.devnet.svm.chain_setup import token
from rhumbline.devnet.svm.chains import RunningSolana, running_solana
from rhumbline.devnet.svm.programs import TOKEN_2022
from rhumbline.domain.chain import NATIVE_SVM, ChainType
from rhumbline.domain.errors import NodeUnavailable, NotFound
from rhumbline.domain.token import Token
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.svm.rpc import SvmRpc

SOLANA = next(to_chain(facts) for facts in known_chains() if facts.type is ChainType.SVM)
MINT = Pubkey([7] * 32)
_LONG = 300


@pytest.fixture(scope="module")
async def solana() -> AsyncIterator[RunningSolana]:
    async with running_solana(slot_s=None) as running:
        yield running


@pytest.fixture(scope="module")
async def reader(solana: RunningSolana) -> AsyncIterator[SvmTokenReader]:
    async with HttpClient() as http:
        yield SvmTokenReader(SvmRpc(solana.server.rpc_url, http, "sbxs"))


def metadata(name: bytes, symbol: bytes, mint: Pubkey = MINT) -> bytes:
    """A mint's text as the interface writes it: authority, mint, then name, symbol and URI, each after its length."""
    texts = b"".join(struct.pack("<I", len(each)) + each for each in (name, symbol, b"https://x.example"))
    return bytes([3] * 32) + bytes(mint) + texts + struct.pack("<I", 0)


def with_extension(kind: int, value: bytes) -> Account:
    """A mint of Token-2022 with 4 decimals and one extension."""
    mint = struct.pack("<I32sQB?I32s", 0, bytes(32), 10**9, 4, True, 0, bytes(32)).ljust(165, b"\x00")
    return Account(10**9, mint + b"\x01" + struct.pack("<HH", kind, len(value)) + value, TOKEN_2022)


async def described(solana: RunningSolana, reader: SvmTokenReader, kind: int, value: bytes) -> Token:
    solana.server.chain.set_account(MINT, with_extension(kind, value))
    return await reader.read(SOLANA, str(MINT))


@pytest.mark.parametrize(("symbol", "decimals"), [("USDC", 6), ("TAX", 9), ("WSOL", 9)])
async def test_a_mint_without_a_text(reader: SvmTokenReader, symbol: str, decimals: int) -> None:
    mint = str(token(symbol).mint)
    assert await reader.read(SOLANA, mint) == Token(SOLANA.id, mint, "?", decimals, "Unknown token", listed=False)


async def test_a_mint_with_a_text(solana: RunningSolana, reader: SvmTokenReader) -> None:
    found = await described(solana, reader, 19, metadata("Pêche d\u202eor \n".encode(), b" PCH\x00"))
    assert found == Token(SOLANA.id, str(MINT), "PCH", 4, "Pêche dor", listed=False)


@pytest.mark.parametrize(
    "value",
    [
        b"", metadata(b"Coin", b"C", Pubkey([8] * 32)), metadata(b"Coin", b"C")[:60], metadata(b"", b""),
        bytes([3] * 32) + bytes(MINT) + b"\xff\xff\xff\xff",
    ],
)  # fmt: skip
async def test_a_text_that_is_none_of_this_mints(solana: RunningSolana, reader: SvmTokenReader, value: bytes) -> None:
    found = await described(solana, reader, 19, value)
    assert (found.symbol, found.name, found.decimals) == ("?", "Unknown token", 4)


async def test_a_mint_that_stands_in_its_own_way_is_a_token_all_the_same(
    solana: RunningSolana, reader: SvmTokenReader
) -> None:
    """Whether it can be quoted is decided where it is quoted."""
    assert (await described(solana, reader, 9, b"")).decimals == 4


@given(st.binary(max_size=_LONG))
def test_whatever_a_text_holds_what_is_shown_is_short_and_printable(value: bytes) -> None:

    for shown in symbol_and_name(str(MINT), bytes(32) + bytes(MINT) + value):
        assert len(shown) <= 64
        assert shown.isprintable()
        assert shown == shown.strip()


async def test_what_is_no_mint(solana: RunningSolana, reader: SvmTokenReader) -> None:
    wallet = keypair(FUNDED[0]).pubkey()
    for address in (NATIVE_SVM, str(wallet), str(token("USDC").account(wallet)), str(Pubkey([9] * 32))):
        with pytest.raises(NotFound, match=f"There is no token at {address} on chain {SOLANA.id}"):
            await reader.read(SOLANA, address)


async def test_a_node_that_is_silent() -> None:
    async with HttpClient() as http:
        with pytest.raises(NodeUnavailable):
            await SvmTokenReader(SvmRpc("http://127.0.0.1:9", http, "away")).read(SOLANA, str(MINT))
