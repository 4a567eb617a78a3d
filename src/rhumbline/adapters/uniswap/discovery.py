"""Which pools there are for a pair, asked of the factories that the router itself names, and remembered."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from rhumbline.adapters.uniswap.block_reads import Head, read_at
from rhumbline.adapters.uniswap.deployments import Deployment
from rhumbline.adapters.uniswap.pools import Pair, Pool, Version
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.evm.abi import encode_call, selector
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.nodes.evm.multicall import Read
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.upstreams.joined_calls import JoinedCalls

NEW_POOLS_AFTER_S = 60.0
"""For how long "there is no such pool" is believed."""
MOST_PAIRS = 10_000
_ROUTER_SAYS = ("WETH9()", "factoryV2()", "factory()")


@dataclass(frozen=True, slots=True)
class Facts:
    """The factories that the router can use, None for one it cannot; V3's tick spacings by fee in millionths."""

    v2_factory: str | None
    v3_factory: str | None
    spacings: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class _Found:
    pools: tuple[Pool, ...]
    asked_at: float
    every: bool


class PoolFinder:
    """Finds the pools of one chain. What exists is remembered for good, what does not for a while.

    ``seconds`` is a monotonic clock.
    """

    def __init__(self, rpc: EvmRpc, deployment: Deployment, seconds: Callable[[], float]) -> None:
        self._rpc, self._deployment, self._seconds = rpc, deployment, seconds
        self._facts: Facts | None = None
        self._known: dict[Pair, _Found] = {}
        self._work = JoinedCalls()

    async def find(self, head: Head, pairs: Iterable[Pair]) -> Mapping[Pair, tuple[Pool, ...]]:
        """Return the pools of every pair at a block or before; raise NodeUnavailable, RpcError or HeadGone."""
        now = self._seconds()
        known = {pair: found for pair in pairs if (found := self._fresh(pair, now)) is not None}
        ask = frozenset(pair for pair in pairs if pair not in known)
        if ask:
            with self._work.join(ask, lambda: self._ask(head, ask)) as asked:
                known |= await asked
        return {pair: found.pools for pair, found in known.items()}

    def _fresh(self, pair: Pair, now: float) -> _Found | None:
        known = self._known.get(pair)
        return known if known is not None and (known.every or now - known.asked_at < NEW_POOLS_AFTER_S) else None

    async def _ask(self, head: Head, pairs: frozenset[Pair]) -> Mapping[Pair, _Found]:
        asked_at = self._seconds()
        facts = self._facts
        if facts is None:
            facts = self._facts = await _read_facts(self._rpc, self._deployment, head)
        questions = {pair: self._questions(facts, pair) for pair in pairs}
        reads = [read for asked in questions.values() for _, read in asked]
        answers = iter(await read_at(self._rpc, self._deployment.multicall, head, reads))
        found = {}
        for pair, asked in questions.items():
            places = [(pool, _address_in(next(answers))) for pool, _ in asked]
            pools = tuple(pool(address) for pool, address in places if address is not None)
            found[pair] = _Found(pools, asked_at, len(pools) == len(asked))
        if len(self._known) + len(found) > MOST_PAIRS:
            self._known.clear()
        self._known |= found
        return found

    def _questions(self, facts: Facts, pair: Pair) -> list[tuple[Callable[[str], Pool], Read]]:
        """List what to ask for a pair, each with what makes a pool of the address answered."""
        questions: list[tuple[Callable[[str], Pool], Read]] = []
        if facts.v2_factory is not None:
            read = Read(facts.v2_factory, encode_call("getPair(address,address)", ["address"] * 2, pair))
            questions.append((lambda address: Pool(Version.V2, address, *pair), read))
        if facts.v3_factory is not None:
            for fee, spacing in facts.spacings.items():
                types, values = ["address", "address", "uint24"], [*pair, fee]
                read = Read(facts.v3_factory, encode_call("getPool(address,address,uint24)", types, values))
                questions.append((_v3(pair, fee, spacing), read))
        return questions


async def _read_facts(rpc: EvmRpc, deployment: Deployment, head: Head) -> Facts:
    """Ask the router for its factories: pools of any other could be quoted, but not swapped with.

    On several chains SwapRouter02 is older than the V2 factory and does not know it. Raise NodeUnavailable when there
    is no such router, HeadGone or RpcError.
    """
    reads = [Read(deployment.router, selector(name)) for name in _ROUTER_SAYS]
    if deployment.v3_factory is not None:
        reads += [
            Read(deployment.v3_factory, encode_call("feeAmountTickSpacing(uint24)", ["uint24"], [tier]))
            for tier in deployment.tiers
        ]
    answers = await read_at(rpc, deployment.multicall, head, reads)
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
        v3_factory if v3_factory == deployment.v3_factory else None,
        spacings,
    )


def _address_in(answer: bytes | None) -> str | None:
    """Read an address; None for a revert, the zero address, or an account without code (which answers nothing)."""
    if answer is None or len(answer) != 32 or not any(answer):
        return None
    return checksummed(answer[12:])


def _v3(pair: Pair, fee: int, spacing: int) -> Callable[[str], Pool]:
    return lambda address: Pool(Version.V3, address, *pair, fee, spacing)
