"""How an emulator can be told to behave, what it was asked, and how it fails: the words that all emulators share."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum, auto


class Fault(StrEnum):
    """What happens to every JSON answer on its way out, whatever the answer is."""

    NONE = auto()
    LATE = auto()
    """Sound, after ``delay_s``."""
    NEVER = auto()
    """The connection stays open and nothing comes."""
    HALF = auto()
    """Half of the body under the whole one's length, then the connection ends."""
    HTML = auto()
    HUGE = auto()
    """50 MB of white space before the answer: sound JSON, for whoever reads it all."""
    INVALID_UTF8 = auto()
    NOT_JSON = auto()
    RATE_LIMITED = auto()
    RATE_LIMITED_RETRY_AFTER = auto()
    SERVER_ERROR = auto()
    ERROR_IN_200 = auto()
    FLOATS = auto()
    """Whatever looks like a raw amount (an integer of four digits or more) is a number with a fraction."""
    OVERFLOW = auto()
    """The same are beyond 256 bits."""
    NEGATIVE = auto()
    """The same are below zero."""
    DUPLICATE_KEYS = auto()
    """The first key of every object is there twice."""
    EMPTY = auto()
    REDIRECT = auto()
    """To a host that is not the upstream's."""


class Lie(StrEnum):
    """What an emulator's answer is wrong about while it looks right; each emulator tells its own lies."""

    WORSE_OUTPUT = auto()
    """What is executed brings less than what was answered and guarantees."""
    OTHER_RECEIVER = auto()
    OTHER_ENTRY = auto()
    """The transaction goes to a stranger's contract."""
    OTHER_SPENDER = auto()
    OTHER_TOKEN = auto()
    OTHER_AMOUNT = auto()
    MORE_VALUE = auto()
    NO_MINIMUM = auto()
    OTHER_REFUND = auto()


class Outcome(StrEnum):
    """What a bridge's solver does with deposits that it has not dealt with yet."""

    DELIVER = auto()
    LATE = auto()
    """Delivers ``delay_s`` after it saw the deposit."""
    NEVER = auto()
    """Leaves deposits alone for as long as this is said."""
    REFUND = auto()
    FAIL = auto()
    """Takes them and pays nobody; the status says failed."""


@dataclass
class Behaviour:
    """How an emulator behaves from now on.

    ``lie`` is told where the emulator makes its answer; ``failure`` names a documented failure that is answered
    instead; ``delay_s`` is how late LATE is, in seconds; ``status`` is a documented word that the status endpoint says
    whatever happened.
    """

    fault: Fault = Fault.NONE
    lie: Lie | None = None
    failure: str | None = None
    delay_s: float = 30.0
    outcome: Outcome = Outcome.DELIVER
    status: str | None = None

    def as_json(self) -> dict[str, object]:
        """Return it as the control endpoint speaks of it."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


def read_behaviour(document: object, failures: Mapping[str, object], statuses: tuple[str, ...]) -> Behaviour:
    """Read what `as_json` gives, absent keys by their defaults; raise ValueError saying what is wrong."""
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
    """A request as it came. ``body`` is its JSON, None when it has none; ``headers`` have names in lower case.

    ``raw`` is the body's bytes and ``target`` the path and query as they were sent: what signatures are made over.
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
    """A documented failure. ``on``: beginnings of the paths it is forced on by ``Behaviour.failure``; empty: all."""

    status: int
    body: object
    headers: Mapping[str, str] = field(default_factory=dict)
    on: tuple[str, ...] = ()


class EmulatorError(Exception):
    """A handler cannot answer as asked."""


class Fails(EmulatorError):
    """A handler answers a documented failure, by its name; ``body`` in place of the failure's own, where it differs."""

    def __init__(self, name: str, body: object = None) -> None:
        """Take the name of one of the emulator's ``failures``."""
        super().__init__(name)
        self.name = name
        self.body = body
