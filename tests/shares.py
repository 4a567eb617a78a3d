"""How tests are shared out among processes by pytest-xdist; a plugin of `tests/conftest.py`.

A share is a file, or a folder whose files use what is slow to start, or half of one: it is started once, not once a
process. What takes long begins first, so that all processes end at about the same time.
"""

from pathlib import Path

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

TOGETHER = (
    "tests/portal/swap",  # what tests/portal has; all of it in one share would end long after everything else
    "tests/portal",  # a browser and the whole service
    "tests/e2e",  # the sandbox as a person starts it
    "tests/adapters/conformance",  # chains of its own
    "tests/attack",  # chains of its own, with every upstream twice
    "tests/devnet/upstreams",  # a compiled contract
)
"""A test belongs to the first of these that it lies in, so that what lies in another one stands before it."""
HALVES = {"tests/portal/swap": "s", "tests/portal": "m", "tests/e2e": "p"}
"""Such folders as would end long after everything else, and with which letter the names of the second half begin."""
APART = (
    "tests/e2e/test_operator.py",
    "tests/e2e/test_one_caller.py",
    "tests/e2e/test_processes.py",
    "tests/e2e/test_moves.py",
    "tests/e2e/test_tour.py",
    "tests/e2e/test_traces.py",
)
"""Files of such folders that use nothing of it."""
FIRST = (
    "tests/adapters/conformance",
    "tests/e2e from p",
    "tests/portal",
    "tests/portal/swap",
    "tests/e2e",
    "tests/app/test_cli.py",
    "tests/portal from m",
    "tests/portal/swap from s",
    "tests/attack",
    *APART[:3],
    "tests/gateways/postgres/test_embedded.py",
    "tests/app/test_secrets.py",
    "tests/steering/test_processes.py",
    "tests/tracking/test_shared_work.py",
    "tests/tracking/test_processes.py",
    "tests/chaos/test_sample.py",
    "tests/chaos/test_push.py",
    "tests/devnet/evm/test_snapshots.py",
    "tests/tracking/evm/test_reorganisations.py",
)
"""What takes longest. What waits much, for a browser or for the sandbox, begins beside what does not."""


def share_of(nodeid: str) -> str:
    """The share to which a test belongs: the first folder that it lies in, or a half of it, else its file."""
    path = nodeid.partition("::")[0]
    folder = None if path in APART else next((each for each in TOGETHER if path.startswith(f"{each}/")), None)
    if folder is None:
        return path
    letter, name = HALVES.get(folder), path.rpartition("/")[2].removeprefix("test_")
    return folder if letter is None or name < letter else f"{folder} from {letter}"


def rank_of(nodeid: str) -> int:
    """Where a test's share stands: smaller ones begin earlier."""
    share = share_of(nodeid)
    return FIRST.index(share) if share in FIRST else len(FIRST)


class Together(pytest.Package):
    """A folder that is a share: its fixtures of the scope `package` end with its last test.

    pytest would keep them to the end of all tests, for there is no `__init__.py`.
    """

    def setup(self) -> None:
        """There is no module to import."""


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    inside = path.is_relative_to(parent.config.rootpath)
    if not inside or path.relative_to(parent.config.rootpath).as_posix() not in TOGETHER:
        return None
    together: pytest.Collector = Together.from_parent(parent, path=path)
    return together


class Shares(LoadScopeScheduling):
    """Gives a process share after share, in the order of the tests."""

    def _split_scope(self, nodeid: str) -> str:
        return share_of(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Shares:
    # By itself it would begin with what has most tests.
    config.option.loadscopereorder = False
    return Shares(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: rank_of(item.nodeid))
