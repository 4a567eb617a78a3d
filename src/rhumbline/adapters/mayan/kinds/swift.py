"""SWIFT: the origin's contract holds the input of an order, and a solver fills it on the destination.

Source, read 2026-11-21: swap-sdk 15.2.0 and MayanSwift.sol of https://github.com/mayan-finance/swap-bridge. Versions 1
and 2 differ in the order's fields; version 2 takes no native input, which is wrapped first (474 to 1 on Ethereum,
2026-09-28). The hashed data of an order of version 2 has 272 bytes. If nobody fills the order before its deadline, the
trader gets the input back on the origin, less ``cancelFee`` and ``refundFee``.
"""

from dataclasses import dataclass, replace
from types import MappingProxyType

from eth_utils.crypto import keccak

from rhumbline.adapters.mayan.amounts import fitting, floored, normalised, protocol_units
from rhumbline.adapters.mayan.bytes32 import NATIVE, ZERO
from rhumbline.adapters.mayan.kinds.order import Kind, Order, Terms, least_middle
from rhumbline.adapters.mayan.wire import SwiftQuote
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.expectations import same
from rhumbline.gateways.chain_types.bytes32 import evm_word
from rhumbline.gateways.evm.calldata import Function

_V1 = "(bytes32,bytes32,uint64,uint64,uint64,uint64,uint64,bytes32,uint16,bytes32,uint8,uint8,bytes32)"
_V2 = "(uint8,bytes32,bytes32,uint16,bytes32,bytes32,uint64,uint64,uint64,uint64,uint64,uint8,uint8,bytes32)"
CREATE_WITH_ETH = Function(f"createOrderWithEth({_V1})")
CREATE_WITH_TOKEN = Function(f"createOrderWithToken(address,uint256,{_V1})")
CREATE_WITH_TOKEN_2 = Function(f"createOrderWithToken(address,uint256,{_V2},bytes)")
AUCTION_MODES = MappingProxyType({"V1": frozenset({1, 2}), "V2": frozenset({1, 2, 3})})
"""BYPASS and ENGLISH (MayanSwift.sol, ``AuctionMode``; 0 is NONE), and of the second version the guaranteed price."""
GUARANTEED = 3
"""The receiver gets exactly the minimum, which is the quote's expected output (the SDK's README, 2026-09)."""
_PLAIN = 1
_HALF = 16


@dataclass(frozen=True, slots=True)
class SwiftOrder:
    """An order's fields, in the protocol's units; addresses are 32-byte words."""

    trader: bytes
    token_out: bytes
    min_amount_out: int
    gas_drop: int
    cancel_fee: int
    refund_fee: int
    deadline: int
    destination: bytes
    chain: int
    referrer: bytes
    referrer_bps: int
    auction_mode: int
    random: bytes

    def first(self) -> tuple[object, ...]:
        return (
            self.trader, self.token_out, self.min_amount_out, self.gas_drop, self.cancel_fee, self.refund_fee,
            self.deadline, self.destination, self.chain, self.referrer, self.referrer_bps, self.auction_mode,
            self.random,
        )  # fmt: skip

    def second(self) -> tuple[object, ...]:
        return (
            _PLAIN, self.trader, self.destination, self.chain, self.referrer, self.token_out, self.min_amount_out,
            self.gas_drop, self.cancel_fee, self.refund_fee, self.deadline, self.referrer_bps, self.auction_mode,
            self.random,
        )  # fmt: skip


def order(reply: SwiftQuote, terms: Terms) -> Order:
    """Return the order that a quote describes; raise UpstreamFailed for one that cannot be made."""
    version = reply.swift_version
    if reply.swift_auction_mode not in AUCTION_MODES.get(version, ()) or reply.deadline64 is None:
        raise UpstreamFailed("answered a SWIFT quote without the fields of an order")
    if version == "V1" and not any(same(reply.swift_mayan_contract, each) for each in terms.here.swift_first):
        raise UpstreamFailed("answered a SWIFT quote of the first version, which is retired")
    direct = reply.swift_input_contract.lower() == reply.from_token.contract.lower()
    native = reply.swift_input_contract == NATIVE
    if native and (version == "V2" or not direct):
        raise UpstreamFailed("answered a SWIFT quote that this version's contract cannot take")
    fields = swift_order(reply, terms, reply.deadline64)
    amount = floored(terms.amount, reply.swift_input_decimals) if direct else terms.amount
    least = 0 if direct else least_middle(reply, reply.swift_input_decimals)
    # Locked amounts are cut to 64 bits: more than that would be given away.
    locked = fitting(normalised(amount if direct else least, reply.swift_input_decimals))
    guaranteed = terms.guaranteed(fields.min_amount_out)
    taken = NATIVE if reply.swift_wrap_and_lock and version == "V2" else reply.swift_input_contract
    return replace(
        order_of(reply, fields, amount, _encoded(version, fields, taken, amount, native=native), guaranteed, locked),
        min_middle=least,
        reference=_reference(version, fields, taken, reply.protocol_bps, terms.here.wormhole_id),
    )


