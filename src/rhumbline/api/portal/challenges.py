"""Challenges that a wallet signs: each is made here, counts once, and says what its signature does."""

from dataclasses import dataclass

from rhumbline.api.portal.access import Gate, Refused
from rhumbline.api.portal.services import PortalServices
from rhumbline.api.portal.sign_in_message import LIFE, Expected, SignInMessage, message_faults, read_message
from rhumbline.domain.chain import ChainType

_MAINNET = 1
_TITLE = "Signature not accepted"


@dataclass(frozen=True, slots=True)
class Purpose:
    """What a signature is for: ``name`` keeps nonces apart, ``holder`` is who may use it, ``statement`` is signed."""

    name: str
    holder: str
    statement: str


@dataclass(frozen=True, slots=True)
class Signing:
    """Writes messages and verifies them."""

    services: PortalServices
    gate: Gate

    async def challenge(self, purpose: Purpose, address: str, chain_id: int | None = None) -> str:
        """Return a message for a wallet (EIP-55) to sign; ``chain_id`` is the wallet's own, used if it is served."""
        served = self._chain_ids()
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
        """Return the address that signed a message for this purpose, and use its nonce up; raise Refused otherwise.

        The nonce is looked for before the signature, which costs far more to verify, and taken after it: a message that
        is forged does not spend the true one's.
        """
        message = read_message(text)
        if message is None:
            raise Refused(403, _TITLE, "This is not a message of this portal: ask for a new one and sign it unchanged")
        faults = message_faults(
            message,
            Expected(self.gate.domain, self.gate.uri, purpose.statement, self._chain_ids(), self.services.clock()),
        )
        if faults:
            raise Refused(403, _TITLE, "; ".join(faults))
        nonce = message.nonce, purpose.name, purpose.holder
        if not await self.services.sessions.has_nonce(*nonce):
            raise _spent()
        if await self.services.signer_of(text, signature) != message.address:
            raise Refused(
                403,
                _TITLE,
                f"The signature is not that of {message.address}; wallets that are contracts cannot sign in here",
            )
        if not await self.services.sessions.use_nonce(*nonce):
            raise _spent()
        return message.address

    def _chain_ids(self) -> tuple[int, ...]:
        """Return the EVM chains served; where there is none, Ethereum stands for the wallet's key alone."""
        chains = self.services.chains.of_types(frozenset({ChainType.EVM}))
        return tuple(chain.id for chain in chains) or (_MAINNET,)


def _spent() -> Refused:
    told = "The message was used already, has expired, or was made for another browser: ask anew"
    return Refused(403, _TITLE, told)
