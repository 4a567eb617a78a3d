"""Native output on Solana goes to the wallet itself: what it had wrapped before stays wrapped."""

from dataclasses import replace

import pytest

from rhumbline.devnet.svm.wallet import balance_of
from rhumbline.domain.simulation import ExecutionStatus
from rhumbline.gateways.svm.programs import WRAPPED_SOL
from tests.adapters.conformance.adapter_fixture import AdapterFixture
from tests.adapters.conformance.case import Ask

BUYING = Ask("sbxs", "sbxs", "USDC", "SOL", 300 * 10**6, direct=True)


@pytest.mark.parametrize("key", ["JUPITER", "OKX"])
async def test_a_wallet_buys_native_sol_for_itself(adapter_fixture: AdapterFixture) -> None:
    question = adapter_fixture.question(BUYING)
    own = replace(question, receiver=question.sender)
    rpc = adapter_fixture.svm_rpcs[question.origin.id]
    wrapped = await balance_of(rpc, WRAPPED_SOL, question.sender)
    assert wrapped > 0
    answer = await adapter_fixture.service([]).answer(own)
    assert answer.simulation is not None
    assert answer.simulation.result.status is ExecutionStatus.SUCCESS, answer.simulation.result.reason
    await adapter_fixture.execute(answer)
    assert await balance_of(rpc, WRAPPED_SOL, question.sender) == wrapped
