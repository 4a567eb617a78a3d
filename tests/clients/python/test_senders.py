"""Nothing is sent twice, whatever a node does: it stands before a real chain, and loses requests or answers."""

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from solders.hash import Hash
from solders.keypair import Keypair
from solders.message import MessageV0
from solders.signature import Signature
from solders.system_program import TransferParams, transfer
from solders.transaction import VersionedTransaction

from rhumbline.devnet.evm.accounts import sandbox_account, signer
from rhumbline.devnet.hosts import hosted
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.svm.accounts import keypair
from rhumbline.domain.chain import ChainType
from rhumbline_client import Expired, Reverted, SendRefused, SendUncertain, WrongChain, WrongWallet, models
from rhumbline_client.evm import AsyncEvmSender, EvmSender
from rhumbline_client.solana import AsyncSolanaSender, co_signed
from tests.api.reference.write_document import default_document
from tests.patience import until

EXAMPLE = default_document()["components"]["schemas"]["QuoteResponse"]["examples"][0]
SENDS = ("eth_sendRawTransaction", "sendTransaction")
EVM_CHAIN = 900_001
PAYER = sandbox_account(5)
SLOTS_LEFT = 150


@dataclass
class Relay:
    """Passes calls on to a chain's node. ``faults`` are for its next sends: lose the ``request`` or the ``answer``."""

    url: str = ""
    faults: list[str] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)

    async def pass_on(self, request: web.Request, node: str, session: aiohttp.ClientSession) -> web.StreamResponse:
        call = await request.json()
        fault = ""
        if call["method"] in SENDS:
            self.sent.append(call["params"][0])
            fault = self.faults.pop(0) if self.faults else ""
        assert request.transport is not None
        if fault == "request":
            request.transport.abort()
            return web.Response()
        async with session.post(node, json=call) as response:
            answer = await response.read()
        if fault == "answer":
            request.transport.abort()
        return web.Response(body=answer, content_type="application/json")


@asynccontextmanager
async def relay(node: str) -> AsyncIterator[Relay]:
    running, app = Relay(), web.Application()
    async with aiohttp.ClientSession() as session:

        async def handle(request: web.Request) -> web.StreamResponse:
            return await running.pass_on(request, node, session)

        app.router.add_post("/", handle)
        async with hosted(app) as running.url:
            yield running


@asynccontextmanager
async def rpc(node: str) -> AsyncIterator[Any]:
    async with aiohttp.ClientSession() as session:

        async def call(method: str, *params: object) -> Any:
            body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
            async with session.post(node, json=body) as response:
                return (await response.json())["result"]

        yield call


def evm_quote(number: int, chain_id: int = EVM_CHAIN, **calldata: str) -> models.QuoteResponse:
    """A quote of one wei for nobody."""
    return models.QuoteResponse.model_validate({
        **EXAMPLE,
        "transactionId": f"0x{number:064x}",
        "expiresAt": "2999-01-01T00:00:00.000Z",
        "approvals": [],
        "calldata": {"to": "0x" + "00" * 19 + "99", "value": "0x1", "data": "0x", **calldata},
        "fees": {**EXAMPLE["fees"], "total": {**EXAMPLE["fees"]["total"], "chainId": chain_id}},
        "gas": {"maxFeePerGas": "0x77359400", "maxPriorityFeePerGas": "0x1", "gasLimit": "0x186a0"},
    })  # fmt: skip


@pytest.fixture
async def evm(sandbox: Sandbox) -> AsyncIterator[tuple[Relay, AsyncEvmSender]]:
    chain = sandbox.evm_chains[0]
    async with relay(chain.rpc_url) as node, AsyncEvmSender(node.url, signer(PAYER), chain.id, poll=0.02) as sender:
        yield node, sender


async def test_a_transaction_whose_answer_was_lost_is_found_and_not_sent_again(
    evm: tuple[Relay, AsyncEvmSender], sandbox: Sandbox
) -> None:
    node, sender = evm
    async with rpc(sandbox.evm_chains[0].rpc_url) as call:
        before = int(await call("eth_getTransactionCount", PAYER.address, "latest"), 16)
        node.faults = ["answer"]
        sent = await sender.execute(evm_quote(1))
        assert (sent.receipt["status"], len(node.sent)) == ("0x1", 1)
        assert await sender.execute(evm_quote(1)) == sent
        assert len(node.sent) == 1
        assert int(await call("eth_getTransactionCount", PAYER.address, "latest"), 16) == before + 1


async def test_a_transaction_that_was_lost_is_sent_again_only_as_it_was_signed(
    evm: tuple[Relay, AsyncEvmSender], sandbox: Sandbox
) -> None:
    node, sender = evm
    node.faults = ["request", "request"]
    for _ in range(2):
        with pytest.raises(SendUncertain) as uncertain:
            await sender.execute(evm_quote(2))
    sent = await sender.execute(evm_quote(2))
    assert sent.hash == uncertain.value.hash
    assert len(node.sent) == 3
    assert len(set(node.sent)) == 1


async def test_approvals_go_first_and_once(evm: tuple[Relay, AsyncEvmSender]) -> None:
    node, sender = evm
    approval = models.QuoteCalldata(to="0x" + "00" * 19 + "98", value=0, data="0x")
    quote = evm_quote(3).model_copy(update={"approvals": [approval, approval]})
    node.faults = ["", "answer", "request"]
    with pytest.raises(SendUncertain):
        await sender.execute(quote)
    await sender.execute(quote)
    assert len(node.sent) == 4
    assert len(set(node.sent)) == 3


