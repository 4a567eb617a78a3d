"""Wallets and currencies as requests name them, judged by the chain they are for."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from rhumbline.api.rules import Unreadable, shown
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_EVM_ALIAS, NATIVE_SVM, Chain, ChainType
from rhumbline.gateways.evm import address as evm
from rhumbline.gateways.svm import address as svm

_SYMBOL = re.compile(r"[A-Za-z][A-Za-z0-9.$_-]{1,11}\Z", re.ASCII)
_FORMS: Mapping[ChainType, str] = MappingProxyType(
    {ChainType.EVM: "an EVM address, 0x and 40 hex digits", ChainType.SVM: "a Solana address, base58 of 32 bytes"}
)


def read_wallet(chain: Chain, text: str) -> str:
    """Return a wallet in its canonical form; raise Unreadable when it is malformed or of another chain type.

    On EVM chains mixed case must carry the right EIP-55 checksum.
    """
    if chain.type is ChainType.SVM:
        if svm.is_address(text):
            return text
    elif evm.is_address(text):
        if evm.checksum_holds(text):
            return evm.checksummed(text)
        raise Unreadable(
            f"has a wrong EIP-55 checksum: look for a mistyped digit, or give it in lower case; got {shown(text)}"
        )
    raise Unreadable(_wrong_form(chain, text, "wallet"))


def read_currency(chain: Chain, text: str) -> str:
    """Return a token's canonical address, the chain's native marker for its native asset; raise Unreadable."""
    if chain.type is ChainType.SVM:
        if svm.is_address(text):
            return text
    elif evm.is_address(text):
        address = evm.checksummed(text)
        return NATIVE_EVM if address == NATIVE_EVM_ALIAS else address
    if _SYMBOL.match(text) and not svm.is_address(text):
        raise Unreadable(
            f"must be a token's address, not a symbol (GET /v1/token?chain={chain.id}&token={text} may know it), "
            f"or {native_marker(chain)} for {chain.native.symbol}; got {shown(text)}"
        )
    raise Unreadable(_wrong_form(chain, text, "token"))


def native_marker(chain: Chain) -> str:
    """Return how a chain's native asset is named."""
    return NATIVE_EVM if chain.type is ChainType.EVM else NATIVE_SVM


def _wrong_form(chain: Chain, text: str, what: str) -> str:
    hint = ""
    if chain.type is ChainType.SVM and evm.is_address(text):
        hint = ", which is an EVM address"
    elif chain.type is ChainType.EVM and svm.is_address(text):
        hint = ", which is a Solana address"
    return f"must be a {what} on {chain.name}: {_FORMS[chain.type]}; got {shown(text)}{hint}"
