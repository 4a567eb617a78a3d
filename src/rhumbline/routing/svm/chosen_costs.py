"""What a caller's choices cost, as it is read off the finished message, and as a simulation must know it. Pure."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.fee import Charge
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.solana_terms import SolanaCosts, SolanaTerms
from rhumbline.gateways.svm.compute_budget import LAMPORTS_PER_SIGNATURE, network_fee
from rhumbline.gateways.svm.jito import tip_account
from rhumbline.simulation.svm.task import FeePayer


def priority_fee_of(transaction: bytes, most: int | None) -> int:
    """Return the priority fee that a finished transaction pays; raise UpstreamFailed if it is more than ``most``."""
    # It begins with the number of its signatures.
    paid = network_fee(transaction).most - LAMPORTS_PER_SIGNATURE * transaction[0]
    if most is not None and paid > most:
        raise UpstreamFailed("answered with a transaction whose priority fee is more than was asked for")
    return paid


def costs_of(
    transaction: bytes, signers: Sequence[str], identifier: bytes, terms: SolanaTerms, rents: Mapping[str, int]
) -> SolanaCosts:
    """Return what a finished transaction costs by its message; ``rents`` are the most that a fee payer's may be."""
    return SolanaCosts(
        network_fee=network_fee(transaction).most,
        priority_fee=priority_fee_of(transaction, terms.priority if isinstance(terms.priority, int) else None),
        signers=tuple(signers),
        tip=terms.tip,
        tip_account=tip_account(identifier) if terms.tip else None,
        fee_payer=terms.fee_payer,
        sponsored_rent=sum(rents.values()),
    )


def payments(
    charges: Collection[Charge], quote_request: QuoteRequest, terms: SolanaTerms, rents: Mapping[str, int]
) -> dict[str, Any]:
    """Return what a simulation must know of the caller's choices, by the fields of its task."""
    if terms.fee_payer is None:
        return {"tip": terms.tip}
    native = quote_request.origin_token.address == NATIVE_SVM
    income = sum(charge.amount for charge in charges if native and charge.recipient == terms.fee_payer)
    return {"fee_payer": FeePayer(terms.fee_payer, terms.tip, dict(rents), income)}
