"""One decoder of foreign bytes: genuine samples, how they are altered, and what reading them may raise."""

import inspect
import resource
import sys
import time
import traceback
from asyncio import Runner
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from random import Random
from types import FrameType
from typing import Any

import rhumbline

LONGEST_S = 1.0
"""How much of the processor's time one input may take: an event loop stands still for as long."""
LARGEST_KB = 128 * 1024
"""How much one input may make the process grow."""
_TRIES = 3
_ROOT = rhumbline.__path__[0] + "/"


@dataclass(frozen=True)
class Decoder:
    """``read`` raises one of ``errors`` for what is not sound, and nothing else ever.

    A genuine sample raises nothing, where it ``repeats``: where reading it a second time is the same.
    """

    name: str
    samples: Sequence[Any]
    alter: Callable[[Random, Any, Sequence[Any]], Any]
    read: Callable[[Any], Any]
    errors: tuple[type[Exception], ...]
    repeats: bool = True


@dataclass(frozen=True)
class Fault:
    """What went wrong with one input. ``place`` is the same for the same fault."""

    decoder: str
    case: int
    what: str
    place: str
    given: str


class Bench:
    """Gives inputs to decoders. Case ``n`` of a decoder under a seed is always the same input."""

    def __init__(self, runner: Runner, seed: int) -> None:
        self._runner = runner
        self._seed = seed
        self.accepted = 0

    def input_of(self, decoder: Decoder, case: int) -> Any:
        """The input of a case; the first ones are the genuine samples."""
        if case < len(decoder.samples):
            return decoder.samples[case]
        rng = Random(f"{self._seed} {decoder.name} {case}")
        return decoder.alter(rng, rng.choice(decoder.samples), decoder.samples)

    def fault(self, decoder: Decoder, case: int) -> Fault | None:
        """Read one input; what went wrong, None where all is well."""
        given = self.input_of(decoder, case)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        took = self._took(decoder, given, genuine=decoder.repeats and case < len(decoder.samples))
        if isinstance(took, BaseException):
            return Fault(decoder.name, case, f"{type(took).__name__}: {took}", place_of(took), repr(given))
        if took > LONGEST_S:
            # Once more: the garbage collector, or another process, may have been why.
            again = [self._took(decoder, given) for _ in range(_TRIES)]
            least = min((each for each in again if isinstance(each, float)), default=0.0)
            if least > LONGEST_S:
                return Fault(decoder.name, case, f"took {least:.1f} s", "time", repr(given))
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        if grown > LARGEST_KB:
            return Fault(decoder.name, case, f"took {grown // 1024} MB", "memory", repr(given))
        return None

    def _took(self, decoder: Decoder, given: Any, *, genuine: bool = False) -> float | BaseException:
        began = time.thread_time()
        try:
            found = decoder.read(given)
            if inspect.isawaitable(found):
                self._runner.run(_awaited(found))
            self.accepted += 1
        except decoder.errors as error:
            if genuine:
                return error
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:
            # A panic of a library in Rust is no Exception.
            return error
        return time.thread_time() - began

    def entered(self, decoder: Decoder) -> set[str]:
        """Return the files below ``src/rhumbline`` that the genuine samples enter."""
        files: set[str] = set()

        def note(frame: FrameType, event: str, _: object) -> None:
            code = frame.f_code
            if event != "call" or code.co_name == "<module>":
                return
            if code.co_filename.startswith(_ROOT):
                files.add(code.co_filename.removeprefix(_ROOT))
            elif code.co_name == "model_validate":
                # A module of fields alone has no code that could be entered.
                files.add(frame.f_locals["cls"].__module__.replace(".", "/").removeprefix("rhumbline/") + ".py")

        before = sys.getprofile()
        sys.setprofile(note)
        try:
            for sample in decoder.samples:
                self._took(decoder, sample)
        finally:
            sys.setprofile(before)
        return files


async def _awaited(found: Awaitable[Any]) -> Any:
    return await found


def place_of(error: BaseException) -> str:
    """Where an error arose: the innermost place in the project's own code, and the error's type."""
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(_ROOT)]
    where = f"{own[-1].filename.removeprefix(_ROOT)}:{own[-1].lineno}" if own else "elsewhere"
    return f"{type(error).__name__} {where}"
