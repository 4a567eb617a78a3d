"""Comparing a transaction on Solana, read back, with what was asked; UpstreamFailed is raised where it differs."""

from rhumbline.adapters.mayan.bytes32 import NATIVE, marker_of
from rhumbline.adapters.mayan.deployments import Deployment
from rhumbline.adapters.mayan.kinds.order import Order
from rhumbline.adapters.mayan.protocol_calls import ProtocolCall
from rhumbline.adapters.mayan.served_kinds import contracts_of
from rhumbline.adapters.mayan.svm.draft import RENT, holder_of, mint_of
from rhumbline.adapters.mayan.svm.program_calls import read_program_call
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.expectations import expect, expect_one_of
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.svm import AccountRole, SvmDraft, SvmInstruction
from rhumbline.gateways.svm.instructions import CreateTokenAccount, Known, SyncNative, SystemTransfer, TokenTransfer
from rhumbline.gateways.svm.programs import SPL


def read_order(call: SvmInstruction, order: Order, request: QuoteRequest, here: Deployment) -> ProtocolCall:
    """Read the protocol's call back; raise UpstreamFailed unless its accounts are the order's own, and the wallet's.

    Raise MalformedAnswer for a call that is not known.
    """
    found, owner = read_program_call(call, here.wormhole_id)
    expect_one_of("program", order.contract, frozenset(contracts_of(order.kind, here)))
    expect("program", call.program, order.contract)
    accounts = [role.address for role in call.accounts]
    if owner not in accounts or holder_of(owner, order.input_token) not in accounts:
        raise UpstreamFailed("answered an order whose account is another's")
    signers = {role.address for role in call.accounts if role.signer}
    expect("signer", signers, {request.sender})
    return found


def verify_draft(draft: SvmDraft, order: Order, request: QuoteRequest, here: Deployment) -> None:
    """Compare all instructions: an account is made, the wallet pays into it, its order is started, and that is all."""
    *steps, call = [_behind(each, here.proxy) for each in draft.instructions]
    found, owner = read_program_call(call, here.wormhole_id)
    expect("order", (call.program, call.data), (order.contract, order.data))
    expect("amount", found.amount, request.amount)
    token = marker_of(request.origin_token.address, request.origin.type)
    holder, mint = holder_of(owner, token), mint_of(token)
    source = holder_of(request.sender, token)
    paid: tuple[Known, ...] = (TokenTransfer(SPL, source, holder, request.sender, request.amount),)
    if token == NATIVE:
        paid = SystemTransfer(request.sender, holder, request.amount), SyncNative(SPL, holder)
    made = CreateTokenAccount(request.sender, holder, owner, mint, SPL, extra=(AccountRole(RENT),))
    expect("way of paying", steps, [each.encode() for each in (made, *paid)])
    signers = {role.address for each in draft.instructions for role in each.accounts if role.signer}
    expect("signer", signers, {request.sender})
    deposit = draft.deposit
    if deposit is None or (deposit.token, deposit.least, deposit.holders) != (mint, request.amount, (holder,)):
        raise UpstreamFailed("answered an order whose account is another's")


def _behind(call: SvmInstruction, proxy: str) -> SvmInstruction:
    """Return what the proxy is told to call."""
    expect("program", call.program, proxy)
    if not call.accounts or call.accounts[0] != AccountRole(call.accounts[0].address):
        raise UpstreamFailed("answered a call that the proxy does not know")
    return SvmInstruction(call.accounts[0].address, call.accounts[1:], call.data)
