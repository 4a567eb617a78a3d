"""Quotes on the sandbox: what is promised is what the simulation sees and what the chain then does, to the unit."""

from dataclasses import replace
from fractions import Fraction

import pytest

from rhumbline.devnet.wallet import balance_of
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.fee import FeeKind, FeeRule, FeeType
from rhumbline.domain.simulation import ExecutionStatus, OutputValidation
from rhumbline.domain.transaction import EvmTransaction, verify_transaction_id
from rhumbline.routing.fees import FEE_SKIPPED, FeeSettings
from rhumbline.routing.verifying import decode_swap
from tests.routing.desk import KEY, Desk, integrator

PAIRS = [
    ("USDC", "WETH", 1_500_000_000),
    ("WETH", "USDC", 10**18),
    ("ETH", "USDC", 10**18),
    ("USDC", "ETH", 900_000_000),
    ("ETH", "WETH", 10**18),
    ("WETH", "ETH", 10**17),
]


@pytest.mark.parametrize("elsewhere", [False, True], ids=["to_sender", "to_another"])
@pytest.mark.parametrize(("sold", "bought", "amount"), PAIRS)
async def test_promised_simulated_and_real_are_one(
    desk: Desk, sold: str, bought: str, amount: int, elsewhere: bool
) -> None:
    receiver = desk.nobody if elsewhere else desk.sender
    answer = await desk.service.answer(desk.ask(sold, bought, amount, receiver=receiver))
    assert answer.simulation is not None
    result = answer.simulation.result
    assert (result.status, result.validation) == (ExecutionStatus.SUCCESS, OutputValidation.VERIFIED)
    assert result.simulated_output == answer.output_amount
    assert result.deviation is not None
    assert result.deviation.absolute == 0
    gain, spare = await desk.execute(answer)
    assert gain == answer.output_amount
    assert spare >= 0
