"""The swap that the examples ask for."""

from rhumbline.api.reference.example_swap import ON_MAINNET, ExampleSwap, example_swap
from tests.api.api_service import USDC, ApiService, services


async def test_examples_ask_for_what_is_served(api_service: ApiService) -> None:
    """The first EVM chain that can pay and has a USDC of the operator's; where there is none, Ethereum's."""
    known = services(api_service, {})
    assert example_swap(known.chains, known.tokens, None) == ExampleSwap(1, USDC, 100_000_000)
    assert example_swap(known.chains, known.tokens, frozenset({8453})) == ON_MAINNET
    assert example_swap(known.chains, known.tokens, frozenset()) == ON_MAINNET
