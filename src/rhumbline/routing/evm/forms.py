"""The ways to ask on an EVM chain: through the service's contracts, or for the wallet's own call. Pure."""

from dataclasses import replace

from rhumbline.domain.chain import NATIVE_EVM, ChainType
from rhumbline.domain.errors import InvalidRequest
from rhumbline.domain.route import RouteRequest
from rhumbline.domain.unowned_addresses import is_unowned
from rhumbline.gateways.chain_types.bytes32 import address_word
from rhumbline.routing.evm.router_call import name_word
from rhumbline.routing.fees import FeeTerms, Intake, divide, fee_skipped
from rhumbline.routing.quote_context import Form, TokenPair, pays_nobody, sends_nobody
from rhumbline.routing.quote_request import wallets_own


def forms(request: RouteRequest, pair: TokenPair, terms: FeeTerms, deadline: int) -> tuple[Form, ...]:
    """Return the ways to ask, the better one first; ``deadline`` in Unix seconds.

    First a transaction that the service's contracts make, net of fees, where the chain has them. Then the upstream's
    own, made by the wallet (the direct form), but not where that would give away protection: on one chain the contracts
    hold the minimum. Raise InvalidRequest for fees beyond the bounds, and for a receiver that would lose the output.
    """
    chain = request.origin
    crossing = chain.id != request.destination.id
    ours, tokens = (chain.diamond, chain.executor), (pair.origin.address, pair.destination.address)
    refused = frozenset(address for address in (*ours, chain.receiver, *tokens) if address is not None)
    terms = replace(terms, refused=refused | {NATIVE_EVM})
    name_word(terms.name or "", "integrator")
    there = request.destination
    theirs = frozenset(each for each in (there.diamond, there.executor, there.receiver) if each is not None)
    _check_receiver(request, (refused | theirs) - {NATIVE_EVM})
    # The service's contracts refuse to pay a placeholder that they know, a bridge's own transaction would.
    lost = pays_nobody(request) and not sends_nobody(request)
    known = is_unowned(address_word(request.destination, request.receiver).hex())
    if lost and (None in ours or not known):
        raise InvalidRequest(["receiverAddress: must be a wallet that somebody has"])
    plain = wallets_own(request, pair, deadline)
    if chain.diamond is None or chain.executor is None:
        return (Form(plain, _untouched(request), None),)
    intake = divide(request.amount, chain, terms)
    recipient = request.receiver if crossing else chain.executor
    routed = Form(replace(plain, amount=intake.net, taker=chain.executor, payout_address=recipient), intake, terms)
    if lost or not crossing:
        return (routed,)
    return routed, Form(plain, _untouched(request), None, forgoes_fee=bool(intake.charges))


def _check_receiver(request: RouteRequest, refused: frozenset[str]) -> None:
    """Refuse receivers that would lose the output; as the sender's own they are placeholders, and harmless."""
    if request.receiver == request.sender or request.destination.type is not ChainType.EVM:
        return
    if request.receiver in refused:
        raise InvalidRequest(["receiverAddress: must be a wallet, not a token of the route or the service's contract"])


def _untouched(request: RouteRequest) -> Intake:
    """Take nothing: in the direct form there is nobody to take it."""
    if not request.fee_share:
        return Intake(request.amount)
    return Intake(request.amount, warnings=(fee_skipped("this route does not go through the service's contract"),))
