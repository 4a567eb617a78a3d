"""What the traffic asks about: pairs, amounts and wallets of the sandbox, as JSON for the generator."""

import random
from collections.abc import Iterator, Sequence
from itertools import permutations

from rhumbline.devnet.sandbox import Sandbox, SandboxChain
from rhumbline.domain.chain import ChainType

AMOUNTS = 4
"""How many amounts a pair is asked about: few, so that the emulators need not compute much."""
_WHOLE = {"USDC": 100.0, "USDT": 100.0, "DAI": 100.0, "WETH": 0.05, "WBTC": 0.002, "WSOL": 1.0}
"""What is sold at least, in whole tokens."""
PRICED, PAGES = 10, 64
"""How many tokens a page shows the prices of, and how many pages there are."""
_EVM, _SOLANA = ("USDC", "WETH", "USDT", "DAI", "WBTC"), ("USDC", "WSOL", "USDT")
_CARRIED = ("USDC", "WETH")


def questions(sandbox: Sandbox) -> dict[str, object]:
    """Return the questions by kind, the chains' IDs, and the lists of tokens whose prices pages ask for."""
    evm, solana = sandbox.evm_chains, next(chain for chain in sandbox.chains if chain.type is ChainType.SVM)
    tokens = [f"{chain.id}:{token.address}" for chain in sandbox.chains for token in chain.tokens.values()]
    dice = random.Random(20_261_128)
    across = [*permutations(evm, 2), (evm[0], solana), (solana, evm[0])]
    return {
        "quotes-evm": [each for chain in evm for each in _swaps(sandbox, chain, _EVM)],
        "quotes-solana": list(_swaps(sandbox, solana, _SOLANA)),
        "quotes-across": [
            each
            for origin, destination in across
            for symbol in _CARRIED
            if symbol == "USDC" or solana not in (origin, destination)
            for each in _asked(sandbox, (origin, symbol), (destination, symbol))
        ],
        "chains": [chain.id for chain in sandbox.chains],
        "prices": [",".join(dice.sample(tokens, PRICED)) for _ in range(PAGES)],
    }


def _swaps(sandbox: Sandbox, chain: SandboxChain, symbols: Sequence[str]) -> Iterator[dict[str, str]]:
    for sold, bought in permutations(symbols, 2):
        # No pool joins them.
        if {sold, bought} != {"USDT", "WBTC"}:
            yield from _asked(sandbox, (chain, sold), (chain, bought))


def _asked(
    sandbox: Sandbox, sold: tuple[SandboxChain, str], bought: tuple[SandboxChain, str]
) -> Iterator[dict[str, str]]:
    (origin, symbol), (destination, wanted) = sold, bought
    token = origin.tokens[symbol]
    wallet, receiver = (
        next(each.address for each in sandbox.accounts if each.type is chain.type) for chain in (origin, destination)
    )
    for number in range(AMOUNTS):
        yield {
            "senderAddress": wallet,
            "receiverAddress": receiver,
            "originChainId": str(origin.id),
            "destinationChainId": str(destination.id),
            "originCurrency": token.address,
            "destinationCurrency": destination.tokens[wanted].address,
            "amount": str(round(_WHOLE[symbol] * (1 + number) * 10**token.decimals)),
        }
