"""`docs/tour.md` as a test reads it, and what of its order a run did not keep."""

import inspect
import re
import sys
import types
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import rhumbline

PACKAGE = Path(rhumbline.__file__).parent
_NUMBERED = re.compile(r"\d+[.)] ")
_STEP = re.compile(r"(\d+)\. `([\w/]+\.py)` `([\w.]+)` \S")


@dataclass(frozen=True, slots=True)
class Step:
    """A function of the project: its file below `src/rhumbline`, and its name with its class's before it."""

    file: str
    name: str

    def __str__(self) -> str:
        return f"{self.file} {self.name}"


def stories_of(page: str) -> Mapping[str, tuple[Step, ...]]:
    """The numbered list of each `##` section that has one; ValueError for a number that is no step, or out of turn."""
    stories: dict[str, tuple[Step, ...]] = {}
    title = ""
    for place, line in enumerate(page.splitlines(), 1):
        if line.startswith("## "):
            title = line.removeprefix("## ")
        elif _NUMBERED.match(line):
            found, before = _STEP.match(line), stories.get(title, ())
            if found is None or int(found[1]) != len(before) + 1:
                raise ValueError(f"line {place} is no step {len(before) + 1}: {line}")
            step = Step(found[2], found[3])
            if step in before:
                raise ValueError(f"line {place} names {step} again")
            stories[title] = (*before, step)
    return stories


def functions_of(file: Path) -> frozenset[str]:
    """The qualified names of all functions of a source file; none where there is no such file."""
    if not file.is_file():
        return frozenset()
    names: set[str] = set()
    waiting = [compile(file.read_text("utf-8"), str(file), "exec", dont_inherit=True)]
    while waiting:
        code = waiting.pop()
        # Set for functions, not for the bodies of classes and modules.
        if code.co_flags & inspect.CO_OPTIMIZED:
            names.add(code.co_qualname)
        waiting += [each for each in code.co_consts if isinstance(each, types.CodeType)]
    return frozenset(names)


def missing(steps: Collection[Step]) -> list[Step]:
    """The steps whose functions are not in the sources."""
    return [step for step in steps if step.name not in functions_of(PACKAGE / step.file)]


def faults(steps: Sequence[Step], calls: Sequence[Step]) -> list[str]:
    """What a run did otherwise than a list says; ``calls`` are those of its steps, in the run's order.

    Steps may be taken by others as well meanwhile: the list must be found in the calls, in its order.
    """
    wrong: list[str] = []
    place = 0
    before: Step | None = None
    for number, step in enumerate(steps, 1):
        if step not in calls:
            wrong.append(f"{number}. {step} is not reached")
        elif step not in calls[place:]:
            wrong.append(f"{number}. {step} is reached before {before}")
        else:
            place, before = calls.index(step, place) + 1, step
    return wrong


_WATCHED: ContextVar["Watch | None"] = ContextVar("watched", default=None)


@dataclass(slots=True, eq=False)
class Watch:
    """Notes the calls of the steps, by what was started in its ``scope``; None for all functions outside ``devnet``.

    Services of other tests may run on the same event loop, and take the same steps for their own.
    """

    steps: frozenset[Step] | None
    calls: list[Step] = field(default_factory=list)

    def has(self, steps: Sequence[Step]) -> bool:
        return not faults(steps, self.calls)

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Watch this task, and every task that is started by it within the block."""
        token = _WATCHED.set(self)
        try:
            yield
        finally:
            _WATCHED.reset(token)

    @contextmanager
    def on(self) -> Iterator[None]:
        """Watch until the block ends. The service's code runs on its event loop's thread, so that one is enough."""
        wanted = {(str(PACKAGE / step.file), step.name): step for step in self.steps or ()}
        find = wanted.get if self.steps is not None else _service_step
        # A coroutine is called once, and is gone on with many times.
        entered: set[types.FrameType] = set()

        def called(frame: types.FrameType, event: str, _: object) -> None:
            if event == "call":
                code = frame.f_code
                step = find((code.co_filename, code.co_qualname))
                if step is not None and frame not in entered and _WATCHED.get() is self:
                    entered.add(frame)
                    self.calls.append(step)

        before = sys.getprofile()
        sys.setprofile(called)
        try:
            yield
        finally:
            sys.setprofile(before)


@cache
def _service_step(code: tuple[str, str]) -> Step | None:
    """A named function of the service; comprehensions and lambdas are read where they stand, in another one."""
    file = Path(code[0])
    if not file.is_relative_to(PACKAGE) or file.is_relative_to(PACKAGE / "devnet") or code[1].endswith(">"):
        return None
    return Step(file.relative_to(PACKAGE).as_posix(), code[1])
