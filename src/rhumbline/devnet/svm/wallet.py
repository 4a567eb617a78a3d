"""A wallet on the sandbox's Solana chain, and a client of that chain."""

import asyncio
import time
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from solders.keypair import Keypair
from solders.message import to_bytes_versioned
from solders.transaction import VersionedTransaction

from rhumbline.devnet.wallets import Receipt, TransactionFailed
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.svm.calls import SvmRpcError
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.state import SvmState
from rhumbline.gateways.svm.address import associated_token_address

_LOOK_AGAIN_S = 0.05
_DEADLINE_S = 60.0


@dataclass(frozen=True, slots=True)
class SvmWallet:
    """One account on one chain."""

    key: Keypair
    rpc: SvmRpc

    @property
    def address(self) -> str:
        """The account's address in base58."""
        return str(self.key.pubkey())

    async def approve(self, token: str, spender: str, amount: int) -> Receipt:
        """Raise TransactionFailed: Solana transactions need no approval, and none is given."""
        raise TransactionFailed("nothing is approved on Solana")

    async def execute(self, quote: Mapping[str, Any]) -> Receipt:
        """Sign an answer's transaction, send it with the signatures it has, and wait; raise TransactionFailed."""
        signed = signed_by(self.key, b64decode(quote["calldata"]["data"], validate=True))
        try:
            signature = await self.rpc.send(signed)
        except SvmRpcError as error:
            raise TransactionFailed(f"the node refuses it: {error}: {' / '.join(error.logs)}") from None
        return await self._wait(signature)

    async def _wait(self, signature: str) -> Receipt:
        end = time.monotonic() + _DEADLINE_S
        while time.monotonic() < end:
            executed = await self.rpc.transaction(signature)
            if executed is not None:
                if executed.error is not None:
                    raise TransactionFailed(f"transaction {signature} failed: {executed.error}")
                return Receipt(signature, executed.slot, executed.fee)
            await asyncio.sleep(_LOOK_AGAIN_S)
        raise TransactionFailed(f"transaction {signature} was not confirmed within {_DEADLINE_S:.0f} seconds")


@dataclass(frozen=True, slots=True)
class SvmClient:
    """One chain through its node."""

    rpc: SvmRpc

    def wallet(self, private_key: str) -> SvmWallet:
        """Return the wallet of a key, base58 of 64 bytes."""
        return SvmWallet(Keypair.from_base58_string(private_key), self.rpc)

    async def balance_of(self, token: str, owner: str) -> int:
        return await balance_of(self.rpc, token, owner)


def open_svm_chain(described: Mapping[str, Any], http: HttpClient) -> SvmClient:
    """Open a chain from its entry in the sandbox's file."""
    return SvmClient(SvmRpc(described["rpc_url"], http, described["key"]))


def signed_by(key: Keypair, transaction: bytes) -> bytes:
    """Return a serialised transaction with this key's signature added to those it has.

    Raise TransactionFailed if the key is no signer.
    """
    read = VersionedTransaction.from_bytes(transaction)
    signers = read.message.account_keys[: read.message.header.num_required_signatures]
    if key.pubkey() not in signers:
        raise TransactionFailed(f"{key.pubkey()} is no signer of this transaction")
    signatures = read.signatures
    signatures[signers.index(key.pubkey())] = key.sign_message(to_bytes_versioned(read.message))
    return bytes(VersionedTransaction.populate(read.message, signatures))


async def balance_of(rpc: SvmRpc, token: str, owner: str) -> int:
    """Return the balance of ``owner``'s associated account, in raw units of ``token`` (lamports for the native marker).

    Raise TransactionFailed if the address is no token.
    """
    if token == NATIVE_SVM:
        account = await rpc.account(owner)
        return 0 if account is None else account.lamports
    state = SvmState(rpc)
    mint = (await state.mints([token]))[token]
    if mint is None:
        raise TransactionFailed(f"{token} is no token")
    address = associated_token_address(owner, token, mint.program)
    holding = (await state.token_accounts([address]))[address]
    return 0 if holding is None else holding.amount
