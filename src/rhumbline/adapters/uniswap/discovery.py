"""Which pools there are for a pair, asked of the factories and remembered."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from rhumbline.adapters.uniswap.block_reads import Head, read_at
from rhumbline.adapters.uniswap.deployments import Deployment
from rhumbline.adapters.uniswap.facts import Facts, address_in, read_facts
from rhumbline.adapters.uniswap.pools import Pair, Pool, Version
from rhumbline.gateways.evm.abi import encode_call
from rhumbline.gateways.nodes.evm.multicall import Read
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.upstreams.joined_calls import JoinedCalls

NEW_POOLS_AFTER_S = 60.0
"""For how long "there is no such pool" is believed."""
MOST_PAIRS = 10_000


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
            facts = self._facts = await read_facts(self._rpc, self._deployment, head)
        questions = {pair: self._questions(facts, pair) for pair in pairs}
        reads = [read for asked in questions.values() for _, read in asked]
        answers = iter(await read_at(self._rpc, self._deployment.multicall, head, reads))
        found = {}
        for pair, asked in questions.items():
            places = [(pool, address_in(next(answers))) for pool, _ in asked]
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


def _v3(pair: Pair, fee: int, spacing: int) -> Callable[[str], Pool]:
    return lambda address: Pool(Version.V3, address, *pair, fee, spacing)
