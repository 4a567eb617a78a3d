"""What is taken of a fee payer, or paid otherwise than was chosen, is a loss."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from attack.svm.chosen import PAYER, SPONSORED, TIP, TIPPING, Purse, robbed, terms_of
from rhumbline.domain.solana_terms import SolanaCosts
from rhumbline.gateways.svm.jito import TIP_ACCOUNTS

COSTS = SolanaCosts(30_000, 20_000, (PAYER,), TIP, TIP_ACCOUNTS[2], PAYER, 2_000_000)
TOKEN = (1, "mint", PAYER)
HAD = Purse(10**9, {TOKEN: 5}, frozenset())


def said(after: Purse, *, fee: int = 30_000, tip: int = TIP) -> str:
    answer: Any = SimpleNamespace(solana=COSTS)
    executed: Any = SimpleNamespace(
        fee=fee, error=None, balances_before={TIP_ACCOUNTS[2]: 7}, balances_after={TIP_ACCOUNTS[2]: 7 + tip}
    )
    return robbed(answer, executed, HAD, after)


@pytest.mark.parametrize(
    ("changes", "executed", "words"),
    [
        ({}, {}, ""),
        ({"lamports": HAD.lamports - 2_040_001}, {}, "the fee payer lost 2040001 lamports, and 2040000 were said"),
        ({"rest": {TOKEN: 4}}, {}, "the fee payer lost tokens, or control"),
        ({"doors": frozenset({("account", "delegate", "")})}, {}, "the fee payer lost tokens, or control"),
        ({}, {"tip": TIP - 1}, "tips of 9999 were paid, and 10000 were said"),
        ({}, {"tip": TIP + 1}, "tips of 10001 were paid, and 10000 were said"),
        ({}, {"fee": 30_001}, "the network took 30001, and 30000 were said"),
    ],
)
def test_what_is_a_loss(changes: dict[str, Any], executed: dict[str, int], words: str) -> None:
    assert said(replace(HAD, **{"lamports": HAD.lamports - 2_040_000, **changes}), **executed) == words


def test_three_of_four_callers_have_a_fee_payer() -> None:
    assert [terms_of(seed) for seed in range(4)] == [SPONSORED] * 3 + [TIPPING]