async def test_what_is_refused_reverted_or_elsewhere_is_said(
    evm: tuple[Relay, AsyncEvmSender], sandbox: Sandbox
) -> None:
    node, sender = evm
    with pytest.raises(SendRefused, match="did not take"):
        await sender.execute(evm_quote(4, value=hex(10**30)))
    token = sandbox.evm_chains[0].tokens["USDC"].address
    with pytest.raises(Reverted):
        await sender.execute(evm_quote(5, to=token, value="0x1", data="0xffffffff"))
    with pytest.raises(Expired, match="ask for a new one"):
        await sender.execute(evm_quote(6).model_copy(update={"expires_at": models.QuoteResponse.model_validate(
            {**EXAMPLE, "expiresAt": "2020-01-01T00:00:00.000Z"}).expires_at}))  # fmt: skip
    async with AsyncEvmSender(node.url, signer(PAYER), sandbox.evm_chains[1].id) as elsewhere:
        with pytest.raises(WrongChain, match="the node is one of chain"):
            await elsewhere.execute(evm_quote(7, sandbox.evm_chains[1].id))
    with pytest.raises(WrongChain, match="the quote is one of chain"):
        await sender.execute(evm_quote(7, sandbox.evm_chains[1].id))
    assert len(node.sent) == 2


async def test_the_blocking_sender_is_the_same(sandbox: Sandbox) -> None:
    chain = sandbox.evm_chains[0]

    def send(url: str) -> str:
        with EvmSender(url, signer(PAYER), chain.id, poll=0.02) as sender:
            return sender.execute(evm_quote(8)).hash

    async with relay(chain.rpc_url) as node:
        node.faults = ["answer"]
        assert (await asyncio.to_thread(send, node.url)).startswith("0x")
        assert len(node.sent) == 1


@dataclass
class Solana:
    node: Relay
    sender: AsyncSolanaSender
    call: Any
    wallet: Keypair

    async def is_sent(self) -> bool:
        return bool(self.node.sent)

    async def quote(
        self,
        number: int,
        payer: Keypair | None = None,
        lamports: int = 1,
        past: int = 0,
        fee_payer: Keypair | None = None,
    ) -> Any:
        latest = (await self.call("getLatestBlockhash", {"commitment": "confirmed"}))["value"]
        who = (payer or self.wallet).pubkey()
        move = transfer(TransferParams(from_pubkey=who, to_pubkey=keypair(6).pubkey(), lamports=lamports))
        first = who if fee_payer is None else fee_payer.pubkey()
        message = MessageV0.try_compile(first, [move], [], Hash.from_string(latest["blockhash"]))
        nothing = [Signature.default()] * message.header.num_required_signatures
        unsigned = VersionedTransaction.populate(message, nothing)
        data = b64encode(bytes(unsigned)).decode()
        return models.QuoteResponse.model_validate({
            **EXAMPLE,
            "transactionId": f"0x{number:064x}",
            "calldata": {"to": str(who), "value": "0x0", "data": data},
            "lastValidBlockHeight": latest["lastValidBlockHeight"] - past,
            "approvals": [],
        })  # fmt: skip


@pytest.fixture
async def solana(restored_sandbox: Sandbox) -> AsyncIterator[Solana]:
    (chain,) = [each for each in restored_sandbox.chains if each.type is ChainType.SVM]
    wallet = keypair(5)
    async with (
        relay(chain.rpc_url) as node,
        AsyncSolanaSender(node.url, wallet, poll=0.05) as sender,
        rpc(chain.rpc_url) as call,
    ):
        yield Solana(node, sender, call, wallet)


async def test_on_solana_an_answer_that_was_lost_is_not_sent_again(solana: Solana) -> None:
    quote = await solana.quote(1)
    solana.node.faults = ["answer"]
    sent = await solana.sender.execute(quote)
    assert (await solana.sender.execute(quote)).hash == sent.hash
    assert len(solana.node.sent) == 1


async def test_on_solana_a_lost_transaction_is_waited_for_until_its_time_is_over(solana: Solana) -> None:
    quote = await solana.quote(2)
    solana.node.faults = ["request"]
    waiting = asyncio.create_task(solana.sender.execute(quote))
    await until(solana.is_sent)
    await solana.call("sandbox_advanceSlots", 2 * SLOTS_LEFT)
    with pytest.raises(Expired, match="never will be"):
        await waiting
    assert len(solana.node.sent) == 1


async def test_on_solana_what_cannot_be_is_said(solana: Solana) -> None:
    with pytest.raises(SendRefused, match="did not take"):
        await solana.sender.execute(await solana.quote(3, lamports=10**18))
    with pytest.raises(WrongWallet, match="ask with it as the sender"):
        await solana.sender.execute(await solana.quote(4, payer=keypair(6)))
    with pytest.raises(Expired, match="beyond the quote's last one"):
        await solana.sender.execute(await solana.quote(5, past=10**6))
    assert len(solana.node.sent) == 1


async def test_on_solana_a_fee_payer_signs_beside_the_wallet(solana: Solana) -> None:
    """In the same program, or somewhere else before: and never the wallet alone."""
    payer = keypair(7)
    quote = await solana.quote(6, fee_payer=payer)
    with pytest.raises(WrongWallet, match="needs another wallet's signature"):
        await solana.sender.execute(quote)
    async with AsyncSolanaSender(solana.node.url, solana.wallet, fee_payer=payer, poll=0.05) as sender:
        together = await sender.execute(quote)
        # A quote without a fee payer is signed as before.
        await sender.execute(await solana.quote(7))
    apart = await solana.quote(8, lamports=2, fee_payer=payer)
    data = co_signed(apart.calldata.data, payer)
    ready = apart.model_copy(update={"calldata": apart.calldata.model_copy(update={"data": data})})
    assert (await solana.sender.execute(ready)).hash != together.hash
    assert len(solana.node.sent) == 3
    with pytest.raises(WrongWallet, match="is not one that"):
        co_signed(data, keypair(4))
