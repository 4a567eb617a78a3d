"""Signatures of a quote's transaction on Solana: the wallet's own, and a fee payer's beside it."""

from base64 import b64decode, b64encode

from solders.keypair import Keypair
from solders.message import to_bytes_versioned
from solders.pubkey import Pubkey
from solders.signature import Signature
from solders.transaction import VersionedTransaction

from rhumbline_client.errors import WrongWallet
from rhumbline_client.sending import Signed


def co_signed(data: str, keypair: Keypair) -> str:
    """Return a quote's ``calldata.data`` with one signature more; the others stay as they are.

    Whoever pays for others' transactions asks for the quote itself and signs what it was answered: of data that a
    stranger sends, nothing says what it would pay for.

    Raises:
        WrongWallet: the transaction has no place for this signature.

    """
    return b64encode(bytes(_with_signature(_read(data), keypair))).decode()


def signed_by(data: str, wallet: Keypair, fee_payer: Keypair | None) -> Signed:
    """Return a transaction with all of its signatures; others may have signed already.

    Raises:
        WrongWallet: there is no place for the wallet's signature, or another one is missing.

    """
    transaction = _with_signature(_read(data), wallet)
    if fee_payer is not None and fee_payer.pubkey() in _signers(transaction):
        transaction = _with_signature(transaction, fee_payer)
    if Signature.default() in transaction.signatures:
        raise WrongWallet("the transaction needs another wallet's signature, too")
    return Signed(str(transaction.signatures[0]), b64encode(bytes(transaction)).decode())


def _read(data: str) -> VersionedTransaction:
    return VersionedTransaction.from_bytes(b64decode(data))


def _signers(transaction: VersionedTransaction) -> list[Pubkey]:
    message = transaction.message
    return list(message.account_keys[: message.header.num_required_signatures])


def _with_signature(transaction: VersionedTransaction, keypair: Keypair) -> VersionedTransaction:
    signers, signatures = _signers(transaction), list(transaction.signatures)
    if keypair.pubkey() not in signers:
        raise WrongWallet(f"the transaction is not one that {keypair.pubkey()} signs: ask with it as the sender")
    signatures[signers.index(keypair.pubkey())] = keypair.sign_message(to_bytes_versioned(transaction.message))
    return VersionedTransaction.populate(transaction.message, signatures)
