"""The kinds of pools that the engine knows."""

from collections.abc import Mapping
from types import MappingProxyType

from rhumbline.liquidity.kinds.curve_kind import CurveKind
from rhumbline.liquidity.kinds.kind import PlainKind, TickedKind
from rhumbline.liquidity.kinds.linear_kind import StakeKind, VaultKind
from rhumbline.liquidity.kinds.pools import PoolKind
from rhumbline.liquidity.kinds.slipstream import SlipstreamKind
from rhumbline.liquidity.kinds.solidly_kind import SolidlyKind
from rhumbline.liquidity.kinds.v2 import V2Kind
from rhumbline.liquidity.kinds.v3_kind import V3Kind
from rhumbline.liquidity.kinds.v4_kind import V4Kind

KINDS: Mapping[PoolKind, PlainKind | TickedKind] = MappingProxyType(
    {
        PoolKind.V2: V2Kind(),
        PoolKind.V3: V3Kind(),
        PoolKind.V4: V4Kind(),
        PoolKind.SOLIDLY: SolidlyKind(),
        PoolKind.SLIPSTREAM: SlipstreamKind(),
        PoolKind.CURVE: CurveKind(),
        PoolKind.VAULT: VaultKind(),
        PoolKind.STAKE: StakeKind(),
    }
)
