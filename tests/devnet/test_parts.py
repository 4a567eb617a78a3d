"""The sandbox's smaller parts: sealed files, calldata, prices, the committed token code."""

import asyncio
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rhumbline.devnet.atomic_files import CacheError, exclusive, read_whole, write_whole
from rhumbline.devnet.duty_roster import DutyRoster
from rhumbline.devnet.evm.operator import argument_types
from rhumbline.devnet.evm.pools import DECIMALS, PLANS, PRICES, raw_amount, sqrt_price_x96
from rhumbline.devnet.solc import CompileError
from rhumbline.devnet.tokens import compile_tokens

ROOT = Path(__file__).parents[2]
SYMBOLS = st.sampled_from(sorted(PRICES))


@settings(deadline=None)
@given(payload=st.binary(max_size=200), place=st.integers(0, 10**6), flip=st.integers(1, 255))
def test_sealed_file_is_whole_or_not_there(
    tmp_path_factory: pytest.TempPathFactory, payload: bytes, place: int, flip: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "sealed"
    path.unlink(missing_ok=True)
    assert read_whole(path) is None
    write_whole(path, payload)
    assert read_whole(path) == payload
    content = bytearray(path.read_bytes())
    content[place % len(content)] ^= flip
    path.write_bytes(content)
    assert read_whole(path) is None


async def test_lock_is_held_by_one_and_given_up_in_time(tmp_path: Path) -> None:
    async with exclusive(tmp_path / "lock", 1):
        with pytest.raises(CacheError, match="another process has held"):
            async with exclusive(tmp_path / "lock", 0.1):
                raise AssertionError("held twice")
        waiting = asyncio.create_task(_hold(tmp_path / "lock"))
        await asyncio.sleep(0.1)
        assert not waiting.done()
    await waiting


async def _hold(path: Path) -> None:
    async with exclusive(path, 60):
        pass


@pytest.mark.parametrize(
    ("signature", "types"),
    [
        ("deposit()", []),
        ("approve(address,uint256)", ["address", "uint256"]),
        ("f((address,(uint256,bytes)[]),uint8[2])", ["(address,(uint256,bytes)[])", "uint8[2]"]),
    ],
)
def test_argument_types(signature: str, types: list[str]) -> None:
    assert argument_types(signature) == types


@given(first=SYMBOLS, second=SYMBOLS, shift=st.integers(-1000, 1000), straight=st.booleans())
def test_square_root_price_is_the_largest_below(first: str, second: str, shift: int, straight: bool) -> None:
    root = sqrt_price_x96(first, second, shift, first_is_token0=straight)
    price = Fraction(PRICES[first] * 10 ** DECIMALS[second], PRICES[second] * 10 ** DECIMALS[first])
    price *= Fraction(1_000_000 + shift, 1_000_000)
    exact = (price if straight else 1 / price) * 2**192
    assert root**2 <= exact < (root + 1) ** 2


@given(symbol=SYMBOLS, usd=st.integers(0, 10**9))
def test_raw_amounts_round_down(symbol: str, usd: int) -> None:
    exact = Fraction(usd * 100 * 10 ** DECIMALS[symbol], PRICES[symbol])
    assert raw_amount(symbol, usd) <= exact < raw_amount(symbol, usd) + 1


def test_pools_of_a_pair_differ_by_less_than_their_fees() -> None:
    for plan in PLANS:
        for other in PLANS:
            if {plan.first, plan.second} == {other.first, other.second}:
                shift = plan.shift if plan.first == other.first else -plan.shift
                assert abs(shift - other.shift) < 1000
                assert abs(shift - other.shift) < plan.fee + other.fee


def test_usdt_and_wbtc_have_no_pool() -> None:
    assert {"USDT", "WBTC"} not in [{plan.first, plan.second} for plan in PLANS]


async def test_compiling_without_packages_says_so(tmp_path: Path) -> None:
    with pytest.raises(CompileError, match="run `npm ci`"):
        await compile_tokens(tmp_path / "node_modules")


def test_the_last_who_came_is_on_duty_until_it_leaves() -> None:
    posts = DutyRoster()
    with posts.held("a") as first, posts.held("b") as apart:
        assert first()
        assert apart()
        with posts.held("a") as second:
            assert (first(), second(), apart()) == (False, True, True)
        assert (first(), second()) == (True, False)
