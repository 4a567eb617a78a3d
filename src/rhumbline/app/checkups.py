"""The doctor's checks of parts that the service can do without for a while: not the store or the nodes.

Each checkup has its own time limit, and any failure of it is a finding, never an exception. Findings name hosts, but
neither the rest of an address nor keys.
"""

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from time import monotonic

from rhumbline.gateways.http.client import AnyAnswer, HttpClient
from rhumbline.gateways.http.connection import ConnectionFailed
from rhumbline.gateways.http.connection_errors import host_of, in_words

LIMIT_S = 6.0


class State(StrEnum):
    """The state of a part: ``WARNS`` means that the service works without it, ``FAILS`` that it needs it."""

    OK = "ok"
    WARNS = "warns"
    FAILS = "fails"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the doctor's answer."""

    what: str
    state: State
    text: str


class NotWorking(Exception):
    """A part that does not work; the text says why, without addresses and keys."""


class NotUsed(Exception):
    """A part that is not used under these settings and so not checked; the text says why."""


@dataclass(frozen=True, slots=True)
class Checkup:
    """One check. ``ask`` returns its finding, or raises NotWorking or NotUsed; others of its kind may replace it.

    ``kind`` is within what it can be replaced: ``prices``, ``token list``, ``adapter``. It has ``limit_s`` seconds.
    """

    kind: str
    name: str
    ask: Callable[[], Awaitable[str]]
    limit_s: float = LIMIT_S


async def examine(checkups: Sequence[Checkup]) -> list[Finding]:
    """Run all checks at once, findings in order; a failure is a warning if another of its kind answers."""
    outcomes = await asyncio.gather(*(_run(each) for each in checkups))
    answering = {each.kind for each, (state, _) in zip(checkups, outcomes, strict=True) if state is State.OK}
    findings = []
    for each, (state, text) in zip(checkups, outcomes, strict=True):
        alone = state is State.WARNS and each.kind not in answering
        findings.append(Finding(f"{each.kind} {each.name}", State.FAILS if alone else state or State.OK, text))
    return findings


async def _run(checkup: Checkup) -> tuple[State | None, str]:
    """Ask; no state means that there was nothing to ask."""
    began = monotonic()
    try:
        async with asyncio.timeout(checkup.limit_s):
            found = await checkup.ask()
    except NotUsed as reason:
        return None, f"not asked: {reason}"
    except NotWorking as error:
        return State.WARNS, str(error)
    except TimeoutError:
        return State.WARNS, f"did not answer within {checkup.limit_s:g} s"
    except Exception as error:
        # Unforeseen answers are findings too; the error's text may contain what was sent.
        return State.WARNS, f"answered something that could not be read ({type(error).__name__})"
    return State.OK, f"{found}, {1000 * (monotonic() - began):.0f} ms"


def host_checkup(kind: str, name: str, url: str, http: HttpClient) -> Checkup:
    """Check that a host answers over HTTP, with any status; over https:// with a valid certificate."""

    async def ask() -> str:
        try:
            # The checkup's own limit comes before this deadline.
            reply = await http.ask("GET", url, AnyAnswer(0), asyncio.get_running_loop().time() + 2 * LIMIT_S)
        except ssl.SSLCertVerificationError:
            raise NotWorking(f"the TLS certificate of {host_of(url)} is not valid") from None
        except (ConnectionFailed, OSError, ValueError) as error:
            raise NotWorking(f"cannot be reached ({host_of(url)}: {in_words(error)})") from None
        return f"the host answers (HTTP {reply.status})"

    return Checkup(kind, name, ask)
