"""Decodes calls of Mayan's Solana programs and compares them with the request.

UpstreamFailed is raised where they differ.
"""

import struct

from rhumbline.adapters.mayan.bytes32 import NATIVE, ZERO, marker_of, token_word, word
from rhumbline.adapters.mayan.deployments import Deployment
from rhumbline.adapters.mayan.kinds.order import Order
from rhumbline.adapters.mayan.kinds.swift import SwiftOrder, order_hash
from rhumbline.adapters.mayan.protocol_calls import ProtocolCall
from rhumbline.adapters.mayan.served_kinds import contracts_of
from rhumbline.adapters.mayan.svm import fast_mctp as solana_fast_mctp
from rhumbline.adapters.mayan.svm import mctp as solana_mctp
from rhumbline.adapters.mayan.svm import swift as solana_swift
from rhumbline.adapters.mayan.svm.draft import RENT, holder_of, mint_of
from rhumbline.adapters.mayan.svm.ledgers import ledger_address
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.expectations import expect, expect_one_of
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.svm import AccountRole, SvmDraft, SvmInstruction
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.svm.instructions import CreateTokenAccount, Known, SyncNative, SystemTransfer, TokenTransfer
from rhumbline.gateways.svm.programs import SPL, WRAPPED_SOL

_VERSION = "V2"


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
    """Return the call inside the proxy's call."""
    expect("program", call.program, proxy)
    if not call.accounts or call.accounts[0] != AccountRole(call.accounts[0].address):
        raise UpstreamFailed("answered a call that the proxy does not know")
    return SvmInstruction(call.accounts[0].address, call.accounts[1:], call.data)


def read_program_call(call: SvmInstruction, wormhole_id: int) -> tuple[ProtocolCall, str]:
    """Read a call, and work out whose token account it starts an order with; ``wormhole_id`` is Solana's.

    Raise MalformedAnswer for a call that is not among those known.
    """
    try:
        match call.data[:8]:
            case solana_swift.INIT:
                return _swift(call, wormhole_id)
            case solana_mctp.CREATE:
                return _mctp_order(call)
            case solana_mctp.BRIDGE:
                return _mctp_bridge(call)
            case solana_fast_mctp.CREATE:
                return _fast_order(call)
            case solana_fast_mctp.BRIDGE:
                return _fast_bridge(call)
    except (struct.error, IndexError) as error:
        raise MalformedAnswer("a program's call has other data or accounts") from error
    raise MalformedAnswer("a program gets an unknown call")


def _swift(call: SvmInstruction, wormhole_id: int) -> tuple[ProtocolCall, str]:
    (
        _, amount, native, submitting, destination, chain, token_out, minimum, drop, cancel, refund, deadline, referrer,
        bps, protocol_bps, mode, random,
    ) = solana_swift.FORM.unpack(call.data)  # fmt: skip
    trader, mint = (call.accounts[at].address for at in (0, 6))
    if native not in (0, 1) or (native and mint != WRAPPED_SOL):
        raise MalformedAnswer("a program is told of another input than it is given")
    token = NATIVE if native else mint
    fields = SwiftOrder(
        word(trader, ChainType.SVM), token_out, minimum, drop, cancel, refund, deadline, destination, chain, referrer,
        bps, mode, random,
    )  # fmt: skip
    hashed = order_hash(_VERSION, fields, token_word(token, ChainType.SVM), protocol_bps, wormhole_id)
    extras = bool(bps or referrer != ZERO or submitting or call.accounts[5].address != call.program)
    found = ProtocolCall(
        token, amount, destination, extras, chain, token_out=token_out, minimum=minimum, trader=fields.trader,
        gas_drop=drop,
    )  # fmt: skip
    return found, solana_swift.state_address(hashed, chain, call.program)


def _mctp_order(call: SvmInstruction) -> tuple[ProtocolCall, str]:
    _, destination, amount, drop, _fee, _before, chain, key, mode, token_out, minimum, _deadline, referrer, bps = (
        solana_mctp.ORDER_FORM.unpack(call.data)
    )
    extras = bool(drop or bps or referrer != ZERO or mode != solana_mctp.SWAPPED)
    found = ProtocolCall(
        call.accounts[3].address, amount, destination, extras, chain, token_out=token_out, minimum=minimum
    )
    return found, _ledger(call, key, swapped=True)


def _mctp_bridge(call: SvmInstruction) -> tuple[ProtocolCall, str]:
    _, destination, amount, drop, _fee, _before, chain, key, mode = solana_mctp.BRIDGE_FORM.unpack(call.data)
    payload, referrer = (call.accounts[at].address for at in (3, 7))
    strange = payload != call.program or word(referrer, ChainType.SVM) != ZERO
    extras = bool(drop or strange or mode not in (solana_mctp.WITH_FEE, solana_mctp.LOCKED_FEE))
    found = ProtocolCall(call.accounts[4].address, amount, destination, extras, chain)
    return found, _ledger(call, key, swapped=False)


def _fast_order(call: SvmInstruction) -> tuple[ProtocolCall, str]:
    (
        _, destination, amount, drop, _fee, _refund, _before, domain, number, mode, token_out, minimum, _deadline,
        referrer, bps, _circle, _finality,
    ) = solana_fast_mctp.ORDER_FORM.unpack(call.data)  # fmt: skip
    extras = bool(drop or bps or referrer != ZERO or mode != solana_fast_mctp.SWAPPED)
    found = ProtocolCall(
        call.accounts[4].address, amount, destination, extras, domain=domain, token_out=token_out, minimum=minimum
    )
    return found, _ledger(call, number.to_bytes(2, "little"), swapped=True)


def _fast_bridge(call: SvmInstruction) -> tuple[ProtocolCall, str]:
    _, destination, amount, drop, _fee, _before, domain, referrer, bps, number, _circle, _finality, mode = (
        solana_fast_mctp.BRIDGE_FORM.unpack(call.data)
    )
    strange = call.accounts[4].address != call.program or mode != solana_fast_mctp.BRIDGED
    extras = bool(drop or bps or referrer != ZERO or strange)
    found = ProtocolCall(call.accounts[5].address, amount, destination, extras, domain=domain)
    return found, _ledger(call, number.to_bytes(2, "little"), swapped=False)


def _ledger(call: SvmInstruction, drawn: bytes, *, swapped: bool) -> str:
    return ledger_address(word(call.accounts[0].address, ChainType.SVM), drawn, call.program, swapped=swapped)
