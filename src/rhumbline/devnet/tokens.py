"""The sandbox's own tokens."""

from dataclasses import dataclass

from rhumbline.devnet.own_contracts import own_codes


@dataclass(frozen=True, slots=True)
class TokenPlan:
    """A token to deploy; `contract` names the Solidity contract."""

    symbol: str
    name: str
    decimals: int
    contract: str


TOKENS = (
    TokenPlan("USDC", "USD Coin", 6, "SandboxToken"),
    TokenPlan("USDT", "Tether USD", 6, "TetherToken"),
    TokenPlan("DAI", "Dai Stablecoin", 18, "SandboxToken"),
    TokenPlan("WBTC", "Wrapped BTC", 8, "SandboxToken"),
    TokenPlan("TAX", "Taxed Token", 18, "TaxedToken"),
)


def token_codes() -> dict[str, bytes]:
    """Return the committed creation code by contract name."""
    return own_codes("tokens")
