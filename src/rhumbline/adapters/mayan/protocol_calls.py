"""Decodes a protocol's call: receiver, token, amount, minimum and refund."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from rhumbline.adapters.mayan.bytes32 import NATIVE, ZERO
from rhumbline.adapters.mayan.kinds import fast_mctp, mctp, swift, wormhole
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.evm.address import checksummed


@dataclass(frozen=True, slots=True)
class ProtocolCall:
    """A decoded call, addresses of either chain as 32-byte words.

    It takes ``amount`` of ``token`` (None and zeros: the call's native value). ``extras``: it has a referrer, a payload
    or a permit, or of a kind other than SWIFT a gas drop, none of which we request. ``gas_drop`` is SWIFT's, in the
    protocol's units of the destination's native asset. ``chain`` is the destination by Wormhole's ID, or None and
    ``domain`` Circle's. ``token_out`` is None for USDC itself, or if the output is named by its native chain: then
    ``home`` is its address there, that chain's Wormhole ID, and whether it is unwrapped. ``minimum`` is in the
    protocol's units, None if fixed fees determine it. ``trader`` gets a refund on the origin, None if it is paid to
    ``destination``. ``account`` is the one on Solana that a token bridge pays, None if none is named.
    """

    token: str
    amount: int | None
    destination: bytes
    extras: bool
    chain: int | None = None
    domain: int | None = None
    token_out: bytes | None = None
    minimum: int | None = None
    trader: bytes | None = None
    home: tuple[bytes, int, bool] | None = None
    account: bytes | None = None
    gas_drop: int = 0


def read_protocol_call(data: bytes) -> ProtocolCall:
    """Decode a call; raise MalformedAnswer for an unknown one."""
    reader = _READERS.get(data[:4])
    if reader is None:
        raise MalformedAnswer(f"a protocol gets an unknown call, 0x{data[:4].hex()}")
    return reader(data)


def _swift_eth(data: bytes) -> ProtocolCall:
    (fields,) = swift.CREATE_WITH_ETH.decode(data)
    return _swift_first(NATIVE, None, fields)


def _swift_token(data: bytes) -> ProtocolCall:
    token, amount, fields = swift.CREATE_WITH_TOKEN.decode(data)
    return _swift_first(checksummed(token), amount, fields)


def _swift_first(token: str, amount: int | None, fields: tuple[Any, ...]) -> ProtocolCall:
    trader, token_out, minimum, drop, *_, destination, chain, referrer, bps, _mode, _random = fields
    extras = bool(bps or referrer != ZERO)
    return ProtocolCall(
        token, amount, destination, extras, chain, token_out=token_out, minimum=minimum, trader=trader, gas_drop=drop
    )


def _swift_second(data: bytes) -> ProtocolCall:
    token, amount, fields, payload = swift.CREATE_WITH_TOKEN_2.decode(data)
    kind, trader, destination, chain, referrer, token_out, minimum, drop, *_, bps, _mode, _random = fields
    extras = bool(bps or referrer != ZERO or payload or kind != 1)
    return ProtocolCall(
        checksummed(token), amount, destination, extras, chain,
        token_out=token_out, minimum=minimum, trader=trader, gas_drop=drop,
    )  # fmt: skip


def _mctp_order(data: bytes) -> ProtocolCall:
    (fields,) = mctp.CREATE.decode(data)
    token, amount, drop, destination, chain, token_out, minimum, _deadline, _fee, referrer, bps = fields
    extras = bool(drop or bps or referrer != ZERO)
    return ProtocolCall(checksummed(token), amount, destination, extras, chain, token_out=token_out, minimum=minimum)


def _mctp_locked(data: bytes) -> ProtocolCall:
    token, amount, drop, _fee, domain, destination = mctp.BRIDGE_LOCKED.decode(data)
    return ProtocolCall(checksummed(token), amount, destination, bool(drop), domain=domain)


def _mctp_bridge(data: bytes) -> ProtocolCall:
    token, amount, _fee, drop, destination, domain, kind, payload = mctp.BRIDGE.decode(data)
    return ProtocolCall(checksummed(token), amount, destination, bool(drop or payload or kind != 1), domain=domain)


def _fast_order(data: bytes) -> ProtocolCall:
    token, amount, _circle, domain, _finality, fields = fast_mctp.CREATE.decode(data)
    kind, destination, token_out, minimum, drop, _fee, _refund, _deadline, referrer, bps = fields
    extras = bool(drop or bps or referrer != ZERO or kind != fast_mctp.ORDER)
    return ProtocolCall(
        checksummed(token), amount, destination, extras, domain=domain, token_out=token_out, minimum=minimum
    )


def _fast_bridge(data: bytes) -> ProtocolCall:
    token, amount, _fee, _circle, drop, destination, domain, referrer, bps, kind, _finality, payload = (
        fast_mctp.BRIDGE.decode(data)
    )
    extras = bool(drop or bps or referrer != ZERO or payload or kind != 1)
    return ProtocolCall(checksummed(token), amount, destination, extras, domain=domain)


def _wormhole_token(data: bytes) -> ProtocolCall:
    *common, token, amount = wormhole.SWAP.decode(data)
    return _wormhole(checksummed(token), amount, *common)


def _wormhole_eth(data: bytes) -> ProtocolCall:
    return _wormhole(NATIVE, None, *wormhole.WRAP_AND_SWAP.decode(data))


def _wormhole(
    token: str,
    amount: int | None,
    fees: tuple[int, int, int],
    recipient: tuple[Any, ...],
    home: bytes,
    home_chain: int,
    criteria: tuple[Any, ...],
) -> ProtocolCall:
    account, via, _auction, destination, chain, referrer, trader = recipient
    _transfer, _swap, minimum, unwrap, drop, payload = criteria
    return ProtocolCall(
        token,
        amount,
        destination,
        bool(drop or referrer != ZERO or payload or via != wormhole.SOLANA),
        chain,
        minimum=minimum - fees[1],
        trader=trader,
        home=(home, home_chain, unwrap),
        account=account,
    )


_READERS = MappingProxyType(
    {
        swift.CREATE_WITH_ETH.selector: _swift_eth,
        swift.CREATE_WITH_TOKEN.selector: _swift_token,
        swift.CREATE_WITH_TOKEN_2.selector: _swift_second,
        mctp.CREATE.selector: _mctp_order,
        mctp.BRIDGE_LOCKED.selector: _mctp_locked,
        mctp.BRIDGE.selector: _mctp_bridge,
        fast_mctp.CREATE.selector: _fast_order,
        fast_mctp.BRIDGE.selector: _fast_bridge,
        wormhole.SWAP.selector: _wormhole_token,
        wormhole.WRAP_AND_SWAP.selector: _wormhole_eth,
    }
)
