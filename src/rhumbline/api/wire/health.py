"""Health: whether the process lives, and whether what it needs answers."""

from typing import Annotated, Literal

from pydantic import Field

from rhumbline.api.wire.error import StandardError
from rhumbline.api.wire.shape import Wire

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
