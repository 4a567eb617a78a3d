"""Reading a protocol's call back, whoever made it: what it says of receiver, token, amount, minimum and refund."""

from dataclasses import dataclass
from types import MappingProxyType

from rhumbline.adapters.mayan.bytes32 import NATIVE, ZERO
from rhumbline.adapters.mayan.kinds import fast_mctp, mctp, swift, wormhole
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.evm.address import checksummed


@dataclass(frozen=True, slots=True)
class Seen:
    """What a call says, addresses of either chain as 32-byte words.

    ``token`` and ``amount`` are what it takes (zeros and None: the native currency that comes with it). ``chain`` is
    the destination by Wormhole's ID, or None and ``domain`` Circle's. ``token_out`` is None for USDC itself, ``home``
    (address, Wormhole's ID) instead where the output is named by where it is at home. ``minimum`` is in the protocol's
    units, None where fixed fees decide. ``trader`` gets a refund on the origin, None where it is paid to
    ``destination``. ``extras`` tells of a referrer, a gas drop, a payload or a permit, none of which we ask for.
    ``account`` is the one on Solana that a token bridge pays, None where none is named.
    """

    token: str
    amount: int | None
    destination: bytes
    chain: int | None
    domain: int | None
    token_out: bytes | None
    minimum: int | None
    trader: bytes | None
    extras: bool
    home: tuple[bytes, int, bool] | None = None
    account: bytes | None = None


def seen(data: bytes) -> Seen:
    """Read a call; raise MalformedAnswer for one that is not among those known."""
    reader = _READERS.get(data[:4])
    if reader is None:
        raise MalformedAnswer(f"a protocol is told something unknown, 0x{data[:4].hex()}")
    try:
        return reader(data)
    except (TypeError, ValueError) as error:
        raise MalformedAnswer("a protocol's call has other arguments") from error


def _swift_eth(data: bytes) -> Seen:
    (fields,) = swift.CREATE_WITH_ETH.decode(data)
    return _swift_first(NATIVE, None, fields)


def _swift_token(data: bytes) -> Seen:
    token, amount, fields = swift.CREATE_WITH_TOKEN.decode(data)
    return _swift_first(token, amount, fields)


def _swift_first(token: object, amount: object, fields: object) -> Seen:
    if not isinstance(fields, tuple):
        raise TypeError
    trader, token_out, minimum, drop, *_, destination, chain, referrer, bps, _mode, _random = fields
    return Seen(
        _address(token), _number(amount), destination, chain, None, token_out, minimum, trader,
        bool(drop or bps or referrer != ZERO),
    )  # fmt: skip


def _swift_second(data: bytes) -> Seen:
    token, amount, fields, payload = swift.CREATE_WITH_TOKEN_2.decode(data)
    if not isinstance(fields, tuple):
        raise TypeError
    kind, trader, destination, chain, referrer, token_out, minimum, drop, *_, bps, _mode, _random = fields
    return Seen(
        _address(token), _number(amount), destination, chain, None, token_out, minimum, trader,
        bool(drop or bps or referrer != ZERO or payload or kind != 1),
    )  # fmt: skip


def _mctp_order(data: bytes) -> Seen:
    (fields,) = mctp.CREATE.decode(data)
    if not isinstance(fields, tuple):
        raise TypeError
    token, amount, drop, destination, chain, token_out, minimum, _deadline, _fee, referrer, bps = fields
    return Seen(
        _address(token), amount, destination, chain, None, token_out, minimum, None,
        bool(drop or bps or referrer != ZERO),
    )  # fmt: skip


def _mctp_locked(data: bytes) -> Seen:
    token, amount, drop, _fee, domain, destination = mctp.BRIDGE_LOCKED.decode(data)
    return Seen(
        _address(token), _number(amount), _word(destination), None, _number(domain), None, None, None, bool(drop)
    )


def _mctp_bridge(data: bytes) -> Seen:
    token, amount, _fee, drop, destination, domain, kind, payload = mctp.BRIDGE.decode(data)
    return Seen(
        _address(token), _number(amount), _word(destination), None, _number(domain), None, None, None,
        bool(drop or payload or kind != 1),
    )  # fmt: skip


def _fast_order(data: bytes) -> Seen:
    token, amount, _circle, domain, _finality, fields = fast_mctp.CREATE.decode(data)
    if not isinstance(fields, tuple):
        raise TypeError
    kind, destination, token_out, minimum, drop, _fee, _refund, _deadline, referrer, bps = fields
    return Seen(
        _address(token), _number(amount), destination, None, _number(domain), token_out, minimum, None,
        bool(drop or bps or referrer != ZERO or kind != fast_mctp.ORDER),
    )  # fmt: skip


def _fast_bridge(data: bytes) -> Seen:
    token, amount, _fee, _circle, drop, destination, domain, referrer, bps, kind, _finality, payload = (
        fast_mctp.BRIDGE.decode(data)
    )
    return Seen(
        _address(token), _number(amount), _word(destination), None, _number(domain), None, None, None,
        bool(drop or bps or referrer != ZERO or payload or kind != 1),
    )  # fmt: skip


def _wormhole_token(data: bytes) -> Seen:
    fees, recipient, home, chain, criteria, token, amount = wormhole.SWAP.decode(data)
    return _wormhole(token, amount, recipient, (home, chain), criteria, fees)


def _wormhole_eth(data: bytes) -> Seen:
    fees, recipient, home, chain, criteria = wormhole.WRAP_AND_SWAP.decode(data)
    return _wormhole(NATIVE, None, recipient, (home, chain), criteria, fees)


def _wormhole(
    token: object, amount: object, recipient: object, home: tuple[object, object], criteria: object, fees: object
) -> Seen:
    if not isinstance(recipient, tuple) or not isinstance(criteria, tuple) or not isinstance(fees, tuple):
        raise TypeError
    account, via, _auction, destination, chain, referrer, trader = recipient
    _transfer, _swap, minimum, unwrap, drop, payload = criteria
    return Seen(
        _address(token), _number(amount), destination, chain, None, None, minimum - fees[1], trader,
        bool(drop or referrer != ZERO or payload or via != wormhole.SOLANA),
        (_word(home[0]), _number(home[1]) or 0, unwrap), _word(account),
    )  # fmt: skip


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


def _address(value: object) -> str:
    return checksummed(str(value))


def _number(value: object) -> int | None:
    if value is not None and not isinstance(value, int):
        raise TypeError
    return value


def _word(value: object) -> bytes:
    if not isinstance(value, bytes):
        raise TypeError
    return value
