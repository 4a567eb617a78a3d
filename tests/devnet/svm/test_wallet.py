"""A wallet signs what it is handed, beside those who signed before it, and says what became of it."""

from base64 import b64encode

import pytest
from solders.keypair import Keypair

from rhumbline.devnet.svm.accounts import keypair, sandbox_account
from rhumbline.devnet.svm.chain_setup import token
from rhumbline.devnet.svm.chains import RunningSolana
from rhumbline.devnet.svm.plans import HELD_USD, raw_amount
from rhumbline.devnet.svm.wallet import SvmClient, open_svm_chain
from rhumbline.devnet.wallets import TransactionFailed
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.svm import SvmInstruction
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.svm.instructions import SystemTransfer
from rhumbline.gateways.svm.messages import compile_v0, serialise

SOL = 10**9
USER, FRIEND = keypair(0), keypair(1)
OWNER, OTHER = str(USER.pubkey()), str(FRIEND.pubkey())


@pytest.fixture
def client(lively: RunningSolana, http: HttpClient) -> SvmClient:
    return open_svm_chain({"rpc_url": lively.server.rpc_url, "key": "sbxs"}, http)


async def handed_out(client: SvmClient, *calls: SvmInstruction, signed: Keypair | None = None) -> dict[str, object]:
    """Return an answer of the service with a transaction of the user's; whoever ``signed`` has done so."""
    blockhash = await client.rpc.latest_blockhash()
    message = compile_v0(OWNER, calls, [], blockhash.value)
    signatures = {} if signed is None else {str(signed.pubkey()): bytes(signed.sign_message(message))}
    signers = [OWNER] if signed is None else [OWNER, str(signed.pubkey())]
    return {"calldata": {"data": b64encode(serialise(message, signers, signatures)).decode()}}


async def test_what_is_signed_is_executed(client: SvmClient) -> None:
    wallet, receiver = client.wallet(sandbox_account(0).private_key), str(Keypair().pubkey())
    assert wallet.address == OWNER
    before = await client.balance_of(NATIVE_SVM, OWNER)
    quote = await handed_out(client, SystemTransfer(OWNER, receiver, SOL).encode())
    receipt = await wallet.execute(quote)
    assert await client.balance_of(NATIVE_SVM, receiver) == SOL
    assert before - await client.balance_of(NATIVE_SVM, OWNER) == SOL + receipt.cost
    assert receipt.cost == 5000


async def test_signatures_of_others_stay(client: SvmClient) -> None:
    receiver = str(Keypair().pubkey())
    quote = await handed_out(client, SystemTransfer(OTHER, receiver, SOL).encode(), signed=FRIEND)
    await client.wallet(str(USER)).execute(quote)
    assert await client.balance_of(NATIVE_SVM, receiver) == SOL


async def test_what_fails_says_so(client: SvmClient) -> None:
    wallet = client.wallet(str(USER))
    with pytest.raises(TransactionFailed, match="custom program error"):
        await wallet.execute(await handed_out(client, SystemTransfer(OWNER, OTHER, 10**17).encode()))
    with pytest.raises(TransactionFailed, match="is no signer"):
        await client.wallet(str(FRIEND)).execute(await handed_out(client, SystemTransfer(OWNER, OTHER, 1).encode()))
    with pytest.raises(TransactionFailed, match="nothing is approved"):
        await wallet.approve(str(token("USDC").mint), OTHER, 1)


async def test_balances_are_those_of_the_associated_account(client: SvmClient) -> None:
    usdc = str(token("USDC").mint)
    assert await client.balance_of(usdc, str(keypair(7).pubkey())) == raw_amount("USDC", HELD_USD)
    assert await client.balance_of(usdc, str(Keypair().pubkey())) == 0
    assert await client.balance_of(NATIVE_SVM, str(Keypair().pubkey())) == 0
    with pytest.raises(TransactionFailed, match="is no token"):
        await client.balance_of(OWNER, OWNER)
