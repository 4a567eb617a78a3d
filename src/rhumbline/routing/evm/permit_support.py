"""Which permits a token and a wallet can use, as their chain tells: nothing is believed that its own hash contradicts.

A token's EIP-712 domain is only used if its separator is what name, version, this chain's ID and the token's address
make, so that neither a copy of a token on a forked chain nor another form of domain is taken for EIP-2612.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass

from eth_utils.crypto import keccak

from rhumbline.gateways.evm.abi import MalformedAnswer, decode_args, encode_args, encode_call, selector
from rhumbline.gateways.nodes.evm.multicall import Read, read_many
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, hex_bytes
from rhumbline.routing.evm.permit_call import PERMIT2, TokenDomain

_DOMAIN_TYPE = keccak(text="EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)")
_PERMIT2_TYPE = keccak(text="EIP712Domain(string name,uint256 chainId,address verifyingContract)")
_DESCRIBED = ("bytes1", "string", "string", "uint256", "address", "bytes32", "uint256[]")
_ALL_BUT_SALT = b"\x0f"
_LONGEST_NAME = 128
_WORD = 32
Answer = bytes | None


@dataclass(frozen=True, slots=True)
class PermitSupport:
    """``domain`` is the token's own, None without a permit by EIP-2612; ``nonce`` is its next for the owner.

    ``stand_in_nonce`` is that for another wallet, which tries it. ``permit2_allowance`` is what the owner lets Permit2
    take of the token in raw units, 0 where this is no Permit2 of this chain. ``plain_wallet`` says that the owner has
    no code.
    """

    domain: TokenDomain | None
    nonce: int
    stand_in_nonce: int
    permit2_allowance: int
    plain_wallet: bool


async def read_support(rpc: EvmRpc, chain_id: int, token: str, owner: str, stand_in: str) -> PermitSupport:
    """Read it, at one block; raise RpcError or NodeUnavailable."""
    reads = (
        *(Read(token, selector(f"{each}()")) for each in ("DOMAIN_SEPARATOR", "eip712Domain", "name", "version")),
        *(Read(token, encode_call("nonces(address)", ["address"], [each])) for each in (owner, stand_in)),
        Read(token, encode_call("allowance(address,address)", ["address", "address"], [owner, PERMIT2])),
        Read(PERMIT2, selector("DOMAIN_SEPARATOR()")),
    )
    found, code = await asyncio.gather(read_many(rpc, reads), rpc.call("eth_getCode", [owner, "latest"]))
    separator, described, name, version, *numbers, permit2 = found.answers
    nonce, stand_in_nonce, allowance = (_number(each) for each in numbers)
    domain = _domain(separator, described, (_text(name), _text(version)), chain_id, token)
    return PermitSupport(
        domain=None if nonce is None or stand_in_nonce is None else domain,
        nonce=nonce or 0,
        stand_in_nonce=stand_in_nonce or 0,
        permit2_allowance=(allowance or 0) if permit2 == _permit2_separator(chain_id) else 0,
        plain_wallet=not hex_bytes(code),
    )


def _domain(
    separator: Answer, described: Answer, named: tuple[str | None, str | None], chain_id: int, token: str
) -> TokenDomain | None:
    """Return the domain that the token's separator confirms."""
    for domain in _claimed(described, *named):
        if len(domain.name) > _LONGEST_NAME or len(domain.version) > _LONGEST_NAME:
            continue
        if separator == _separator(domain, chain_id, token):
            return domain
    return None


def _claimed(described: Answer, name: str | None, version: str | None) -> Iterator[TokenDomain]:
    """Yield what the token says of its domain (ERC-5267), or, of older ones, its name with the usual versions."""
    try:
        flags, own_name, own_version, *_, extensions = decode_args(_DESCRIBED, described or b"")
    except MalformedAnswer:
        if name is not None:
            yield from (TokenDomain(name, each) for each in dict.fromkeys((version, "1", "2")) if each is not None)
        return
    if flags == _ALL_BUT_SALT and not extensions:
        yield TokenDomain(own_name, own_version)


def _separator(domain: TokenDomain, chain_id: int, token: str) -> bytes:
    words = (_DOMAIN_TYPE, keccak(text=domain.name), keccak(text=domain.version), chain_id, token)
    return keccak(encode_args(("bytes32", "bytes32", "bytes32", "uint256", "address"), words))


def _permit2_separator(chain_id: int) -> bytes:
    words = (_PERMIT2_TYPE, keccak(text="Permit2"), chain_id, PERMIT2)
    return keccak(encode_args(("bytes32", "bytes32", "uint256", "address"), words))


def _number(answer: Answer) -> int | None:
    return int.from_bytes(answer) if answer is not None and len(answer) == _WORD else None


def _text(answer: Answer) -> str | None:
    try:
        return str(decode_args(("string",), answer or b"")[0])
    except MalformedAnswer:
        return None
