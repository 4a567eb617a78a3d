"""Readiness: whether the store answers and can be written, this process's clock is right, and each node answers.

The first two are needed by all requests; a chain's node only by those about the chain.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic

from sqlalchemy.exc import SQLAlchemyError

from rhumbline.accounts.counters import Limiter
from rhumbline.accounts.sessions import Sessions
from rhumbline.app.chains import ServedChain
from rhumbline.app.nodes import other_chain
from rhumbline.domain.errors import NodeRefused, NodeUnavailable, StoreUnavailable
from rhumbline.gateways.postgres.failures import Refusals, driver_error
from rhumbline.gateways.postgres.schema_upgrade import usable
from rhumbline.gateways.postgres.store_clock import StoreClock, in_words
from rhumbline.steering.known_state import Steering

TIMEOUT_S = 2.0
KEPT_S = 1.0
"""How long an answer is repeated: anybody may ask, and must not cause work for the store and the nodes."""


@dataclass(eq=False, repr=False)
class Readiness:
    """Checks everything at once, and once for all requests within a second; ``now`` is in seconds."""

    sessions: Sessions
    served: Sequence[ServedChain]
    limiter: Limiter
    clock: StoreClock
    steering: Steering
    now: Callable[[], float] = monotonic

    def __post_init__(self) -> None:
        self._refusals = Refusals(self.sessions.engine, self.now)
        self._asking: asyncio.Task[Mapping[str, str]] | None = None
        self._asked_at = 0.0

    async def __call__(self) -> Mapping[str, str]:
        """Return the state of each: ``ok`` or the fault, without addresses; ``cache`` only if there is one.

        ``quoting`` is there only while the operator has paused it.

        What only some requests need, or none for a while, is ``degraded`` at the worst.
        """
        if self._asking is None or (self._asking.done() and self.now() - self._asked_at >= KEPT_S):
            self._asked_at = self.now()
            self._asking = asyncio.create_task(self._ask())
        return await asyncio.shield(self._asking)

    async def _ask(self) -> Mapping[str, str]:
        names = ["store", *(f"rpc:{served.chain.key}" for served in self.served)]
        cache, states = await asyncio.gather(
            self.limiter.shared_state(),
            asyncio.gather(self.store_state(), *(_node(served) for served in self.served)),
        )
        named = {**dict(zip(names, states, strict=True)), "clock": self.clock_state()}
        if cache is not None:
            named["cache"] = cache
        if self.steering.pauses.of(None) is not None:
            named["quoting"] = "degraded: the operator has paused it"
        return named

    def clock_state(self) -> str:
        """Return ``ok``, or how far this process's clock is off."""
        return f"is {in_words(self.clock.off_s)} the store's" if self.clock.is_off else "ok"

    async def store_state(self) -> str:
        """Return ``ok``, or why the store cannot be used; it is asked each time."""
        try:
            async with asyncio.timeout(TIMEOUT_S):
                await self.sessions.prove_writing()
                async with self.sessions.engine.connect() as connection:
                    if not await usable(connection):
                        return "was migrated by a newer version, which does not let this one work on it"
        except (StoreUnavailable, SQLAlchemyError, OSError, TimeoutError) as error:
            refused = self._refusals.last()
            if refused is None:
                return f"does not answer ({type(driver_error(error.__cause__ or error)).__name__})"
        else:
            # A small row may find room where those of tracking no longer do.
            refused = self._refusals.last()
        return "ok" if refused is None else f"answers, but does not write ({refused})"


async def _node(served: ServedChain) -> str:
    try:
        async with asyncio.timeout(TIMEOUT_S):
            found = await other_chain(served)
    except (NodeRefused, NodeUnavailable, TimeoutError) as error:
        return f"degraded: does not answer ({type(error).__name__})"
    return "ok" if found is None else f"degraded: is on {found}"
