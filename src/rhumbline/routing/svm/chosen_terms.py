"""A caller's choices for a transaction on Solana, held to what is on the chain before an adapter is asked."""

from collections.abc import Iterator, Mapping

from rhumbline.domain.solana_terms import SolanaTerms
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.shared_state import SharedState
from rhumbline.gateways.svm.account import Account, Rent
from rhumbline.gateways.svm.address import is_on_curve
from rhumbline.gateways.svm.compute_budget import LAMPORTS_PER_SIGNATURE
from rhumbline.gateways.svm.jito import TIP_ACCOUNTS
from rhumbline.gateways.svm.programs import SPL_PROGRAMS, SYSTEM

_SIGNATURES = 2
_SIGNER_BYTES, _TRANSFER_BYTES, _ADDRESS_BYTES = 96, 17, 32


def bytes_of(terms: SolanaTerms | None) -> int:
    """Return the bytes by which choices make a transaction larger: another signer, a tip, rent that is given back."""
    if terms is None:
        return 0
    sponsored = 0 if terms.fee_payer is None else _SIGNER_BYTES + _TRANSFER_BYTES
    return sponsored + (_TRANSFER_BYTES + _ADDRESS_BYTES if terms.tip else 0)


async def terms_faults(rpc: SvmRpc, terms: SolanaTerms | None) -> list[str]:
    """Return why choices cannot be had on this chain; raise as the node's other calls do."""
    if terms is None or (terms.fee_payer is None and not terms.tip):
        return []
    if terms.fee_payer is not None and not is_on_curve(terms.fee_payer):
        return ["feePayer: belongs to a program, which cannot sign; name a wallet"]
    state = SharedState(rpc)
    named = (*(() if terms.fee_payer is None else (terms.fee_payer,)), *(TIP_ACCOUNTS if terms.tip else ()))
    found, rent = (await state.page(named)).found, await state.rent()
    return [*_payer_faults(terms, found, rent), *_tip_faults(terms, found, rpc.name)]


def _payer_faults(terms: SolanaTerms, found: Mapping[str, Account | None], rent: Rent) -> Iterator[str]:
    if terms.fee_payer is None:
        return
    account = found[terms.fee_payer]
    if account is not None and (account.executable or account.owner in SPL_PROGRAMS):
        yield "feePayer: must be a wallet, not a program, a token or a token account"
    elif account is not None and (account.owner != SYSTEM or account.data):
        yield "feePayer: its account belongs to a program and cannot pay fees; name another wallet"
    else:
        has, priority = 0 if account is None else account.lamports, terms.priority
        fee = LAMPORTS_PER_SIGNATURE * _SIGNATURES + (priority if isinstance(priority, int) else 0)
        needed = fee + terms.tip + rent.minimum(0)
        if has < needed:
            yield f"feePayer: has {has} lamports, and at least {needed} are needed; fund it, or name another wallet"


def _tip_faults(terms: SolanaTerms, found: Mapping[str, Account | None], name: str) -> Iterator[str]:
    if terms.tip and any(found[each] is None for each in TIP_ACCOUNTS):
        yield f"jitoTip: {name} has no tip accounts of Jito's; leave it out"
