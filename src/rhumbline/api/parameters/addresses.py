"""Wallets and currencies as requests name them, judged by the chain they are for."""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from rhumbline.api.parameters.parameter import Parameter, Unreadable, shown
from rhumbline.domain.chain import Chain, ChainType, native_marker
from rhumbline.gateways.chain_types.addresses import canonical_address, canonical_token, checksum_holds, is_address

_SYMBOL = re.compile(r"[A-Za-z][A-Za-z0-9.$_-]{1,11}\Z", re.ASCII)
_NAMES: Mapping[ChainType, str] = MappingProxyType({ChainType.EVM: "an EVM address", ChainType.SVM: "a Solana address"})
_FORMS: Mapping[ChainType, str] = MappingProxyType(
    {ChainType.EVM: "0x and 40 hex digits", ChainType.SVM: "base58 of 32 bytes"}
)


def judged(
    read: Callable[[Chain, str], str],
    keep: Callable[[str, str], None],
    parameter: Parameter[str],
    text: str | None,
    chain: Chain | None,
) -> str | None:
    """Return what ``read`` makes of a parameter's text; None, with the fault kept, where it, or its chain, has one."""
    if text is None or chain is None:
        return None
    try:
        return read(chain, text)
    except Unreadable as fault:
        keep(parameter.name, str(fault))
        return None


def read_wallet(chain: Chain, text: str) -> str:
    """Return a wallet in canonical form; raise Unreadable: malformed, a wrong EIP-55 checksum, another chain type."""
    wallet = canonical_address(chain.type, text)
    if wallet is None:
        raise Unreadable(_wrong_form(chain, text, "wallet"))
    if not checksum_holds(chain.type, text):
        raise Unreadable(
            f"has a wrong EIP-55 checksum: look for a mistyped digit, or give it in lower case; got {shown(text)}"
        )
    return wallet


def read_currency(chain: Chain, text: str) -> str:
    """Return a token's canonical address, the chain's native marker for its native asset; raise Unreadable."""
    address = canonical_token(chain.type, text)
    if address is not None:
        return address
    if _SYMBOL.match(text):
        raise Unreadable(
            f"must be a token's address, not a symbol (GET /v1/token?chain={chain.id}&token={text} may know it), "
            f"or {native_marker(chain.type)} for {chain.native.symbol}; got {shown(text)}"
        )
    raise Unreadable(_wrong_form(chain, text, "token"))


def _wrong_form(chain: Chain, text: str, what: str) -> str:
    others = (_NAMES[each] for each in ChainType if each is not chain.type and is_address(each, text))
    hint = "".join(f", which is {name}" for name in others)
    form = f"{_NAMES[chain.type]}, {_FORMS[chain.type]}"
    return f"must be a {what} on {chain.name}: {form}; got {shown(text)}{hint}"
