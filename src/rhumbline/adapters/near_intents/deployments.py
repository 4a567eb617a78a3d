"""1Click's names of our chains and tokens.

Sources, read 2026-11: the service's list of tokens as public clients have pinned it, and its SDK 0.1.25 for the names
of chains. An ID of the form ``nep141:<chain>-<address>.omft.near`` names its contract, and the last part of
``nep245:v2_1.omni.hot.tg:<chain id>_<…>`` is the base58 of its contract's 20 bytes: both were computed again. Which of
the two forms a token has is the service's choice, so no ID is made for a token that is not here. ``build`` asks the
service's own list whether an ID still means the token; asking at every quote would be slower and show the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM
from rhumbline.domain.expectations import same

PRODUCTION_SIGNER = "ed25519:reYaWhvwu8Jzo3WUM3zhn6VrhuMEF4eADL17qtRVifc"
"""The key that the SDK 0.1.25 (2026-06) verifies quotes with; production's quotes of 2026-10-02 verify with it."""


@dataclass(frozen=True, slots=True)
class Deployment:
    """One chain: ``blockchain`` is the service's name of it, ``assets`` pairs of a token's address and its asset ID.

    ``deposit_s`` is how many seconds before the quote's own deadline a deposit must be sent, to be confirmed in time.
    ``signer`` is the key, ``ed25519:`` and base58, whose signature a quote from this chain must have: without it no
    deposit address is accepted.
    """

    blockchain: str
    assets: tuple[tuple[str, str], ...]
    deposit_s: int = 600
    signer: str = PRODUCTION_SIGNER

    def asset(self, address: str) -> str | None:
        """Return the asset ID of a token, None for an unknown one; EVM addresses in any case, others exactly."""
        return next((asset for token, asset in self.assets if same(token, address)), None)


def _omft(blockchain: str, *tokens: str) -> tuple[tuple[str, str], ...]:
    """Return the pairs of a chain's native asset and of tokens, whose IDs name their contracts."""
    named = ((token, f"nep141:{blockchain}-{token.lower()}.omft.near") for token in tokens)
    return ((NATIVE_EVM, f"nep141:{blockchain}.omft.near"), *named)


def _hot(chain_id: int, *tokens: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the same; ``tokens`` are addresses, each with the base58 in its ID."""
    named = ((token, f"nep245:v2_1.omni.hot.tg:{chain_id}_{base58}") for token, base58 in tokens)
    return ((NATIVE_EVM, f"nep245:v2_1.omni.hot.tg:{chain_id}_{'1' * 20}"), *named)


DEPLOYMENTS: Mapping[int, Deployment] = MappingProxyType(
    {
        1: Deployment(
            "eth",
            _omft(
                "eth",
                "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
                "0xdAC17F958D2ee523a2206206994597C13D831ec7",
                "0x6B175474E89094C44Da98b954EedeAC495271d0F",
                "0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599",
                "0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf",
            ),
            deposit_s=900,
        ),
        10: Deployment(
            "op",
            _hot(
                10,
                ("0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85", "A2ewyUyDp6qsue1jqZsGypkCxRJ"),
                ("0x94b008aA00579c1307B0EF2c499aD98a8ce58e58", "359RPSJVdTxwTJT9TyGssr2rFoWo"),
            ),
        ),
        56: Deployment(
            "bsc",
            _hot(
                56,
                ("0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d", "2w93GqMcEmQFDru84j3HZZWt557r"),
                ("0x55d398326f99059fF775485246999027B3197955", "2CMMyVTGZkeyNZTSvS5sarzfir6g"),
            ),
        ),
        100: Deployment(
            "gnosis",
            _omft("gnosis", "0x2a22f9c3b484c3629090FeED35F17Ff8F88f76F0", "0x4ECaBa5870353805a9F068101A40E0f32ed605C6"),
        ),
        137: Deployment(
            "pol",
            _hot(
                137,
                ("0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359", "qiStmoQJDQPTebaPjgx5VBxZv6L"),
                ("0xc2132D05D31c914a87C6611C10748AEb04B58e8F", "3hpYoaLtt8MP1Z2GH1U473DMRKgr"),
            ),
        ),
        8453: Deployment(
            "base",
            _omft("base", "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf"),
        ),
        42161: Deployment(
            "arb",
            _omft("arb", "0xaf88d065e77c8cC2239327C5EDb3A432268e5831", "0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9"),
        ),
        43114: Deployment(
            "avax",
            _hot(
                43114,
                ("0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E", "3atVJH3r5c4GqiSYmg9fECvjc47o"),
                ("0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7", "372BeH7ENZieCaabwkbWkBiTTgXp"),
            ),
        ),
        80094: Deployment("bera", _omft("bera")),
        1000000001: Deployment(
            "sol",
            (
                (NATIVE_SVM, "nep141:sol.omft.near"),
                (
                    "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
                    "nep141:sol-5ce3bf3a31af18be40ba30f721101b4341690186.omft.near",
                ),
                (
                    "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB",
                    "nep141:sol-c800a4bd850783ccb82c2b2c7e84175443606352.omft.near",
                ),
            ),
        ),
    }
)
