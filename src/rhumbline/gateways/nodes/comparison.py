"""Compares the endpoints of one chain: which are behind, and which contradict each other.

All are asked for their head at the same time, while the chain is read and at most every ten seconds (thirty if no quote
waits), then for the same block below all heads. An endpoint may claim any height, so it is behind only if its newest
block is also older than another's. If endpoints have different blocks at one height, twice, the side with the greatest
weight is trusted; with equal weights none is, because nothing shows which one is wrong.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic, time
from typing import Generic, TypeVar

import structlog

from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.domain.metrics import Metrics, NoMetrics
from rhumbline.gateways.loop_watch import was_held_up
from rhumbline.gateways.nodes.endpoint import Endpoint
from rhumbline.gateways.nodes.identity import NodeOnOtherChain

R = TypeVar("R")
OFTEN_S, SELDOM_S, SOONEST_S = 10.0, 30.0, 2.0
_STALE_S = 60.0
_PATIENCE_S = 2.0
AHEAD_S = 30.0
"""How far a block's time may be ahead of this machine's."""
_AGAIN_S = 1.0


@dataclass(frozen=True, slots=True)
class Sight:
    """The newest block of an endpoint: its number, and its Unix time."""

    head: int
    time: int


@dataclass(frozen=True, slots=True)
class Lag:
    """An endpoint is behind by so many blocks and seconds after another, and as long as those blocks take.

    How long a block takes is what the endpoint showed between two rounds, ``block_s`` at first. ``depth`` below the
    lowest head is the block that is compared: reorganisations there are rare.
    """

    blocks: int = 3
    seconds: float = 10.0
    block_s: float = 12.0
    depth: int = 8


@dataclass(slots=True)
class Comparison(Generic[R]):
    """Compares endpoints. ``look`` reads an endpoint's head, ``block`` identifies its block of a number.

    Both raise NodeRefused or NodeUnavailable; ``block`` returns None if the endpoint does not know it. ``now`` is in
    seconds, ``unix`` a Unix time.
    """

    chain: str
    every: Sequence[Endpoint[R]]
    look: Callable[[R], Awaitable[Sight]]
    block: Callable[[R, int], Awaitable[str | None]]
    lag: Lag = Lag()
    metrics: Metrics = field(default_factory=NoMetrics)
    now: Callable[[], float] = monotonic
    unix: Callable[[], float] = time
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep
    _round: "asyncio.Task[None] | None" = None
    _begun_at: float = 0.0
    _done_at: float | None = None
    _before: dict[str, Sight] = field(default_factory=dict)

    async def refresh(self, *, seldom: bool, urgent: bool) -> None:
        """Start a round if one is due; wait up to two seconds for it if nothing is known, or if ``urgent``."""
        since_s = self.now() - self._begun_at
        due_s = SOONEST_S if urgent else SELDOM_S if seldom else OFTEN_S
        if self._round is None or (self._round.done() and since_s >= due_s):
            self._begun_at = self.now()
            self._round = asyncio.get_running_loop().create_task(self.compare())
        stale = self._done_at is None or self.now() - self._done_at > _STALE_S
        if (stale or urgent) and not self._round.done():
            await asyncio.wait({self._round}, timeout=_PATIENCE_S)

    async def compare(self) -> None:
        """Run one round, and set endpoints aside, or take them back, by its result."""
        sights = dict(zip(self.every, await asyncio.gather(*map(self._sight, self.every)), strict=True))
        seen = {endpoint: sight for endpoint, sight in sights.items() if isinstance(sight, Sight)}
        why = {endpoint: sight for endpoint, sight in sights.items() if isinstance(sight, str)}
        why |= self._ahead(seen)
        why |= self._behind({endpoint: sight for endpoint, sight in seen.items() if endpoint not in why})
        level = {endpoint: sight for endpoint, sight in seen.items() if endpoint not in why}
        if len(level) > 1:
            height = max(min(sight.head for sight in level.values()) - self.lag.depth, 0)
            why |= await self._contradictions(list(level), height)
        for endpoint, sight in sights.items():
            if sight is not None:
                self._judge(endpoint, why.get(endpoint))
        self._done_at = self.now()

    async def _sight(self, endpoint: Endpoint[R]) -> Sight | str | None:
        """Return an endpoint's newest block, the reason to set it aside, or None if it does not answer."""
        since = monotonic()
        try:
            async with asyncio.timeout(_PATIENCE_S):
                sight = await self.look(endpoint.rpc)
        except NodeOnOtherChain as error:
            return f"is on {error.found}"
        except (NodeRefused, NodeUnavailable, TimeoutError):
            if not was_held_up(since):
                endpoint.failed()
            return None
        endpoint.head = sight.head
        return sight

    def _ahead(self, seen: dict[Endpoint[R], Sight]) -> dict[Endpoint[R], str]:
        """Return which endpoints have blocks from the future; if all have, this machine's clock is wrong."""
        now = self.unix()
        found = {
            endpoint: f"has a block that is {sight.time - now:.0f} s ahead of this machine's clock"
            for endpoint, sight in seen.items()
            if sight.time - now > AHEAD_S
        }
        return found if len(found) < len(seen) else {}

    def _behind(self, seen: dict[Endpoint[R], Sight]) -> dict[Endpoint[R], str]:
        lag, head = self.lag, max((sight.head for sight in seen.values()), default=0)
        # A block from the future puts nobody behind.
        newest = min(max((sight.time for sight in seen.values()), default=0), int(self.unix()))
        found = {}
        for endpoint, sight in seen.items():
            blocks, seconds = head - sight.head, newest - sight.time
            if blocks >= lag.blocks and seconds > max(lag.seconds, lag.blocks * self._block_s(endpoint, sight)):
                found[endpoint] = f"is {blocks} blocks and {seconds} s behind"
        self._before |= {endpoint.name: sight for endpoint, sight in seen.items()}
        return found

    def _block_s(self, endpoint: Endpoint[R], sight: Sight) -> float:
        """Return how long its own blocks take: what another one claims must not make it slow."""
        before = self._before.get(endpoint.name, sight)
        blocks = sight.head - before.head
        return (sight.time - before.time) / blocks if blocks > 0 else self.lag.block_s

    async def _contradictions(self, level: Sequence[Endpoint[R]], height: int) -> dict[Endpoint[R], str]:
        """Return which endpoints have another block at a height than the trusted ones, in two reads."""
        trusted, others = _sides(await self._blocks(level, height))
        if not others:
            return {}
        await self.pause(_AGAIN_S)
        trusted, others = _sides(await self._blocks(level, height))
        if trusted is None:
            names = " and ".join(sorted(each.name for each in others))
            return dict.fromkeys(others, f"contradicts with equal weight (endpoints {names}, block {height})")
        return dict.fromkeys(others, f"has another block {height} than endpoint {trusted.name}")

    async def _blocks(self, level: Sequence[Endpoint[R]], height: int) -> dict[Endpoint[R], str]:
        async def ask(endpoint: Endpoint[R]) -> str | None:
            try:
                async with asyncio.timeout(_PATIENCE_S):
                    return await self.block(endpoint.rpc, height)
            except (NodeRefused, NodeUnavailable, TimeoutError):
                return None

        found = zip(level, await asyncio.gather(*map(ask, level)), strict=True)
        return {endpoint: block for endpoint, block in found if block is not None}

    def _judge(self, endpoint: Endpoint[R], why: str | None) -> None:
        self.metrics.compared_node(self.chain, endpoint.name, endpoint.head, why is None)
        if (why is None) != (endpoint.set_aside is None):
            log = structlog.get_logger()
            if why is None:
                log.info("node_taken_back", chain=self.chain, node=endpoint.name)
            else:
                log.warning("node_set_aside", chain=self.chain, node=endpoint.name, reason=why)
        endpoint.set_aside = why


def _sides(blocks: dict[Endpoint[R], str]) -> tuple[Endpoint[R] | None, list[Endpoint[R]]]:
    """Return one of the trusted endpoints, None if there is none, and all that are not trusted."""
    weights: dict[str, int] = {}
    for endpoint, block in blocks.items():
        weights[block] = weights.get(block, 0) + endpoint.terms.weight
    most = max(weights.values(), default=0)
    heaviest = [block for block, weight in weights.items() if weight == most]
    if len(heaviest) > 1:
        return None, list(blocks)
    trusted = [endpoint for endpoint, block in blocks.items() if block in heaviest]
    return (trusted[0] if trusted else None), [endpoint for endpoint in blocks if endpoint not in trusted]
