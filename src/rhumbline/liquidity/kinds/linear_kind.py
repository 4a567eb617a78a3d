"""How vaults of ERC-4626 and wrapped stakes are read and called; their mathematics is in ``linear.py``.

Sources, read 2026-11: ERC-4626 (https://eips.ethereum.org/EIPS/eip-4626); OpenZeppelin's ERC4626.sol 5.x; solmate's
ERC4626.sol; makerdao/sdai, SavingsDai.sol; lidofinance/core, WstETH.sol, StETH.sol and Lido.sol. A vault's formula is
not trusted: at every read its answers for two amounts in each direction are compared, one of them as large as any
quoted amount. A vault that fits none of the formulas is left out. ``maxRedeem`` is not used: it is about an account's
own shares, and the Executor has none until the plan runs.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from rhumbline.gateways.evm.abi import encode_call, selector
from rhumbline.gateways.nodes.evm.deployment import executor_address
from rhumbline.gateways.nodes.evm.multicall import Read
from rhumbline.liquidity.kinds.kind import HopKind, PlainKind, PoolLookup, StateRead, address_in
from rhumbline.liquidity.kinds.linear import LinearState
from rhumbline.liquidity.kinds.pools import Pair, Pool, PoolSource

PROBES = (314_159_265_358_979_323_846_264_338_327_950_288_419, 2_718_281_829)
"""The first is also the most that is quoted; stETH takes no larger number."""
MOST_OFFSET = 18
_RAY = 10**27
_VAULT_GAS, _STAKE_GAS = 150_000, 90_000


class VaultKind(PlainKind):
    """Vaults of ERC-4626, each a source of its own: ``factory`` is the vault, whose share is itself."""

    hop = HopKind.DEPOSIT

    def hop_in(self, pool: Pool, token_in: str) -> HopKind:
        return HopKind.REDEEM if token_in == pool.address else HopKind.DEPOSIT

    def lookups(self, source: PoolSource, pair: Pair) -> list[PoolLookup]:
        return _lookups(source, pair, "asset()")

    def reads(self, pool: Pool) -> tuple[StateRead, ...]:
        vault = pool.address
        return (
            StateRead(vault, selector("totalAssets()"), 1),
            StateRead(vault, selector("totalSupply()"), 1),
            StateRead(vault, encode_call("maxDeposit(address)", ["address"], [executor_address()]), 1),
            _number_read(vault, "convertToAssets(uint256)", _RAY),
            *(_number_read(vault, "previewDeposit(uint256)", each) for each in PROBES),
            *(_number_read(vault, "previewRedeem(uint256)", each) for each in PROBES),
        )

    def state(self, pool: Pool, answers: Sequence[bytes]) -> LinearState | None:
        assets, supply, most, ray, *previews = map(int.from_bytes, answers)
        for worth, shares in _rates(assets, supply, ray):
            if _fits(shares, worth, previews):
                limits = min(most, PROBES[0], 1_000 * assets), min(supply, PROBES[0])
                return _state(pool, worth, shares, limits, _VAULT_GAS)
        return None

    def place(self, _: Pool, __: str) -> bytes:
        return b""


class StakeKind(PlainKind):
    """Lido's wrapped stake: ``factory`` is wstETH. stETH is held in shares of the stake, and sent in whole shares.

    The plan's final stETH is sent once more, to its receiver, and may lose one or two units; so may stETH that the
    wallet sells.
    """

    hop = HopKind.WRAP_STAKED

    def hop_in(self, pool: Pool, token_in: str) -> HopKind:
        return HopKind.UNWRAP_STAKED if token_in == pool.address else HopKind.WRAP_STAKED

    def lookups(self, source: PoolSource, pair: Pair) -> list[PoolLookup]:
        return _lookups(source, pair, "stETH()")

    def reads(self, pool: Pool) -> tuple[StateRead, ...]:
        stake = pool.other(pool.address)
        names = "getTotalPooledEther()", "getExternalEther()", "getTotalShares()", "getExternalShares()"
        return (
            *(StateRead(stake, selector(name), 1) for name in names),
            StateRead(pool.address, selector("totalSupply()"), 1),
            *(_number_read(stake, "getSharesByPooledEth(uint256)", each) for each in PROBES),
            *(_number_read(stake, "getPooledEthByShares(uint256)", each) for each in PROBES),
        )

    def state(self, pool: Pool, answers: Sequence[bytes]) -> LinearState | None:
        """Take the rate of what Lido itself has staked, as ``_getShareRateNumerator`` and ``…Denominator`` do."""
        ether, outside, shares, outside_shares, wrapped, *previews = map(int.from_bytes, answers)
        worth, shares = ether - outside, shares - outside_shares
        if not _fits(shares, worth, previews):
            return None
        return _state(pool, worth, shares, (min(ether, PROBES[0]), min(wrapped, PROBES[0])), _STAKE_GAS, rounded=True)

    def place(self, _: Pool, __: str) -> bytes:
        return b""


def _lookups(source: PoolSource, pair: Pair, asset: str) -> list[PoolLookup]:
    if source.factory not in pair:
        return []
    return [PoolLookup(Read(source.factory, selector(asset)), partial(_pool, source, pair))]


def _pool(source: PoolSource, pair: Pair, answer: bytes | None) -> Pool | None:
    asset = address_in(answer)
    if asset is None or {asset, source.factory} != set(pair):
        return None
    return Pool(source.kind, source.factory, *pair, source=source.key)


def _number_read(to: str, name: str, number: int) -> StateRead:
    return StateRead(to, encode_call(name, ["uint256"], [number]), 1)


def _rates(assets: int, supply: int, ray: int) -> Iterator[tuple[int, int]]:
    """List what so many shares may be worth: solmate's formula, OpenZeppelin's with each offset, sDAI's by a rate."""
    yield assets, supply
    for offset in range(MOST_OFFSET + 1):
        yield assets + 1, supply + 10**offset
    yield ray, _RAY


def _fits(shares: int, worth: int, previews: Sequence[int]) -> bool:
    """Tell whether all previews, of assets first, are what the rate gives, rounded down."""
    if shares <= 0 or worth <= 0:
        return False
    expected = [*(probe * shares // worth for probe in PROBES), *(probe * worth // shares for probe in PROBES)]
    return expected == list(previews)


def _state(
    pool: Pool, worth: int, shares: int, limits: tuple[int, int], gas: int, *, rounded: bool = False
) -> LinearState:
    """Put a state together; ``limits`` are of the asset and of the share, ``rounded`` is the asset kept in shares."""
    asset, share = limits
    if pool.address == pool.token0:
        return LinearState(worth, shares, share, asset, shares1=rounded, least_gas=gas)
    return LinearState(shares, worth, asset, share, shares0=rounded, least_gas=gas)
