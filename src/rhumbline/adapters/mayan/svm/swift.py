"""SWIFT from Solana: the address of an order's account derives from its hash, and its program holds the input.

Source as in ``draft``. Only of the second version. The program computes the hash anew, asks Mayan's fee manager for
the share that is a part of it, and fails unless the address is the hash's and holds the amount.
"""

from dataclasses import replace
from struct import Struct

from rhumbline.adapters.mayan.amounts import fitting, normalised
from rhumbline.adapters.mayan.bytes32 import NATIVE, token_word
from rhumbline.adapters.mayan.kinds.order import Ledger, Order, Terms
from rhumbline.adapters.mayan.kinds.swift import AUCTION_MODES, order_hash, order_of, swift_order
from rhumbline.adapters.mayan.svm.draft import expect_unswapped, holder_of, kept, mint_of
from rhumbline.adapters.mayan.wire import SwiftQuote
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.expectations import expect
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.address import anchor_name, encode_address, program_address
from rhumbline.gateways.svm.programs import SPL, SYSTEM

INIT = anchor_name("global", "init_order")
FORM = Struct("<8sQBQ32sH32sQQQQQ32sBBB32s")
STATE_SIZE = 10
"""Bytes of an order's own account, as in a transaction of 2026-09-21 (slot 449137703)."""
_VERSION = "V2"
_PLAIN_TOKENS = ("spl", "native", "erc20")
"""Possible names of the input's standard: published quotes call it ``erc20`` for the native asset."""


def order(reply: SwiftQuote, terms: Terms) -> Order:
    """Return the order that a quote describes; raise UpstreamFailed for one that cannot be made."""
    if reply.swift_version != _VERSION or reply.swift_auction_mode not in AUCTION_MODES[_VERSION]:
        raise UpstreamFailed("answered a SWIFT quote of another version, or of another kind of auction")
    if reply.deadline64 is None or reply.protocol_bps is None:
        raise UpstreamFailed("answered a SWIFT quote without the fields of an order")
    expect_unswapped(reply, reply.swift_input_contract)
    if reply.swift_input_contract_standard not in (None, *_PLAIN_TOKENS):
        raise UpstreamFailed("answered a SWIFT quote for a token of another program")
    expect("fee for sending", reply.submit_relayer_fee64 or 0, 0)
    fields = swift_order(reply, terms, reply.deadline64)
    taken = reply.swift_input_contract
    hashed = order_hash(_VERSION, fields, token_word(taken, ChainType.SVM), reply.protocol_bps, terms.here.wormhole_id)
    (program, *_) = terms.here.swift
    state = state_address(hashed, fields.chain, program)
    data = FORM.pack(
        INIT, fitting(terms.amount), taken == NATIVE, 0, fields.destination, fields.chain, fields.token_out,
        fields.min_amount_out, fields.gas_drop, fields.cancel_fee, fields.refund_fee, fields.deadline, fields.referrer,
        fields.referrer_bps, reply.protocol_bps, fields.auction_mode, fields.random,
    )  # fmt: skip
    locked, guaranteed = normalised(terms.amount, reply.swift_input_decimals), terms.guaranteed(fields.min_amount_out)
    return replace(
        order_of(reply, fields, terms.amount, data, guaranteed, locked),
        reference="0x" + hashed.hex(),
        ledger=Ledger(state, _call(program, state, taken, terms, data), kept(STATE_SIZE)),
    )


def state_address(hashed: bytes, chain: int, program: str) -> str:
    """Return the address of an order: of its hash and of the destination, by Wormhole's ID."""
    return program_address([b"STATE_SOURCE", hashed, chain.to_bytes(2, "little")], program)


def _call(program: str, state: str, taken: str, terms: Terms, data: bytes) -> SvmInstruction:
    sender = encode_address(terms.sender)
    holders = [holder_of(owner, taken) for owner in (state, sender)]
    accounts = (
        AccountRole(encode_address(terms.trader)), AccountRole(sender, signer=True, writable=True),
        AccountRole(state, writable=True),
        *(AccountRole(holder, writable=True) for holder in holders),
        # Marks the missing payload.
        AccountRole(program), AccountRole(mint_of(taken)), AccountRole(terms.here.fee_manager), AccountRole(SPL),
        AccountRole(SYSTEM),
    )  # fmt: skip
    return SvmInstruction(program, accounts, data)
