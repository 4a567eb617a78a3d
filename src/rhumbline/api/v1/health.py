"""Health: alive, and ready."""

from typing import Annotated, Literal

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.http.errors import standard_error
from rhumbline.api.http.headers import NO_STORE
from rhumbline.api.http.paths import HEALTH, target_of
from rhumbline.api.reference.operation import ApiRoute, Operation
from rhumbline.api.v1.services import Services
from rhumbline.api.wire.error import StandardError
from rhumbline.api.wire.shape import Wire, answer
from rhumbline.domain.errors import StoreUnavailable
from rhumbline.domain.followed_chain import FollowedChain

Dependencies = Annotated[
    dict[str, str],
    Field(description="Each dependency by name: `ok`, its fault, or `degraded` and why if only some requests need it."),
]


class Health(Wire):
    """The process answers."""

    status: Literal["ok"]


class ChainState(Wire):
    """How far a chain has been followed, as its leader wrote to the store a few seconds ago."""

    leader: Annotated[str | None, Field(description="The process that follows the chain; null if none does.")]
    head: Annotated[int | None, Field(description="The newest block, on Solana slot, of the leader's node.")]
    behind: Annotated[int | None, Field(description="How many blocks are not read yet.")]
    still_for: Annotated[int | None, Field(description="Seconds since either last changed.")]

    @classmethod
    def of(cls, chain: FollowedChain) -> "ChainState":
        still = None if chain.still_s is None else int(chain.still_s)
        return cls(leader=chain.leader, head=chain.head, behind=chain.behind, still_for=still)


Process = Annotated[str, Field(description="This process's name among the leaders; new at each start.")]
ChainStates = Annotated[dict[str, ChainState], Field(description="Each served chain by its key.")]


class Readiness(Health):
    """Everything that all requests need is available."""

    dependencies: Dependencies
    process: Process
    chains: ChainStates


class NotReady(StandardError):
    """A StandardError with the dependencies."""

    status: Literal["unavailable"]
    dependencies: Dependencies
    process: Process
    chains: ChainStates


_ALIVE = (("/health", "getHealth"), (HEALTH, "getHealthV1"), ("/health/live", "getLiveness"))
_READY = Operation(
    "getReadiness",
    "Health",
    "Whether everything that all requests need is available",
    "Names each dependency, and who follows each chain.",
    errors=(),
    key="none",
    exceptions={503: (NotReady, "A required dependency does not answer.")},
)


def health_routes(services: Services) -> list[ApiRoute]:
    """Return the health endpoints; they need no key and are never counted."""

    async def alive(request: Request) -> Response:
        return answer(Health(status="ok"), headers=NO_STORE)

    async def ready(request: Request) -> Response:
        dependencies = dict(await services.ready())
        down = sorted(
            name for name, state in dependencies.items() if state != "ok" and not state.startswith("degraded")
        )
        chains = {key: ChainState.of(chain) for key, chain in services.followed().items()}
        if not down:
            found = Readiness(status="ok", dependencies=dependencies, process=services.process, chains=chains)
            return answer(found, headers=NO_STORE)
        error = standard_error(
            StoreUnavailable(f"Not ready: {', '.join(down)}", {"dependencies": dependencies}),
            services.clock(),
            target_of(request.scope),
        )
        body = NotReady(
            status="unavailable",
            dependencies=dependencies,
            process=services.process,
            chains=chains,
            **dict(error),
        )
        return answer(body, status=503, headers={**NO_STORE, "retry-after": "5"})

    routes = []
    for path, name in _ALIVE:
        lives = Operation(name, "Health", "Whether the process lives", "Needs nothing.", errors=(), key="none")
        routes.append(ApiRoute(path, alive, lives, Health))
    return [*routes, ApiRoute("/health/ready", ready, _READY, Readiness)]
