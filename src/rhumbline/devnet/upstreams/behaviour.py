"""How an emulator is told to behave, its recorded requests, and its failures."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum, auto


class Fault(StrEnum):
    """What happens to every JSON answer before it is sent."""

    NONE = auto()
    LATE = auto()
    """Correct, but after ``delay_s``."""
    NEVER = auto()
    """The connection stays open and nothing is sent."""
    HALF = auto()
    """Half of the body under the length of the whole, then the connection ends."""
    HTML = auto()
    HUGE = auto()
    """50 MB of white space before the answer: valid JSON for a client that reads all of it."""
    INVALID_UTF8 = auto()
    NOT_JSON = auto()
    RATE_LIMITED = auto()
    RATE_LIMITED_RETRY_AFTER = auto()
    SERVER_ERROR = auto()
    ERROR_IN_200 = auto()
    FLOATS = auto()
    """Whatever looks like a raw amount (an integer of four digits or more) gets a fraction."""
    OVERFLOW = auto()
    """The same get larger than 256 bits."""
    NEGATIVE = auto()
    """The same get negative."""
    DUPLICATE_KEYS = auto()
    """The first key of every object occurs twice."""
    EMPTY = auto()
    REDIRECT = auto()
    """To a host that is not the upstream's."""


class Lie(StrEnum):
    """What is wrong in an otherwise plausible answer; each emulator has its own lies."""

    WORSE_OUTPUT = auto()
    """The execution brings less than the answer states and guarantees."""
    OTHER_RECEIVER = auto()
    OTHER_ENTRY = auto()
    """The transaction calls a stranger's contract."""
    OTHER_SPENDER = auto()
    OTHER_TOKEN = auto()
    OTHER_AMOUNT = auto()
    MORE_VALUE = auto()
    NO_MINIMUM = auto()
    OTHER_REFUND = auto()


class Outcome(StrEnum):
    """What a bridge's solver does with open deposits."""

    DELIVER = auto()
    LATE = auto()
    """Delivers ``delay_s`` after it saw the deposit."""
    NEVER = auto()
    """Does nothing as long as this is set."""
    REFUND = auto()
    FAIL = auto()
    """Takes them and pays nobody; the status is failed."""


@dataclass
class Behaviour:
    """How an emulator behaves from now on.

    ``lie`` is applied where the emulator makes its answer; ``failure`` names a documented failure to answer instead;
    ``delay_s`` is the delay of LATE, in seconds; ``status`` is a documented word that the status endpoint answers,
    whatever happened.
    """

    fault: Fault = Fault.NONE
    lie: Lie | None = None
    failure: str | None = None
    delay_s: float = 30.0
    outcome: Outcome = Outcome.DELIVER
    status: str | None = None

    def as_json(self) -> dict[str, object]:
        """Write it in the form of the control endpoint."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


def read_behaviour(document: object, failures: Mapping[str, object], statuses: tuple[str, ...]) -> Behaviour:
    """Read the form of `as_json`, absent keys by their defaults; raise ValueError with the fault."""
    known = {each.name for each in fields(Behaviour)}
    if not isinstance(document, dict) or not known.issuperset(document):
        raise ValueError(f"an object with some of these keys: {', '.join(sorted(known))}")
    delay, lie = document.get("delay_s", Behaviour.delay_s), document.get("lie")
    if isinstance(delay, bool) or not isinstance(delay, int | float) or not 0 <= delay <= 3600:
        raise ValueError("delay_s: seconds from 0 to 3600")
    return Behaviour(
        Fault(document.get("fault", Fault.NONE)),
        None if lie is None else Lie(lie),
        _one_of("failure", document.get("failure"), tuple(failures)),
        float(delay),
        Outcome(document.get("outcome", Outcome.DELIVER)),
        _one_of("status", document.get("status"), statuses),
    )


def _one_of(key: str, value: object, known: tuple[str, ...]) -> str | None:
    if value is None or (isinstance(value, str) and value in known):
        return value
    raise ValueError(f"{key}: null, or one of {', '.join(known) or 'none'}")


@dataclass(frozen=True)
class Received:
    """A received request. ``body`` is its JSON, None without; ``headers`` have lower-case names.

    ``raw`` is the body's bytes and ``target`` the path and query as they were sent, over which signatures are made.
    """

    method: str
    path: str
    query: tuple[tuple[str, str], ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    body: object = None
    raw: bytes = field(default=b"", repr=False)
    target: str = ""


@dataclass(frozen=True)
class Failure:
    """A documented failure. ``on``: prefixes of the paths on which ``Behaviour.failure`` forces it; empty: all."""

    status: int
    body: object
    headers: Mapping[str, str] = field(default_factory=dict)
    on: tuple[str, ...] = ()


class EmulatorError(Exception):
    """A handler cannot answer the request."""


class Fails(EmulatorError):
    """A handler answers a documented failure, by its name; ``body`` replaces the failure's own."""

    def __init__(self, name: str, body: object = None) -> None:
        """Take the name of one of the emulator's ``failures``."""
        super().__init__(name)
        self.name = name
        self.body = body
