"""What a transaction may compute, and what it pays for its place."""

import pytest

from rhumbline.domain.svm import SvmInstruction
from rhumbline.gateways.svm.compute_budget import ComputeBudget, network_fee, read_budget
from rhumbline.gateways.svm.instructions import SystemTransfer
from rhumbline.gateways.svm.programs import COMPUTE_BUDGET
from tests.gateways.svm.strategies import KEYS


@pytest.mark.parametrize(
    "fields",
    [{"units": 1_400_001}, {"units": -1}, {"heap": 31 * 1024}, {"heap": 33 * 1024 + 1}, {"heap": 257 * 1024},
     {"micro_lamports": 2**64}, {"data_size": 0}, {"data_size": 2**32}],
)  # fmt: skip
def test_a_budget_that_the_runtime_refuses(fields: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"."):
        ComputeBudget(**fields)


def test_a_transaction_that_nobody_pays_has_no_fee() -> None:
    signed = b"\x01" + bytes(64)
    with pytest.raises(ValueError, match="nobody pays"):
        network_fee(signed + b"\x80" + bytes(3) + b"\x00" + bytes(32) + b"\x00\x00")


def test_what_a_priority_costs() -> None:
    assert ComputeBudget(200_000, 116).priority_fee() == 24
    assert ComputeBudget(1, 1).priority_fee() == 1
    assert (ComputeBudget().priority_fee(), ComputeBudget(units=5).priority_fee()) == (0, 0)
    with pytest.raises(ValueError, match="without a limit"):
        ComputeBudget(micro_lamports=5).priority_fee()


@pytest.mark.parametrize(
    "data", [b"", b"\x00\x00\x00\x00\x00", b"\x05" + bytes(4), b"\x02" + bytes(3), b"\x03" + bytes(4)]
)
def test_a_budget_that_is_not_known(data: bytes) -> None:
    with pytest.raises(ValueError, match="not known"):
        read_budget([SvmInstruction(COMPUTE_BUDGET, (), data)])


def test_a_budget_that_is_set_twice() -> None:
    call = ComputeBudget(units=5).instructions()
    with pytest.raises(ValueError, match="twice"):
        read_budget([*call, SystemTransfer(KEYS[0], KEYS[1], 1).encode(), *call])
