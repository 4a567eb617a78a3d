"""The rules for an integrator's name, wallets and fee rule. Pure; every function collects faults instead of raising."""

import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType

from rhumbline.domain.chain import ChainType
from rhumbline.domain.fee import FeeRule
from rhumbline.domain.sentence import Sentence
from rhumbline.domain.unowned_addresses import is_placeholder
from rhumbline.gateways.chain_types.addresses import read_address

# The name goes on chain as bytes32 ASCII, zero-terminated.
_NAME = re.compile(r"[A-Za-z0-9._-]{1,31}\Z", re.ASCII)
RESERVED = frozenset(
    {"admin", "administrator", "anonymous", "default", "integrator", "none", "null", "operator", "public", "rhumbline"}
    | {"root", "self", "service", "support", "system", "undefined", "unknown"}
)
_FORMS: Mapping[ChainType, Sentence] = MappingProxyType(
    {
        ChainType.EVM: Sentence("an EVM address, 0x and 40 hexadecimal digits"),
        ChainType.SVM: Sentence("a Solana address, the base58 form of 32 bytes"),
    }
)
_UNPAYABLE: Mapping[ChainType, Sentence] = MappingProxyType(
    {
        ChainType.EVM: Sentence("is an address that nobody can sign for, so fees would be lost"),
        ChainType.SVM: Sentence("is the System Program, which can hold no fees"),
    }
)
_LARGEST_SHARE = Fraction(1, 10)
_DECIMALS = 18


def is_name(text: str) -> bool:
    return bool(_NAME.match(text))


def name_faults(name: str) -> tuple[str, ...]:
    if not is_name(name):
        return (
            Sentence("integrator: must have 1 to 31 characters, each a letter A-Z or a-z, a digit, '.', '_' or '-'"),
        )
    if not any(character.isalnum() for character in name):
        return (Sentence("integrator: must have at least one letter or digit"),)
    if name.lower() in RESERVED:
        return (Sentence("integrator: %(name)s is reserved; choose another name", name=name),)
    return ()


def canonical_wallet(chain_type: ChainType, address: str | None) -> tuple[str | None, tuple[str, ...]]:
    """Return a fee wallet in canonical form (EIP-55 or base58; None stays None) and what is wrong with it."""
    if address is None:
        return None, ()
    setting, (canonical, sound) = f"{chain_type.value.lower()}_wallet", read_address(chain_type, address)
    if canonical is None:
        return None, (Sentence("%(setting)s: must be %(form)s", setting=setting, form=_FORMS[chain_type]),)
    if not sound:
        return None, (
            Sentence(
                "%(setting)s: has a wrong checksum; check it for a mistyped digit, or write it in lower case",
                setting=setting,
            ),
        )
    if is_placeholder(chain_type, canonical):
        why = _UNPAYABLE[chain_type]
        return None, (Sentence("%(setting)s: %(why)s; name a wallet of your own", setting=setting, why=why),)
    return canonical, ()


def rule_faults(rule: FeeRule) -> tuple[str, ...]:
    shares = {"service_share": rule.service_share, "largest_integrator_share": rule.largest_integrator_share}
    outside = [name for name, share in shares.items() if not 0 <= share <= _LARGEST_SHARE]
    endless = [name for name, share in shares.items() if 10**_DECIMALS % share.denominator]
    return (
        *(f"{name}: must be between 0 and 0.1" for name in outside),
        *(f"{name}: must be a decimal number with at most {_DECIMALS} decimals" for name in endless),
    )


def to_decimal(share: Fraction) -> Decimal:
    """Return a share that `rule_faults` has passed as the equal decimal number."""
    return Decimal(share.numerator * 10**_DECIMALS // share.denominator).scaleb(-_DECIMALS)


def told_rule(rule: FeeRule | None) -> str:
    """Say a fee rule for the audit log."""
    if rule is None:
        return "the default"
    shares = (rule.service_share, rule.largest_integrator_share)
    service, largest = (to_decimal(share).normalize() for share in shares)
    return f"service {service:f}, integrator at most {largest:f}"
