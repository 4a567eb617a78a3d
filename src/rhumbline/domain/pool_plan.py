"""Which pools an answer trades with, and how far it is from the best that these pools allow."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from rhumbline.domain.token import Token


@dataclass(frozen=True, slots=True)
class PoolTrade:
    """What one pool takes and gives; amounts in raw units.

    ``source`` is whose pool it is, ``kind`` its design, ``pool`` its address, or its ID where one contract has many
    pools. ``fee`` is a share of the input. ``share`` is the part of all of ``token_in`` that goes through this pool.
    """

    source: str
    kind: str
    pool: str
    fee: Fraction
    token_in: str
    token_out: str
    amount_in: int
    amount_out: int
    share: Fraction


@dataclass(frozen=True, slots=True)
class PoolPlan:
    """Trades in the order of their execution, exact for one block (hash in 0x-hex). Amounts in raw units.

    ``net`` is the output less what the trades' gas costs; no plan over the pools that were read gives more than
    ``bound``, nor nets more than ``net_bound``. ``tokens`` are those whose names are known, by address. ``explain``
    returns JSON by which anybody can recompute all of it.
    """

    block: int
    block_hash: str
    trades: tuple[PoolTrade, ...]
    tokens: Mapping[str, Token]
    input: int
    output: int
    net: Fraction
    bound: Fraction
    net_bound: Fraction
    explain: Callable[[], Mapping[str, object]] = field(default=dict, compare=False)
