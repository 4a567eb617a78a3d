"""Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html (read 2026-11-27)."""

from dataclasses import dataclass, field

from rhumbline_client.errors import UnexpectedAnswer

MOST_BYTES = 4 * 2**20


@dataclass(frozen=True, slots=True)
class Event:
    """An event: its name, its data, and the ID to go on from."""

    name: str
    data: str
    id: str | None


@dataclass(slots=True)
class EventDecoder:
    """Makes events of a stream's bytes, however they are cut. A comment is no event."""

    last_id: str | None = None
    _rest: bytes = b""
    _name: str = ""
    _data: list[str] = field(default_factory=list)
    _size: int = 0

    def feed(self, received: bytes) -> list[Event]:
        """Return the events that ended with these bytes.

        Raises:
            UnexpectedAnswer: one event is larger than 4 MiB.

        """
        self._size += len(received)
        if self._size > MOST_BYTES:
            raise UnexpectedAnswer(f"an event has more than {MOST_BYTES} bytes")
        # A line may end with CR, LF or both; a CR at the end may be half of both.
        text = self._rest + received
        held = b"\r" if text.endswith(b"\r") else b""
        *lines, rest = text.removesuffix(held).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        self._rest = rest + held
        return [event for event in map(self._line, lines) if event is not None]

    def _line(self, line: bytes) -> Event | None:
        if not line:
            name, data, size = self._name, self._data, len(self._rest)
            self._name, self._data, self._size = "", [], size
            return Event(name or "message", "\n".join(data), self.last_id) if data else None
        key, _, value = line.decode(errors="replace").partition(":")
        value = value.removeprefix(" ")
        if key == "event":
            self._name = value
        elif key == "data":
            self._data.append(value)
        elif key == "id" and "\0" not in value:
            self.last_id = value
        return None
