"""Test files are read when it is their turn; a plugin of `tests/conftest.py`.

By itself each process of pytest-xdist imports every file and makes every test, to number them all alike, and then runs
a part of them. Here what is numbered and shared out is the file, and a process makes the tests of those that it gets.
"""

from collections.abc import Generator
from itertools import pairwise

import pytest


class Unread(pytest.Item):
    """All tests of a file, in the place of one."""

    module: pytest.Module

    def run(self, following: pytest.Item | None) -> None:
        """Make the tests and run them; ``following`` is what comes afterwards."""
        session, hook = self.session, self.config.hook
        tests = list(session.genitems(self.module))
        hook.pytest_collection_modifyitems(session=session, config=self.config, items=tests)
        place = session.items.index(self)
        for test, after in pairwise([*tests, following]):
            assert test is not None
            # A report is taken for that of the test in this place.
            session.items[place] = test
            test.ihook.pytest_runtest_protocol(item=test, nextitem=after)
            if session.shouldfail or session.shouldstop:
                break
        session.items[place] = self

    def runtest(self) -> None:
        """Not called: see `pytest_runtest_protocol`."""
        raise AssertionError


class UnreadFile(pytest.File):
    """A file in the place of its module."""

    module: pytest.Module

    def collect(self) -> list[Unread]:
        tests: Unread = Unread.from_parent(self, name="tests")
        tests.module = self.module
        return [tests]


def _by_file(config: pytest.Config) -> bool:
    """Whether whole files are asked for, in several processes."""
    option = config.option
    chosen = option.keyword or option.markexpr or option.deselect or getattr(option, "lf", False)
    return hasattr(config, "workerinput") and not chosen and not any("::" in each for each in config.args)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(parent: pytest.Collector) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    found = yield
    if not _by_file(parent.config):
        return found
    return [_unread(each) if isinstance(each, pytest.Module) else each for each in found]


def _unread(module: pytest.Module) -> UnreadFile:
    assert module.parent is not None
    file: UnreadFile = UnreadFile.from_parent(module.parent, path=module.path)
    file.module = module
    return file


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    if not isinstance(item, Unread):
        return None
    item.run(nextitem)
    return True
