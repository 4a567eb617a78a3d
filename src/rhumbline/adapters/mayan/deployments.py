"""Mayan's contracts by chain.

Sources: swap-sdk 15.2.0 and swap-bridge (https://github.com/mayan-finance, read 2026-11-21); for Wormhole's token
bridges wormhole-sdk-ts (constants, read 2026-11-22). One Forwarder at the same address on every EVM chain. SWIFT's
second version, and WORMHOLE's contract on Base, by the vendor's page on chains and contracts and a public study that
found code there, and the former on the Forwarder's list on Ethereum (2026-09-29); chains that the study does not name
are left out of SWIFT's origins. The other protocol contracts are those known from published quotes. A quote may name
others, which count only where the Forwarder itself lists them. Solana's programs and lookup table are the SDK's, and
those of a transaction of 2026-09-21 (slot 449137703) that placed an order of SWIFT. SWIFT's first version is retired:
not one of 4,544 orders of half a day (2026-09-28) was its.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

FORWARDER = "0x337685fdaB40D39bd02028545a4FfA7D287cC3E2"
_SWIFT = ("0x40fFE85A28DC9993541449464d7529a922142960",)
_MCTP = ("0x875d6d37EC55c8cF220B9E5080717549d8Aa8EcA",)
_FAST_MCTP = ("0xC1062b7C5Dc8E4b1Df9F200fe360cDc0eD6e7741",)
_WORMHOLE_OF_BASE = ("0x11AA521C888d84f374B63823d9b873CAa3591f55",)
SOLANA_SWIFT = "mayan34VedncxdK2XobtvWFDXQASUTBXhUVzt2kKgny"
SOLANA_MCTP = "dkpZqrxHFrhziEMQ931GLtfy11nFkCsfMftH9u6QwBU"
SOLANA_FAST_MCTP = "Gx9rivpS3YR8pBFwMuP6omYqVxunpLvLkNn7ubNyuZZ5"
PROXY = "D8C8iW6zmoKg5TRr8nQ7h14TMWqQX8FiBdj2ju5MF3wa"
FEE_MANAGER = "5VtQHnhs2pfVEr68qQsbTRwKh4JV5GTu9mBHgHFxpHeQ"
_WORMHOLE = ("0xBF5f3f65102aE745A48BD521d10BaB5BF02A9eF4", "0x238856DE6d9d32EA3Dd4e9e7dbfe08b23cD5048c")


@dataclass(frozen=True, slots=True)
class Deployment:
    """One chain's facts; EVM addresses in any case. On Solana the contracts are programs.

    ``name`` and ``wormhole_id`` are Mayan's names of the chain, ``cctp_domain`` Circle's. ``usdc`` is Circle's own
    USDC, the only input of MCTP and FAST_MCTP. ``middles`` are the tokens, each with its decimals, into which a swap on
    the origin may turn the input for SWIFT. ``swift`` … ``wormhole`` are the protocol contracts of each kind,
    ``routers`` the contracts that may swap on the origin; others count only if the Forwarder lists them.
    ``swift_first`` are the contracts of SWIFT's retired first version, and its orders are made for no others.
    ``token_bridge`` is Wormhole's, which locks WORMHOLE's input. ``dollars`` are tokens of about a dollar each.
    ``largest_message_fee`` is the largest price, in wei or lamports, of a Wormhole message. On Solana every call goes
    through ``proxy``, SWIFT asks ``fee_manager`` for Mayan's share, and ``tables`` are lookup tables. ``largest_drop``
    is the most native, in wei, that Mayan brings to the chain with a transfer, 0 where its documentation says none.
    """

    name: str
    wormhole_id: int
    cctp_domain: int | None = None
    usdc: str | None = None
    middles: tuple[tuple[str, int], ...] = ()
    forwarder: str = FORWARDER
    swift: tuple[str, ...] = ()
    swift_first: tuple[str, ...] = ()
    mctp: tuple[str, ...] = _MCTP
    fast_mctp: tuple[str, ...] = _FAST_MCTP
    wormhole: tuple[str, ...] = ()
    routers: tuple[str, ...] = ()
    token_bridge: str = ""
    dollars: tuple[str, ...] = ()
    native_decimals: int = 18
    largest_message_fee: int = 10**16
    largest_drop: int = 0
    proxy: str = PROXY
    fee_manager: str = FEE_MANAGER
    tables: tuple[str, ...] = ()


_TETHER = frozenset({"0xdAC17F958D2ee523a2206206994597C13D831ec7", "0x55d398326f99059fF775485246999027B3197955"})
_WETH_OF_ROLLUPS = "0x4200000000000000000000000000000000000006"


def _evm(
    name: str,
    wormhole_id: int,
    wrapped: str,
    usdc: str,
    domain: int | None,
    *more: tuple[str, int],
    bridge: str = "",
    wormhole: tuple[str, ...] = _WORMHOLE,
    drop: int = 0,
) -> Deployment:
    """``domain`` is None where ``usdc`` is not Circle's own, of 18 decimals.

    Chains with a ``bridge`` have WORMHOLE and are origins of SWIFT. ``drop`` is in thousandths of a native token.
    """
    return Deployment(
        name,
        wormhole_id,
        domain,
        usdc if domain is not None else None,
        ((usdc, 18 if domain is None else 6), (wrapped, 18), *more),
        swift=_SWIFT if bridge else (),
        # Circle has no USDC of its own there, and MayanCircle no code (2026-09-29).
        mctp=_MCTP if domain is not None else (),
        fast_mctp=_FAST_MCTP if domain is not None else (),
        wormhole=wormhole if bridge else (),
        token_bridge=bridge,
        dollars=(usdc, *(token for token, _ in more if token in _TETHER)),
        largest_drop=drop * 10**15,
    )


DEPLOYMENTS: Mapping[int, Deployment] = MappingProxyType(
    {
        1: _evm(
            "ethereum", 2, "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
            0, ("0xdAC17F958D2ee523a2206206994597C13D831ec7", 6), bridge="0x3ee18B2214AFF97000D974cf647E7C347E8fa585",
            drop=50,
        ),
        10: _evm(
            "optimism", 24, _WETH_OF_ROLLUPS, "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85",
            2, bridge="0x1D68124e65faFC907325e3EDbF8c4d84499DAa8b", drop=10,
        ),
        56: _evm(
            "bsc", 4, "0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c", "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d",
            None, ("0x55d398326f99059fF775485246999027B3197955", 18),
            ("0x2170Ed0880ac9A755fd29B2688956BD959F933F8", 18), bridge="0xB6F6D86a8f9879A9c87f643768d9efc38c1Da6E7",
            drop=20,
        ),
        130: _evm("unichain", 44, _WETH_OF_ROLLUPS, "0x078D782b760474a361dDA0AF3839290b0EF57AD6", 10, drop=10),
        137: _evm(
            "polygon", 5, "0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270", "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359",
            7, ("0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619", 18), bridge="0x5a58505a96D1dbf8dF91cB21B54419FC36e93fdE",
            drop=200,
        ),
        146: _evm("sonic", 52, "0x039e2fB66102314Ce7b64Ce5Ce3E5183bc94aD38",
                  "0x29219dd400f2Bf60E5a23d13Be72B486D4038894", 13),
        8453: _evm(
            "base", 30, _WETH_OF_ROLLUPS, "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
            6, bridge="0x8d2de8d2f73F1F4cAB472AC9A881C9b123C79627", wormhole=_WORMHOLE_OF_BASE, drop=10,
        ),
        42161: _evm(
            "arbitrum", 23, "0x82aF49447D8a07e3bd95BD0d56f35241523fBab1", "0xaf88d065e77c8cC2239327C5EDb3A432268e5831",
            3, bridge="0x0b2402144Bb366A632D14B83F244D2e0e21bD39c", drop=10,
        ),
        43114: _evm(
            "avalanche", 6, "0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7", "0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E",
            1, ("0x49D5c2BdFfac6CE2BFdB6640F4F80f226bc10bAB", 18), bridge="0x0e082F06FF657D94310cB8cE8B0D9a04541d8052",
            drop=200,
        ),
        59144: _evm("linea", 38, "0xe5D7C2a44FfDDf6b295A15c148167daaAf5Cf34f",
                    "0x176211869cA2b568f2A7D4EE941E073a821EE1ff", 11),
        1000000001: Deployment(
            "solana", 1, 5, "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
            swift=(SOLANA_SWIFT,), mctp=(SOLANA_MCTP,), fast_mctp=(SOLANA_FAST_MCTP,),
            dollars=("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB"),
            native_decimals=9, largest_message_fee=10**7,
            tables=("Ff3yi1meWQQ19VPZMzGg6H8JQQeRudiV7QtVtyzJyoht",),
        ),
    }
)  # fmt: skip