def order_of(reply: SwiftQuote, fields: SwiftOrder, amount: int, data: bytes, guaranteed: int, locked: int) -> Order:
    """Return what an order is on any origin, but for its reference; ``locked`` is in the protocol's units."""
    return Order(
        kind=Kind.SWIFT,
        contract=reply.swift_mayan_contract,
        input_token=reply.swift_input_contract,
        amount=amount,
        data=data,
        guaranteed=guaranteed,
        deadline=fields.deadline,
        carried=locked,
        refund_fees=fields.cancel_fee + fields.refund_fee,
        left=locked,
        decimals=reply.swift_input_decimals,
        most=guaranteed if reply.swift_auction_mode == GUARANTEED else None,
        protocol_bps=reply.protocol_bps or 0,
    )


def swift_order(reply: SwiftQuote, terms: Terms, deadline: int) -> SwiftOrder:
    """Return the order's fields; raise UpstreamFailed for one that the protocol cannot hold."""
    return SwiftOrder(
        terms.trader,
        terms.token_out,
        protocol_units(reply.min_amount_out, reply.to_token.decimals),
        protocol_units(reply.gas_drop, terms.there.native_decimals),
        fitting(reply.cancel_relayer_fee64),
        fitting(reply.refund_relayer_fee64),
        fitting(deadline),
        terms.destination,
        terms.there.wormhole_id,
        terms.referrer,
        reply.referrer_bps or 0,
        reply.swift_auction_mode,
        _random(reply, terms),
    )


def _random(reply: SwiftQuote, terms: Terms) -> bytes:
    """Return 32 bytes that make the order one of its kind: the quote's ID, then the memo or fresh random bytes."""
    if reply.quote_id is None:
        return terms.random(2 * _HALF)
    memo = terms.random(_HALF) if reply.memo_hex is None else reply.memo_hex
    if len(reply.quote_id) > _HALF or len(memo) > _HALF:
        raise UpstreamFailed("answered a SWIFT quote with a longer ID than an order holds")
    return reply.quote_id.rjust(_HALF, b"\0") + memo.rjust(_HALF, b"\0")


def _encoded(version: str, fields: SwiftOrder, taken: str, amount: int, *, native: bool) -> bytes:
    if version == "V2":
        return CREATE_WITH_TOKEN_2.encode(taken, amount, fields.second(), b"")
    if native:
        return CREATE_WITH_ETH.encode(fields.first())
    return CREATE_WITH_TOKEN.encode(taken, amount, fields.first())


def _reference(version: str, fields: SwiftOrder, taken: str, protocol_bps: int | None, chain: int) -> str | None:
    """Return the order's hash, Mayan's ID of it; None if the protocol's share, a part of it, is unknown.

    The contract asks Mayan's fee manager for that share: should it answer another than the quote, so is the hash.
    """
    if protocol_bps is None or not 0 <= protocol_bps < 256:
        return None
    return "0x" + order_hash(version, fields, evm_word(taken), protocol_bps, chain).hex()


def order_hash(version: str, fields: SwiftOrder, taken: bytes, protocol_bps: int, chain: int) -> bytes:
    """Return keccak256 of the order's fields, packed.

    ``taken`` is the input as a word, ``chain`` the origin's Wormhole ID.
    """
    packed = b"".join(
        (
            fields.trader,
            chain.to_bytes(2),
            taken,
            fields.destination,
            fields.chain.to_bytes(2),
            fields.token_out,
            *(each.to_bytes(8) for each in (fields.min_amount_out, fields.gas_drop, fields.cancel_fee)),
            *(each.to_bytes(8) for each in (fields.refund_fee, fields.deadline)),
            fields.referrer,
            bytes((fields.referrer_bps, protocol_bps, fields.auction_mode)),
            fields.random,
        )
    )
    # Of the second version: the type of its payload first, and last the hash of that payload, which is empty.
    preimage = bytes((_PLAIN,)) + packed + ZERO if version == "V2" else packed
    return keccak(preimage)
