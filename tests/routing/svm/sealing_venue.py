"""Venues over a pool whose transactions somebody else signs too, or that are made with other terms than the pool's."""

from dataclasses import dataclass, replace
from typing import Any

from solders.hash import Hash
from solders.keypair import Keypair

from rhumbline.domain.quote import Quote
from rhumbline.domain.svm import AccountRole, SvmDraft, SvmInstruction, SvmSealed
from rhumbline.domain.transaction import UpstreamTransaction
from rhumbline.gateways.svm.compute_budget import ComputeBudget
from rhumbline.gateways.svm.instructions import SystemTransfer
from rhumbline.gateways.svm.messages import compile_v0
from rhumbline.gateways.svm.wrapped_sol import wrapped_account
from tests.routing.svm.pool_venue import PROGRAM, PoolVenue

OTHER = Keypair.from_seed(b"somebody who signs what we send ")


def signed_by(signer: Keypair, sender: str) -> SvmInstruction:
    """Nothing is paid, and one more account is named, which has to sign."""
    role = AccountRole(str(signer.pubkey()), signer=True)
    return SystemTransfer(sender, wrapped_account(sender), 0, (role,)).encode()


@dataclass(frozen=True)
class ChangedVenue(PoolVenue):
    """Changes fields of what it drafts; ``co_signer`` is named as a signer."""

    changes: tuple[tuple[str, Any], ...] = ()
    co_signer: Keypair | None = None

    async def build(self, quote: Quote[bool]) -> UpstreamTransaction:
        draft = await PoolVenue.build(self, quote)
        assert isinstance(draft, SvmDraft)
        signer = self.co_signer
        if signer is not None:
            draft = replace(draft, instructions=(*draft.instructions, signed_by(signer, quote.request.sender)))
        return replace(draft, **dict(self.changes))


@dataclass(frozen=True)
class SealingVenue(PoolVenue):
    """Hands out a message that `OTHER` has signed where it ``signs``, with ``more`` instructions at its end.

    ``blockhash`` None: the latest.
    """

    signs: bool = True
    more: tuple[SvmInstruction, ...] = ()
    units: int | None = 150_000
    price: int | None = None
    ends: int | None = None
    blockhash: Hash | None = None

    async def build(self, quote: Quote[bool]) -> UpstreamTransaction:
        draft = await PoolVenue.build(self, quote)
        assert isinstance(draft, SvmDraft)
        work = [*draft.instructions, signed_by(OTHER, quote.request.sender)]
        budget = ComputeBudget(self.units, self.price).instructions()
        blockhash = str(self.blockhash or self.chain.blockhash())
        message = compile_v0(quote.request.sender, [*budget, *work, *self.more], (), blockhash)
        signature = bytes(OTHER.sign_message(message))
        return SvmSealed(
            quote.request.origin.id, PROGRAM, message, {str(OTHER.pubkey()): signature} if self.signs else {},
            draft.programs, enforces_minimum=True, last_valid_block_height=self.ends,
        )  # fmt: skip
