"""Reading a call of Mayan's programs on Solana back: what it says, and whose address its data makes."""

import struct

from rhumbline.adapters.mayan.bytes32 import NATIVE, ZERO, token_word, word
from rhumbline.adapters.mayan.kinds.swift import SwiftOrder, order_hash
from rhumbline.adapters.mayan.protocol_calls import ProtocolCall
from rhumbline.adapters.mayan.svm import fast_mctp as solana_fast_mctp
from rhumbline.adapters.mayan.svm import mctp as solana_mctp
from rhumbline.adapters.mayan.svm import swift as solana_swift
from rhumbline.adapters.mayan.svm.ledgers import ledger_address
from rhumbline.domain.chain import ChainType
from rhumbline.domain.svm import SvmInstruction
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.svm.programs import WRAPPED_SOL

_VERSION = "V2"


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
    raise MalformedAnswer("a program is told something unknown")


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
    extras = bool(drop or bps or referrer != ZERO or submitting or call.accounts[5].address != call.program)
    found = ProtocolCall(
        token, amount, destination, extras, chain, token_out=token_out, minimum=minimum, trader=fields.trader
    )
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
