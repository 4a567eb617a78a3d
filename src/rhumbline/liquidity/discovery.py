"""Which pools there are for a pair, asked of the factories that the router itself names, and remembered."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.evm.abi import encode_call, selector
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.nodes.evm.multicall import Read, read_many
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.upstreams.joined_calls import JoinedCalls
from rhumbline.liquidity.deployments import Deployment
from rhumbline.liquidity.pools import Pair, Pool, Version

NEW_POOLS_AFTER_S = 60.0
"""For how long "there is no such pool" is believed."""
MOST_PAIRS = 10_000
_ROUTER_SAYS = ("WETH9()", "factoryV2()", "factory()")


@dataclass(frozen=True, slots=True)
class Facts:
    """The V2 factory if the router can use it; V3's tick spacings by fee in millionths, none if it cannot."""

    v2_factory: str | None
    spacings: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class _Found:
    pools: tuple[Pool, ...]
    asked_at: float
    every: bool


class PoolFinder:
    """Finds the pools of one chain. What exists is remembered for good, what does not for a while.

    ``seconds`` is a monotonic clock; after ``new_pools_after_s`` pools that were not there are looked for again.
    """

    def __init__(
        self,
        rpc: EvmRpc,
        deployment: Deployment,
        seconds: Callable[[], float],
        new_pools_after_s: float = NEW_POOLS_AFTER_S,
    ) -> None:
        self._rpc, self._deployment, self._seconds = rpc, deployment, seconds
        self._new_pools_after_s = new_pools_after_s
        self._facts: Facts | None = None
        self._known: dict[Pair, _Found] = {}
        self._work = JoinedCalls()

    async def find(self, pairs: Iterable[Pair]) -> Mapping[Pair, tuple[Pool, ...]]:
        """Return the pools of every pair at the newest block or before; raise NodeUnavailable or RpcError."""
        now, wanted = self._seconds(), frozenset(pairs)
        known = {pair: found for pair in wanted if (found := self._fresh(pair, now)) is not None}
        if ask := wanted.difference(known):
            with self._work.join(ask, lambda: self._ask(ask)) as asked:
                known |= await asked
        return {pair: known[pair].pools for pair in sorted(wanted)}

    def _fresh(self, pair: Pair, now: float) -> _Found | None:
        known = self._known.get(pair)
        fresh = known is not None and (known.every or now - known.asked_at < self._new_pools_after_s)
        return known if fresh else None

    async def _ask(self, pairs: frozenset[Pair]) -> Mapping[Pair, _Found]:
        """Ask the factories, and at first, in the same call, the router which factories it has."""
        asked_at, place = self._seconds(), self._deployment
        facts_reads = _facts_reads(place) if self._facts is None else []
        questions = [(pair, tier, read) for pair in pairs for tier, read in _questions(place, pair)]
        reads = [*facts_reads, *(read for *_, read in questions)]
        answers = (await read_many(self._rpc, reads, place.multicall)).answers
        facts = self._facts
        if facts is None:
            facts = self._facts = _facts(self._rpc, place, answers[: len(facts_reads)])
        pools: dict[Pair, list[Pool]] = {pair: [] for pair in pairs}
        for (pair, tier, _), answer in zip(questions, answers[len(facts_reads) :], strict=True):
            address = _address_in(answer)
            if address is not None and tier is None and facts.v2_factory is not None:
                pools[pair].append(Pool(Version.V2, address, *pair))
            elif address is not None and tier is not None and tier in facts.spacings:
                pools[pair].append(Pool(Version.V3, address, *pair, tier, facts.spacings[tier]))
        most = (facts.v2_factory is not None) + len(facts.spacings)
        found = {pair: _Found(tuple(some), asked_at, len(some) == most) for pair, some in pools.items()}
        if len(self._known) + len(found) > MOST_PAIRS:
            self._known.clear()
        self._known |= found
        return found


def _questions(deployment: Deployment, pair: Pair) -> list[tuple[int | None, Read]]:
    """List what to ask for a pair, each with its V3 tier, None for V2."""
    questions: list[tuple[int | None, Read]] = []
    if (factory := deployment.v2_factory) is not None:
        questions.append((None, Read(factory, encode_call("getPair(address,address)", ["address"] * 2, pair))))
    if (factory := deployment.v3_factory) is not None:
        types = ["address", "address", "uint24"]
        for tier in deployment.tiers:
            read = Read(factory, encode_call("getPool(address,address,uint24)", types, [*pair, tier]))
            questions.append((tier, read))
    return questions


def _facts_reads(deployment: Deployment) -> list[Read]:
    reads = [Read(deployment.router, selector(name)) for name in _ROUTER_SAYS]
    if deployment.v3_factory is not None:
        reads += [
            Read(deployment.v3_factory, encode_call("feeAmountTickSpacing(uint24)", ["uint24"], [tier]))
            for tier in deployment.tiers
        ]
    return reads


def _facts(rpc: EvmRpc, deployment: Deployment, answers: Sequence[bytes | None]) -> Facts:
    """Take the factories that the router names: pools of any other could be quoted, but not swapped with.

    On several chains SwapRouter02 is older than the V2 factory and does not know it. Raise NodeUnavailable when there
    is no such router.
    """
    wrapped, v2_factory, v3_factory = (_address_in(answer) for answer in answers[:3])
    if wrapped != deployment.wrapped_native.address:
        raise NodeUnavailable(f"{rpc.name}: there is no SwapRouter02 with this wrapped native at {deployment.router}")
    spacings = {
        tier: int.from_bytes(answer, signed=True)
        for tier, answer in zip(deployment.tiers, answers[3:], strict=False)
        if answer is not None and len(answer) == 32 and any(answer)
    }
    return Facts(
        v2_factory if v2_factory == deployment.v2_factory else None,
        spacings if v3_factory == deployment.v3_factory else {},
    )


def _address_in(answer: bytes | None) -> str | None:
    """Read an address; None for a revert, the zero address, or an account without code (which answers nothing)."""
    if answer is None or len(answer) != 32 or not any(answer):
        return None
    return checksummed(answer[12:])
