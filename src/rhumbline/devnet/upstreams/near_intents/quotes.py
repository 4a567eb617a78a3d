"""1Click's requests and signed answers, read and written by the emulator.

A request is checked by the rules of the service's OpenAPI document (SDK 0.1.25, read 2026-11); a quote is signed in the
full form of that SDK's ``quote-signature.ts``.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType

from solders.keypair import Keypair
from solders.pubkey import Pubkey

from rhumbline.devnet.sandbox import SandboxChain
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM, ChainType
from rhumbline.gateways.evm.abi import topic
from rhumbline.gateways.evm.address import checksummed, is_address
from rhumbline.gateways.svm.address import is_address as is_svm_address

KEYPAIR = Keypair.from_seed(hashlib.sha256(b"1Click of the sandbox").digest())
SIGNER = f"ed25519:{KEYPAIR.pubkey()}"
_AMOUNT = re.compile(r"[1-9][0-9]{0,77}\Z", re.ASCII)
_REQUIRED = frozenset({
    "dry", "swapType", "slippageTolerance", "originAsset", "depositType", "destinationAsset", "amount", "refundTo",
    "refundType", "recipient", "recipientType", "deadline",
})  # fmt: skip
_OPTIONAL = frozenset({"depositMode", "referral", "quoteWaitingTimeMs", "appFees", "connectedWallets", "sessionId"})
_WORDS = MappingProxyType(
    {
        "swapType": ("EXACT_INPUT", "EXACT_OUTPUT", "FLEX_INPUT", "ANY_INPUT"),
        "depositType": ("ORIGIN_CHAIN", "INTENTS", "CONFIDENTIAL_INTENTS"),
        "refundType": ("ORIGIN_CHAIN", "INTENTS", "CONFIDENTIAL_INTENTS"),
        "recipientType": ("DESTINATION_CHAIN", "INTENTS", "CONFIDENTIAL_INTENTS"),
        "depositMode": ("SIMPLE", "MEMO"),
    }
)
_SIGNED_OF_QUOTE = (
    "amountIn", "amountInFormatted", "amountInUsd", "minAmountIn", "amountOut", "amountOutFormatted", "amountOutUsd",
    "minAmountOut",
)  # fmt: skip
_SIGNED_WHEN_SET = ("depositAddress", "deadline", "timeWhenInactive", "timeEstimate", "refundFee", "withdrawFee")


@dataclass(frozen=True, slots=True)
class Asset:
    """A token in the service's terms; ``address`` is the native marker, EIP-55, or a mint."""

    id: str
    chain_id: int
    blockchain: str
    symbol: str
    address: str
    decimals: int
    on_solana: bool = False

    @property
    def is_native(self) -> bool:
        """Whether it is the chain's native asset, which the list shows without a contract."""
        return self.address in (NATIVE_EVM, NATIVE_SVM)

    def is_wallet(self, text: object) -> bool:
        """Return whether an address is a wallet on this token's chain."""
        if self.on_solana:
            return isinstance(text, str) and is_svm_address(text) and text != NATIVE_SVM
        return isinstance(text, str) and is_address(text) and int(text, 16) != 0


def assets_of(chain: SandboxChain) -> list[Asset]:
    """Return a chain's native asset and its tokens, without the one that takes a fee on transfer.

    On Solana an ID has a hash of the mint, and there is no wrapped SOL.
    """
    if chain.type is ChainType.SVM:
        return _solana_assets(chain)
    native = Asset(f"nep141:{chain.key}.omft.near", chain.id, chain.key, "ETH", NATIVE_EVM, 18)
    return [native] + [
        Asset(f"nep141:{chain.key}-{token.address.lower()}.omft.near", chain.id, chain.key, symbol, token.address,
              token.decimals)
        for symbol, token in chain.tokens.items() if symbol != "TAX"
    ]  # fmt: skip


def _solana_assets(chain: SandboxChain) -> list[Asset]:
    native = Asset(f"nep141:{chain.key}.omft.near", chain.id, chain.key, "SOL", NATIVE_SVM, 9, on_solana=True)
    served = {symbol: token for symbol, token in chain.tokens.items() if symbol not in ("TAX", "WSOL")}
    digests = {symbol: hashlib.sha256(token.address.encode()).hexdigest()[:40] for symbol, token in served.items()}
    return [native] + [
        Asset(f"nep141:{chain.key}-{digests[symbol]}.omft.near", chain.id, chain.key, symbol, token.address,
              token.decimals, on_solana=True)
        for symbol, token in served.items()
    ]  # fmt: skip


def new_address(origin: Asset, identifier: str) -> str:
    """Make a deposit address on a token's chain: on EVM chains without a key, on Solana a key's."""
    if origin.on_solana:
        return str(Keypair.from_seed(hashlib.sha256(identifier.encode()).digest()).pubkey())
    return checksummed(topic(identifier)[-20:])


def faults_of(body: object, now: datetime) -> list[str]:
    """Return the faults in a request's form, in the texts of the service's validation; empty for none."""
    if not isinstance(body, dict):
        return ["body should be an object"]
    faults = [f"{name} should not be empty" for name in sorted(_REQUIRED - body.keys())]
    faults += [f"property {name} should not exist" for name in sorted(body.keys() - _REQUIRED - _OPTIONAL)]
    faults += [
        f"{name} must be one of the following values: {', '.join(words)}"
        for name, words in _WORDS.items()
        if name in body and body[name] not in words
    ]
    if not isinstance(body.get("dry"), bool):
        faults.append("dry must be a boolean value")
    tolerance = body.get("slippageTolerance")
    if isinstance(tolerance, bool) or not isinstance(tolerance, int) or not 0 <= tolerance <= 10_000:
        faults.append("slippageTolerance must be an integer number")
    if not isinstance(body.get("amount"), str) or not _AMOUNT.match(body["amount"]):
        faults.append("amount must be a positive integer string")
    moment = moment_of(body.get("deadline"))
    if moment is None:
        faults.append("deadline must be a valid ISO 8601 date string")
    elif moment <= now:
        faults.append("deadline must be in the future")
    return faults


def moment_of(text: object) -> datetime | None:
    """Parse a UTC time; None for anything else."""
    if not isinstance(text, str) or not text.endswith("Z"):
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def written(moment: datetime) -> str:
    """Write a time as JavaScript does."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def formatted(amount: int, decimals: int) -> str:
    """Write raw units as whole tokens, without trailing zeros."""
    whole, rest = divmod(amount, 10**decimals)
    return f"{whole}.{rest:0{decimals}d}".rstrip("0").rstrip(".")


def signature_of(request: Mapping[str, object], quote: Mapping[str, object], timestamp: str) -> str:
    """Sign a quote: base58 of the digest of a sorted JSON object without white space."""
    signed: dict[str, object] = {name: request[name] for name in _REQUIRED}
    signed |= {name: request[name] for name in ("quoteWaitingTimeMs", "referral") if request.get(name)}
    signed |= {name: quote[name] for name in _SIGNED_OF_QUOTE}
    if not request["dry"]:
        # The quote's deadline replaces the request's.
        signed |= {name: quote[name] for name in _SIGNED_WHEN_SET if quote.get(name)}
    signed["timestamp"] = timestamp
    digest = hashlib.sha256(json.dumps(signed, sort_keys=True, separators=(",", ":")).encode()).digest()
    return f"ed25519:{KEYPAIR.sign_message(str(Pubkey.from_bytes(digest)).encode())}"
