"""Two thefts by an API of DFlow's that lies, on the sandbox's own chain, with what the liar has prepared there."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from solders.hash import Hash
from solders.keypair import Keypair
from solders.message import from_bytes_versioned
from solders.transaction import VersionedTransaction

from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.dflow import emulator as dflow
from rhumbline.devnet.upstreams.dflow import order as dflow_order
from rhumbline.devnet.upstreams.svm_market import SvmTrade
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import RhumblineError
from rhumbline.domain.route import RouteRequest
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.svm.compute_budget import ComputeBudget
from rhumbline.gateways.svm.messages import compile_v0, serialise
from rhumbline.gateways.svm.programs import SPL, SYSTEM
from rhumbline.routing.svm import wallet_transaction as finishing
from tests.adapters.conformance.adapter_fixture import AdapterFixture
from tests.adapters.conformance.case import Ask

ASK = Ask("sbxs", "sbxs", "USDC", "USDT", 250 * 10**6, direct=True)
ASSERTION_FAILED = 6400
pytestmark = pytest.mark.parametrize("key", ["DFLOW"])


def asked(adapter_fixture: AdapterFixture) -> RouteRequest:
    """The wallet buys for itself."""
    question = adapter_fixture.question(ASK)
    return replace(question, receiver=question.sender)


async def refused(adapter_fixture: AdapterFixture) -> str:
    with pytest.raises(RhumblineError) as caught:
        await adapter_fixture.service([]).answer(asked(adapter_fixture))
    return str(caught.value.details)


async def prepared(rpc: SvmRpc, liar: Keypair, mint: str, victim: str) -> str:
    """Make a token account that is the victim's, and that the liar may close."""
    made, payer = Keypair(), str(liar.pubkey())
    at, rent = str(made.pubkey()), (await rpc.rent()).minimum(165)
    signer, itself = AccountRole(payer, signer=True, writable=True), AccountRole(at, writable=True)
    data = bytes(4) + rent.to_bytes(8, "little") + (165).to_bytes(8, "little") + _key(SPL)
    work = [
        SvmInstruction(SYSTEM, (signer, AccountRole(at, signer=True, writable=True)), data),
        SvmInstruction(SPL, (itself, AccountRole(mint)), b"\x12" + _key(payer)),
        SvmInstruction(SPL, (itself, signer), b"\x06\x03\x01" + _key(payer)),
        SvmInstruction(SPL, (itself, signer), b"\x06\x02\x01" + _key(victim)),
    ]
    message = compile_v0(payer, work, (), (await rpc.latest_blockhash()).value)
    await rpc.send(bytes(VersionedTransaction(from_bytes_versioned(message), [liar, made])))
    async with asyncio.timeout(60):
        while True:
            if await rpc.account(at) is not None:
                return at
            await asyncio.sleep(0.05)


def _key(address: str) -> bytes:
    return bytes(Hash.from_string(address))


@pytest.mark.parametrize("asserted", [True, False])
async def test_an_output_into_an_account_that_the_liar_may_close(
    adapter_fixture: AdapterFixture, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, asserted: bool
) -> None:
    """The wallet's own account stands in the swap all the same: it is made beside it.

    What the transaction asserts at its end fails it; where there is no room for that the run shows it.
    """
    question = asked(adapter_fixture)
    rpc = adapter_fixture.svm_rpcs[question.origin.id]
    liar = Keypair.from_base58_string([each for each in sandbox.accounts if each.type is ChainType.SVM][-1].private_key)
    account = await prepared(rpc, liar, question.destination_token, question.receiver)
    steps = SvmTrade.steps

    def diverted(self: SvmTrade, owner: str, destination: str | None = None, *, signer: bool = True) -> Any:
        return steps(self, owner, account, signer=signer)

    monkeypatch.setattr(SvmTrade, "steps", diverted)
    if asserted:
        assert f"the transaction reverts: instruction 4: Custom {ASSERTION_FAILED}" in await refused(adapter_fixture)
        return
    monkeypatch.setattr(finishing, "assertions", lambda *_: ())
    assert f"{liar.pubkey()} may close: that must be revoked first ({account})" in await refused(adapter_fixture)


async def test_a_co_signed_message_that_pays_the_network_thousands(
    adapter_fixture: AdapterFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second signer keeps the message from being written anew, and with it the price that it names."""
    partner = Keypair()

    def sealed(wanted: dflow_order.CheckedRequest, trade: SvmTrade, blockhash: Any, table: Any, lie: Any) -> bytes:
        swap = dflow_order._swap(wanted, trade, lie)
        swap = replace(swap, accounts=(*swap.accounts, AccountRole(str(partner.pubkey()), signer=True)))
        budget = ComputeBudget(150_000, 28_000_000_000_000).instructions()
        message = compile_v0(wanted.user, (*budget, swap), [table], blockhash.value)
        signature = bytes(partner.sign_message(message))
        return serialise(message, [wanted.user, str(partner.pubkey())], {str(partner.pubkey()): signature})

    monkeypatch.setattr(dflow, "transaction", sealed)
    assert "the network's fee and rent would cost 4200.0" in await refused(adapter_fixture)
