"""What the doctor asks beside the store and the nodes: whatever the service can do without for a while.

One checkup asks one thing, within a time of its own, and whatever goes wrong with it is a finding, never an exception.
What was found names hosts, and neither the rest of an address nor keys.
"""

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from time import monotonic

from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.http.connection import AnyAnswer, ConnectionFailed
from rhumbline.gateways.http.connection_errors import host_of, in_words

LIMIT_S = 6.0


class State(StrEnum):
    """How a part is: ``WARNS`` does not answer, and the service goes on without; ``FAILS`` is needed."""

    OK = "ok"
    WARNS = "warns"
    FAILS = "fails"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the doctor's answer."""

    what: str
    state: State
    text: str


class Unwell(Exception):
    """A part that does not do what it is for; the text says why, without addresses and keys."""


class NotAsked(Exception):
    """A part that has nothing to do under these settings, so that nothing can be said of it; the text says why."""


@dataclass(frozen=True, slots=True)
class Checkup:
    """One question. ``ask`` returns what was found, and raises Unwell or NotAsked; others of its kind may stand in.

    ``kind`` is what it can be replaced within: ``prices``, ``token list``, ``adapter``. It has ``limit_s`` seconds.
    """

    kind: str
    name: str
    ask: Callable[[], Awaitable[str]]
    limit_s: float = LIMIT_S


async def examine(checkups: Sequence[Checkup]) -> list[Finding]:
    """Ask all at once, findings in order; what fails is a warning while another of its kind answers."""
    outcomes = await asyncio.gather(*(_asked(each) for each in checkups))
    answering = {each.kind for each, (state, _) in zip(checkups, outcomes, strict=True) if state is State.OK}
    findings = []
    for each, (state, text) in zip(checkups, outcomes, strict=True):
        alone = state is State.WARNS and each.kind not in answering
        findings.append(Finding(f"{each.kind} {each.name}", State.FAILS if alone else state or State.OK, text))
    return findings


async def _asked(checkup: Checkup) -> tuple[State | None, str]:
    """Ask; no state means that there was nothing to ask."""
    began = monotonic()
    try:
        async with asyncio.timeout(checkup.limit_s):
            found = await checkup.ask()
    except NotAsked as reason:
        return None, f"not asked: {reason}"
    except Unwell as error:
        return State.WARNS, str(error)
    except TimeoutError:
        return State.WARNS, f"did not answer within {checkup.limit_s:g} s"
    except Exception as error:
        # An answer that nobody foresaw is a finding too; the error's text may hold what was sent.
        return State.WARNS, f"answered something that could not be read ({type(error).__name__})"
    return State.OK, f"{found}, {1000 * (monotonic() - began):.0f} ms"


def host_checkup(kind: str, name: str, url: str, http: HttpClient) -> Checkup:
    """Make sure that a host answers over HTTP, whatever it says; over https:// with a sound certificate."""

    async def ask() -> str:
        try:
            # The checkup's own limit comes before this deadline.
            reply = await http.ask("GET", url, AnyAnswer(0), asyncio.get_running_loop().time() + 2 * LIMIT_S)
        except ssl.SSLCertVerificationError:
            raise Unwell(f"the TLS certificate of {host_of(url)} does not hold") from None
        except (ConnectionFailed, OSError, ValueError) as error:
            raise Unwell(f"cannot be reached ({host_of(url)}: {in_words(error)})") from None
        return f"the host answers (HTTP {reply.status})"

    return Checkup(kind, name, ask)
