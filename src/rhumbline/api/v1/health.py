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

Dependencies = Annotated[dict[str, str], Field(description="Each dependency by name: `ok`, or what is wrong with it.")]


class Health(Wire):
    """The process answers."""

    status: Literal["ok"]


class Readiness(Health):
    """Everything that is needed answers."""

    dependencies: Dependencies


class NotReady(StandardError):
    """A StandardError that names the dependencies as well."""

    status: Literal["unavailable"]
    dependencies: Dependencies


_ALIVE = (("/health", "getHealth"), (HEALTH, "getHealthV1"), ("/health/live", "getLiveness"))
_READY = Operation(
    "getReadiness",
    "Health",
    "Whether everything that is needed answers",
    "Names each dependency.",
    errors=(),
    key="none",
    exceptions={503: (NotReady, "Something that is needed does not answer.")},
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
        if not down:
            return answer(Readiness(status="ok", dependencies=dependencies), headers=NO_STORE)
        error = standard_error(
            StoreUnavailable(f"Not ready: {', '.join(down)}", {"dependencies": dependencies}),
            services.clock(),
            target_of(request.scope),
        )
        body = NotReady(status="unavailable", dependencies=dependencies, **dict(error))
        return answer(body, status=503, headers={**NO_STORE, "retry-after": "5"})

    routes = []
    for path, name in _ALIVE:
        lives = Operation(name, "Health", "Whether the process lives", "Needs nothing.", errors=(), key="none")
        routes.append(ApiRoute(path, alive, lives, Health))
    return [*routes, ApiRoute("/health/ready", ready, _READY, Readiness)]
