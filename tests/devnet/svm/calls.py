"""Calls of a node as anybody makes them, and a transaction to make them with."""

from base64 import b64encode
from typing import Any

from solders.hash import Hash
from solders.keypair import Keypair
from solders.message import MessageV0
from solders.pubkey import Pubkey
from solders.system_program import TransferParams, transfer
from solders.transaction import VersionedTransaction

from rhumbline.devnet.svm.accounts import keypair
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from tests.raw_calls import passed_on

SOL = 10**9
USER = keypair(0)
FRIEND = Pubkey([11] * 32)


BASE64 = {"encoding": "base64"}


async def asked(node: SvmRpc, method: str, *params: object) -> Any:
    """Return the whole answer to a call."""
    body = {"jsonrpc": "2.0", "id": 7, "method": method, "params": list(params)}
    return await passed_on(node.http, node.url, body)


async def fault(node: SvmRpc, method: str, *params: object) -> tuple[int, str]:
    answer = await asked(node, method, *params)
    assert "result" not in answer, answer
    return answer["error"]["code"], answer["error"]["message"]


def given(blockhash: str, lamports: int = SOL, to: Pubkey = FRIEND, signer: Keypair = USER) -> VersionedTransaction:
    call = transfer(TransferParams(from_pubkey=signer.pubkey(), to_pubkey=to, lamports=lamports))
    return VersionedTransaction(
        MessageV0.try_compile(signer.pubkey(), [call], [], Hash.from_string(blockhash)), [signer]
    )


def text(transaction: VersionedTransaction) -> str:
    return b64encode(bytes(transaction)).decode()
