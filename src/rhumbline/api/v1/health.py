"""Health: alive, and ready."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.http.errors import standard_error
from rhumbline.api.http.paths import HEALTH, target_of
from rhumbline.api.reference.operation import Described
from rhumbline.api.v1.services import Services
from rhumbline.api.wire.health import Health, NotReady, Readiness
from rhumbline.api.wire.shape import answer
from rhumbline.domain.errors import StoreUnavailable

_ALIVE = ("/health", HEALTH, "/health/live")
_READY = Described(
    "getReadiness", "Health", "Whether everything that is needed answers", "Names each dependency.", (), (), key="none"
)


def health_routes(services: Services) -> APIRouter:
    """Return the health endpoints; they need no key and are never counted."""
    router = APIRouter()

    async def alive(request: Request) -> Response:
        return answer(Health(status="ok"), headers={"cache-control": "no-store"})

    async def ready(request: Request) -> Response:
        dependencies = dict(await services.ready())
        down = sorted(
            name for name, state in dependencies.items() if state != "ok" and not state.startswith("degraded")
        )
        if not down:
            return answer(Readiness(status="ok", dependencies=dependencies), headers={"cache-control": "no-store"})
        error = standard_error(
            StoreUnavailable(f"Not ready: {', '.join(down)}", {"dependencies": dependencies}),
            services.clock(),
            target_of(request.scope),
        )
        body = NotReady(status="unavailable", dependencies=dependencies, **dict(error))
        return answer(body, status=503, headers={"cache-control": "no-store", "retry-after": "5"})

    for path, name in zip(_ALIVE, ("getHealth", "getHealthV1", "getLiveness"), strict=True):
        described = Described(name, "Health", "Whether the process lives", "Needs nothing.", (), (), key="none")
        router.add_api_route(path, alive, response_model=Health, **described.options())
    options = _READY.options()
    options["responses"][503] = {"model": NotReady, "description": "Something that is needed does not answer."}
    router.add_api_route("/health/ready", ready, response_model=Readiness, **options)
    return router
