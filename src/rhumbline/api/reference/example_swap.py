"""The swap in the examples: one that this service can quote."""

from collections.abc import Mapping
from dataclasses import dataclass

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.chain import Chain, ChainType

_WALLET = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"
_NATIVE = "0x0000000000000000000000000000000000000000"
_WHOLE = 100
_PREFERRED = "USDC"


@dataclass(frozen=True, slots=True)
class ExampleSwap:
    """A token for its chain's native asset, with somebody's wallet as sender; ``amount`` is in raw units."""

    chain_id: int
    token: str
    amount: int

    @property
    def question(self) -> Mapping[str, str | int]:
        """The parameters of a quote."""
        return {
            "senderAddress": _WALLET,
            "originChainId": self.chain_id,
            "destinationChainId": self.chain_id,
            "amount": str(self.amount),
            "originCurrency": self.token,
            "destinationCurrency": _NATIVE,
        }


ON_MAINNET = ExampleSwap(1, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", 100_000_000)


def example_swap(chains: ChainCatalog, tokens: TokenCatalog, served: frozenset[int] | None) -> ExampleSwap:
    """Return the swap for a service that quotes on the chains ``served`` (None: on all)."""
    found = (
        _on(chain, tokens)
        for chain in chains.of_types(frozenset({ChainType.EVM}))
        if served is None or chain.id in served
    )
    return next((swap for swap in found if swap is not None), ON_MAINNET)


def _on(chain: Chain, tokens: TokenCatalog) -> ExampleSwap | None:
    # Never one of a list loaded later: no unchecked token is put into an example.
    token = tokens.find_fixed(chain, _PREFERRED)
    return None if token is None else ExampleSwap(chain.id, token.address, _WHOLE * 10**token.decimals)
