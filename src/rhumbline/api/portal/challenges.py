"""Challenges for a wallet to sign: each is valid once and says what its signature does."""

from dataclasses import dataclass

from rhumbline.accounts.account_ids import AccountId, read_account_id
from rhumbline.api.portal.access import Gate, Refused
from rhumbline.api.portal.contract_verdict import ContractVerdict
from rhumbline.api.portal.services import PortalServices
from rhumbline.api.portal.sign_in_message import LIFE, Expected, SignInMessage, message_faults, read_message
from rhumbline.domain.chain import ChainType
from rhumbline.domain.sentence import Sentence, joined

_MAINNET = 1
_TITLE = Sentence("Signature not accepted")


@dataclass(frozen=True, slots=True)
class Purpose:
    """The purpose of a signature: ``name`` separates nonces, ``holder`` may use it, ``statement`` is signed."""

    name: str
    holder: str
    statement: str


@dataclass(frozen=True, slots=True)
class Signing:
    """Writes messages and verifies them."""

    services: PortalServices
    gate: Gate

    async def challenge(self, purpose: Purpose, account: str, chain_id: int | None = None) -> str:
        """Return a message for an account (EIP-55, or the ID of a contract wallet) to sign.

        ``chain_id`` is where the wallet is now; it is named if it is served. A contract wallet's is in its ID.
        """
        served = self._chain_ids()
        known = read_account_id(account)
        address = account if known is None else known.address
        chain_id = chain_id if known is None or known.chain_id is None else known.chain_id
        now = self.services.clock().replace(microsecond=0)
        message = SignInMessage(
            domain=self.gate.domain,
            address=address,
            statement=purpose.statement,
            uri=self.gate.uri,
            chain_id=chain_id if chain_id in served else served[0],
            nonce=await self.services.sessions.new_nonce(purpose.name, purpose.holder),
            issued_at=now,
            expires_at=now + LIFE,
        )
        return message.written()

    async def verified(self, purpose: Purpose, text: str, signature: str) -> str:
        """Return the account that signed a message for this purpose, and use its nonce up; raise Refused otherwise.

        A plain account's ID is its address. A contract wallet's names the chain of the message, whose nodes were asked.

        The nonce is looked for before the signature, which costs far more to verify, and taken after it: a message that
        is forged does not spend the true one's.
        """
        message = read_message(text)
        if message is None:
            told = Sentence("This is not a message of this portal: ask for a new one and sign it unchanged")
            raise Refused(403, _TITLE, told)
        faults = message_faults(
            message,
            Expected(self.gate.domain, self.gate.uri, purpose.statement, self._chain_ids(), self.services.clock()),
        )
        if faults:
            raise Refused(403, _TITLE, joined(faults))
        nonce = message.nonce, purpose.name, purpose.holder
        if not await self.services.sessions.has_nonce(*nonce):
            raise _spent()
        account = await self._signer(message, text, signature)
        if not await self.services.sessions.use_nonce(*nonce):
            raise _spent()
        return account.written()

    async def _signer(self, message: SignInMessage, text: str, signature: str) -> AccountId:
        """Return the account of a message if the signature is its own, by its key or by its contract."""
        if await self.services.signer_of(text, signature) == message.address:
            return AccountId(message.address)
        verdict = await self.services.contract_verdict(message.chain_id, message.address, text, signature)
        if verdict is ContractVerdict.ACCEPTED:
            return AccountId(message.address, message.chain_id)
        chain = self.services.chains.find(str(message.chain_id))
        name = str(message.chain_id) if chain is None else chain.name
        status = 503 if verdict is ContractVerdict.UNKNOWN else 403
        raise Refused(status, _TITLE, _not_signed(verdict, message.address, name))

    def _chain_ids(self) -> tuple[int, ...]:
        """Return the served EVM chains; without one, Ethereum represents the wallet's key."""
        chains = self.services.chains.of_types(frozenset({ChainType.EVM}))
        return tuple(chain.id for chain in chains) or (_MAINNET,)


def _spent() -> Refused:
    told = Sentence("The message was used already, has expired, or was made for another browser: ask anew")
    return Refused(403, _TITLE, told)


def _not_signed(verdict: ContractVerdict, address: str, chain: str) -> Sentence:
    """Say whose the signature is not, as the chain has judged it."""
    holes = {"address": address, "chain": chain}
    if verdict is ContractVerdict.REFUSED:
        return Sentence(
            "The signature is not that of %(address)s, says the contract wallet at this address on %(chain)s", **holes
        )
    if verdict is ContractVerdict.DELEGATED:
        return Sentence(
            "The signature is not that of %(address)s's key, which signs for it on %(chain)s too: what it is delegated "
            "to does not count",
            **holes,
        )
    if verdict is ContractVerdict.UNKNOWN:
        return Sentence(
            "The signature is not that of %(address)s's key, and %(chain)s could not be asked whether it is a contract "
            "wallet's: try again",
            **holes,
        )
    return Sentence(
        "The signature is not that of %(address)s's key, and no contract wallet is at this address on %(chain)s; "
        "is yours on another chain? Switch to that one in it, then ask anew",
        **holes,
    )
