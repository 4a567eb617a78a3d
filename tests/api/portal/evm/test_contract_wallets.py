"""What contract wallets on a real chain say of signatures, and nodes that lie about it."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from eth_account import Account

from rhumbline.api.portal.contract_verdict import ContractVerdict
from rhumbline.api.portal.evm.contract_wallets import contract_verdict
from rhumbline.devnet.evm.operator import encoded
from rhumbline.devnet.hosts import hosted
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.endpoint import EndpointTerms
from rhumbline.gateways.nodes.evm.endpoints import evm_endpoints
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from tests.wallet_chain import WRAPPED, WalletChain, personal, signed, wallet_chain

KEY, OTHER = "0x" + "11" * 32, "0x" + "22" * 32
TEXT = "swap.example wants you to sign in: é"
SALT = bytes(31) + b"\x07"
ACCEPTED, REFUSED, NO_CONTRACT, DELEGATED, UNKNOWN = (
    ContractVerdict.ACCEPTED,
    ContractVerdict.REFUSED,
    ContractVerdict.NO_CONTRACT,
    ContractVerdict.DELEGATED,
    ContractVerdict.UNKNOWN,
)


@pytest.fixture(scope="module")
async def chain(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[WalletChain]:
    async with wallet_chain(Path(tmp_path_factory.mktemp("wallets"))) as running:
        yield running


async def test_a_wallet_accepts_what_its_own_key_signed_for_it(chain: WalletChain) -> None:
    """Not what another key signed, nor what its key signed of another text, for another wallet, or for no wallet."""
    wallet, second = await chain.wallet(KEY), await chain.wallet(KEY)
    assert await contract_verdict(chain.rpc, wallet, TEXT, chain.bound(KEY, wallet, TEXT)) is ACCEPTED
    for signature in (
        chain.bound(OTHER, wallet, TEXT),
        chain.bound(KEY, wallet, TEXT + " "),
        chain.bound(KEY, second, TEXT),
        signed(KEY, personal(TEXT)),
        "0x" + "00" * 65,
        "0x" + "11" * 7000,
        "0x01",
    ):
        assert await contract_verdict(chain.rpc, wallet, TEXT, signature) is REFUSED, signature[:80]


@pytest.mark.parametrize("signature", ["", "0x", "0x1", "0xzz", "11" * 65, "0x" + "11" * 7001])
async def test_what_is_no_signature_is_asked_of_nobody(signature: str) -> None:
    async with HttpClient() as http:
        nobody = EvmRpc("http://127.0.0.1:1", http, "nobody", 1.0)
        assert await contract_verdict(nobody, "0x" + "5a" * 20, TEXT, signature) is REFUSED


async def test_where_no_contract_is_there_is_no_wallet(chain: WalletChain) -> None:
    plain = str(Account.from_key(KEY).address)
    assert await contract_verdict(chain.rpc, plain, TEXT, signed(OTHER, personal(TEXT))) is NO_CONTRACT
    assert await contract_verdict(chain.rpc, plain, TEXT, chain.wrapped(OTHER, SALT, TEXT)) is NO_CONTRACT


async def test_an_account_that_delegates_signs_by_its_key(chain: WalletChain) -> None:
    """Whatever it delegates to accepts: it is not asked."""
    account, target = "0x" + "7a" * 20, await chain.wallet(KEY, "PlainWallet")
    await chain.rpc.call("anvil_setCode", [account, "0xef0100" + target[2:]])
    assert await contract_verdict(chain.rpc, account, TEXT, signed(KEY, personal(TEXT))) is DELEGATED


async def test_a_wallet_that_is_not_deployed_yet(chain: WalletChain) -> None:
    """Its signature says how it is made, and nothing is left on the chain; once it is there, it signs as it did."""
    wallet = await chain.planned(KEY, SALT)
    signature = chain.wrapped(KEY, SALT, TEXT)
    assert await contract_verdict(chain.rpc, wallet, TEXT, signature) is ACCEPTED
    assert await chain.rpc.code(wallet) == b""
    assert await contract_verdict(chain.rpc, wallet, TEXT, chain.wrapped(OTHER, SALT, TEXT)) is NO_CONTRACT
    other_s = chain.wrapped(OTHER, SALT, TEXT, owner=str(Account.from_key(KEY).address))
    assert await contract_verdict(chain.rpc, wallet, TEXT, other_s) is REFUSED
    assert await contract_verdict(chain.rpc, wallet, TEXT + "!", signature) is REFUSED
    raw = signed(KEY, personal(TEXT))
    assert await contract_verdict(chain.rpc, wallet, TEXT, raw) is NO_CONTRACT
    await chain.operator.send(chain.factory, creation(chain, KEY))
    for each in (signature, raw):
        assert await contract_verdict(chain.rpc, wallet, TEXT, each) is ACCEPTED


def creation(chain: WalletChain, key: str) -> bytes:
    return encoded("create(address,bytes32)", Account.from_key(key).address, SALT)


async def test_a_wrapped_signature_that_cannot_be_read(chain: WalletChain) -> None:
    wallet = await chain.wallet(KEY)
    for inner in (b"", b"\x01", b"\xff" * 96, b"\0" * 96):
        signature = "0x" + (inner + WRAPPED).hex()
        assert await contract_verdict(chain.rpc, wallet, TEXT, signature) is REFUSED


@pytest.mark.parametrize("contract", ["Echo", "Truth", "Short", "Silent", "Reverting", "Endless", "Verbose"])
async def test_a_contract_that_is_no_wallet_signs_nothing(chain: WalletChain, contract: str) -> None:
    """One that echoes begins with the right four bytes; one has no end, and one says more than anybody reads."""
    place = await chain.deploy(contract)
    assert await contract_verdict(chain.rpc, place, TEXT, signed(KEY, personal(TEXT))) is REFUSED


def word(number: int) -> str:
    return f"0x{number:064x}"


LIES = {
    "empty": "0x",
    "short": "0x01",
    "long": word(1) + "00" * 32,
    "beyond": word(4),
    "huge": word(2**256 - 1),
    "null": None,
    "true": True,
    "number": 1,
    "list": [word(1)],
    "text": "yes" * 22,
}


@pytest.mark.parametrize("said", LIES.values(), ids=LIES)
async def test_an_answer_of_another_form_is_none(said: object) -> None:
    async with nodes([said]) as rpc:
        assert await contract_verdict(rpc, "0x" + "5a" * 20, TEXT, "0x" + "11" * 65) is UNKNOWN


DOWN = object()


@asynccontextmanager
async def nodes(said: Sequence[object]) -> AsyncIterator[EvmRpc]:
    """Endpoints of chain 1, each with what it answers to a call."""
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(HttpClient())
        urls = [await stack.enter_async_context(hosted(node(each))) for each in said]
        given = [(url, EndpointTerms(str(place))) for place, url in enumerate(urls)]
        yield evm_endpoints("sea", 1, given, http, timeout_s=5.0)


def node(said: object) -> web.Application:
    block = {"number": "0x1", "timestamp": "0x1", "hash": "0x" + "11" * 32}
    answers = {"eth_chainId": "0x1", "eth_getBlockByNumber": block, "eth_call": said}

    def answer(asked: dict[str, Any]) -> dict[str, object]:
        return {"jsonrpc": "2.0", "id": asked["id"], "result": answers[asked["method"]]}

    async def post(request: web.Request) -> web.Response:
        asked = await request.json()
        if said is DOWN:
            return web.Response(status=503)
        return web.json_response([answer(each) for each in asked] if isinstance(asked, list) else answer(asked))

    app = web.Application()
    app.router.add_post("/", post)
    return app


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ([word(1)], ACCEPTED),
        ([word(1), word(1), word(1)], ACCEPTED),
        ([word(1), word(1), word(0)], REFUSED),
        ([word(1), word(2), word(2)], NO_CONTRACT),
        ([word(1), word(3)], DELEGATED),
        ([word(1), word(1), DOWN], ACCEPTED),
        ([word(1), DOWN, DOWN], UNKNOWN),
        ([word(1), DOWN], UNKNOWN),
        ([word(0), DOWN, DOWN], REFUSED),
        ([DOWN], UNKNOWN),
    ],
)
async def test_one_endpoint_alone_lets_nobody_in(said: Sequence[object], verdict: ContractVerdict) -> None:
    """Who runs one of several could else sign in as any contract."""
    async with nodes(said) as rpc:
        assert await contract_verdict(rpc, "0x" + "5a" * 20, TEXT, "0x" + "11" * 65) is verdict
