"""What tools work with: the service's client, names of chains and tokens, and the steps of answered routes."""

from collections import OrderedDict
from dataclasses import dataclass

from rhumbline_client import AsyncRhumbline, models
from rhumbline_client.mcp.catalog import Catalog

MOST_STEPS = 2000


@dataclass(frozen=True, slots=True)
class KeptStep:
    """A step as it was answered, which has to be sent back unchanged, and the route's last receiver."""

    step: models.Step
    receiver: str


class KeptSteps:
    """Steps by their ID, the latest only: an agent names a step instead of copying it."""

    def __init__(self, most: int = MOST_STEPS) -> None:
        self._most = most
        self._steps: OrderedDict[str, KeptStep] = OrderedDict()

    def keep(self, step: models.Step, receiver: str) -> None:
        """Keep a step; the oldest one goes where there are too many."""
        self._steps[step.id] = KeptStep(step, receiver)
        self._steps.move_to_end(step.id)
        while len(self._steps) > self._most:
            self._steps.popitem(last=False)

    def find(self, step_id: str) -> KeptStep | None:
        """Return a step that is still kept."""
        return self._steps.get(step_id)


class Service:
    """A Rhumbline service, as tools see it."""

    def __init__(self, client: AsyncRhumbline) -> None:
        self.client = client
        self.catalog = Catalog(client)
        self.steps = KeptSteps()
