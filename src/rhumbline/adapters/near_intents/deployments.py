"""What 1Click calls our chains and tokens, as data.

Sources, read 2026-11: the service's list of tokens as public clients have pinned it, and its SDK 0.1.25 for the names
of chains. An ID of the form ``nep141:<chain>-<address>.omft.near`` names its contract, and the last part of
``nep245:v2_1.omni.hot.tg:<chain id>_<…>`` is the base58 of its contract's 20 bytes: both were computed again. Which of
the two forms a token has is the service's choice, so IDs are recognised and never made. ``build`` asks the service's
own list whether an ID still means the token; asking at every quote would be slower and show the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM

PRODUCTION_SIGNER = "ed25519:reYaWhvwu8Jzo3WUM3zhn6VrhuMEF4eADL17qtRVifc"
"""The key that the SDK 0.1.25 (2026-06) verifies quotes with; production's quotes of 2026-10-02 verify with it."""


@dataclass(frozen=True, slots=True)
class Deployment:
    """One chain: ``blockchain`` is the service's name of it, ``assets`` pairs of a token's address and its asset ID.

    ``deposit_s`` is how many seconds before the quote's own deadline a deposit must be sent, to be confirmed in time.
    ``signer`` is the key, ``ed25519:`` and base58, whose signature a quote from this chain must carry: without it no
    deposit address is believed.
    """

    blockchain: str
    assets: tuple[tuple[str, str], ...]
    deposit_s: int = 600
    signer: str = PRODUCTION_SIGNER

    def asset(self, address: str) -> str | None:
        """Return the asset ID of a token, None for an unknown one; EVM addresses in any case, others exactly."""
        return next((asset for token, asset in self.assets if _plain(token) == _plain(address)), None)


def _plain(address: str) -> str:
    return address.lower() if address[:2] in ("0x", "0X") else address


DEPLOYMENTS: Mapping[int, Deployment] = MappingProxyType(
    {
        1: Deployment(
            "eth",
            (
                (NATIVE_EVM, "nep141:eth.omft.near"),
                (
                    "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
                    "nep141:eth-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48.omft.near",
                ),
                (
                    "0xdAC17F958D2ee523a2206206994597C13D831ec7",
                    "nep141:eth-0xdac17f958d2ee523a2206206994597c13d831ec7.omft.near",
                ),
                (
                    "0x6B175474E89094C44Da98b954EedeAC495271d0F",
                    "nep141:eth-0x6b175474e89094c44da98b954eedeac495271d0f.omft.near",
                ),
                (
                    "0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599",
                    "nep141:eth-0x2260fac5e5542a773aa44fbcfedf7c193bc2c599.omft.near",
                ),
                (
                    "0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf",
                    "nep141:eth-0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf.omft.near",
                ),
            ),
            deposit_s=900,
        ),
        10: Deployment(
            "op",
            (
                (NATIVE_EVM, "nep245:v2_1.omni.hot.tg:10_11111111111111111111"),
                (
                    "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85",
                    "nep245:v2_1.omni.hot.tg:10_A2ewyUyDp6qsue1jqZsGypkCxRJ",
                ),
                (
                    "0x94b008aA00579c1307B0EF2c499aD98a8ce58e58",
                    "nep245:v2_1.omni.hot.tg:10_359RPSJVdTxwTJT9TyGssr2rFoWo",
                ),
            ),
        ),
        56: Deployment(
            "bsc",
            (
                (NATIVE_EVM, "nep245:v2_1.omni.hot.tg:56_11111111111111111111"),
                (
                    "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d",
                    "nep245:v2_1.omni.hot.tg:56_2w93GqMcEmQFDru84j3HZZWt557r",
                ),
                (
                    "0x55d398326f99059fF775485246999027B3197955",
                    "nep245:v2_1.omni.hot.tg:56_2CMMyVTGZkeyNZTSvS5sarzfir6g",
                ),
            ),
        ),
        100: Deployment(
            "gnosis",
            (
                (NATIVE_EVM, "nep141:gnosis.omft.near"),
                (
                    "0x2a22f9c3b484c3629090FeED35F17Ff8F88f76F0",
                    "nep141:gnosis-0x2a22f9c3b484c3629090feed35f17ff8f88f76f0.omft.near",
                ),
                (
                    "0x4ECaBa5870353805a9F068101A40E0f32ed605C6",
                    "nep141:gnosis-0x4ecaba5870353805a9f068101a40e0f32ed605c6.omft.near",
                ),
            ),
        ),
        137: Deployment(
            "pol",
            (
                (NATIVE_EVM, "nep245:v2_1.omni.hot.tg:137_11111111111111111111"),
                (
                    "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359",
                    "nep245:v2_1.omni.hot.tg:137_qiStmoQJDQPTebaPjgx5VBxZv6L",
                ),
                (
                    "0xc2132D05D31c914a87C6611C10748AEb04B58e8F",
                    "nep245:v2_1.omni.hot.tg:137_3hpYoaLtt8MP1Z2GH1U473DMRKgr",
                ),
            ),
        ),
        8453: Deployment(
            "base",
            (
                (NATIVE_EVM, "nep141:base.omft.near"),
                (
                    "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
                    "nep141:base-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913.omft.near",
                ),
                (
                    "0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf",
                    "nep141:base-0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf.omft.near",
                ),
            ),
        ),
        42161: Deployment(
            "arb",
            (
                (NATIVE_EVM, "nep141:arb.omft.near"),
                (
                    "0xaf88d065e77c8cC2239327C5EDb3A432268e5831",
                    "nep141:arb-0xaf88d065e77c8cc2239327c5edb3a432268e5831.omft.near",
                ),
                (
                    "0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9",
                    "nep141:arb-0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9.omft.near",
                ),
            ),
        ),
        43114: Deployment(
            "avax",
            (
                (NATIVE_EVM, "nep245:v2_1.omni.hot.tg:43114_11111111111111111111"),
                (
                    "0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E",
                    "nep245:v2_1.omni.hot.tg:43114_3atVJH3r5c4GqiSYmg9fECvjc47o",
                ),
                (
                    "0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7",
                    "nep245:v2_1.omni.hot.tg:43114_372BeH7ENZieCaabwkbWkBiTTgXp",
                ),
            ),
        ),
        80094: Deployment("bera", ((NATIVE_EVM, "nep141:bera.omft.near"),)),
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
