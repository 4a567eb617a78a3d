"""Wallets and currencies in requests, checked by their chain."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rhumbline.api.parameters.parameter import Parameter, Unreadable, shown
from rhumbline.domain.chain import Chain, ChainType, native_marker
from rhumbline.gateways.chain_types.addresses import canonical_token, is_address, read_address

_SYMBOL = re.compile(r"[A-Za-z][A-Za-z0-9.$_-]{1,11}\Z", re.ASCII)
_NAMES: Mapping[ChainType, str] = MappingProxyType({ChainType.EVM: "an EVM address", ChainType.SVM: "a Solana address"})
_FORMS: Mapping[ChainType, str] = MappingProxyType(
    {ChainType.EVM: "0x and 40 hex digits", ChainType.SVM: "base58 of 32 bytes"}
)

_WRONG_CHECKSUM = "has a wrong EIP-55 checksum: check it for a mistyped digit, or write it in lower case; got {}"


def judged(
    read: Callable[[Chain, str], str],
    keep: Callable[[str, str], None],
    parameter: Parameter[str],
    text: str | None,
    chain: Chain | None,
) -> str | None:
    """Return the parsed value of a parameter; None, with the fault noted, if it or its chain is invalid."""
    if text is None or chain is None:
        return None
    try:
        return read(chain, text)
    except Unreadable as fault:
        keep(parameter.name, str(fault))
        return None


def read_wallet(chain: Chain, text: str) -> str:
    """Return a wallet in canonical form; raise Unreadable: malformed, a wrong EIP-55 checksum, another chain type."""
    wallet, sound = read_address(chain.type, text)
    if wallet is None:
        raise Unreadable(_wrong_form(chain, text, "wallet"))
    if not sound:
        raise Unreadable(_WRONG_CHECKSUM.format(shown(text)))
    return wallet


@dataclass(frozen=True, slots=True)
class Wallet:
    """An address of any chain type, where no chain says which."""

    @property
    def schema(self) -> Mapping[str, object]:
        return {"type": "string", "pattern": "^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$"}

    def read(self, text: str, /) -> str:
        """Return it in canonical form."""
        for chain_type in ChainType:
            wallet, sound = read_address(chain_type, text)
            if wallet is not None and not sound:
                raise Unreadable(_WRONG_CHECKSUM.format(shown(text)))
            if wallet is not None:
                return wallet
        forms = " or ".join(f"{_NAMES[each]} ({_FORMS[each]})" for each in ChainType)
        raise Unreadable(f"must be a wallet: {forms}; got {shown(text)}")


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
