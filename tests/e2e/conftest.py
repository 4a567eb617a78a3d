from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.client_environment import client_environment
from tests.e2e.running_demo import Demo, running_demo


@pytest.fixture(scope="package")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    with running_demo(Path(tmp_path_factory.mktemp("demo"))) as running:
        yield running


@pytest.fixture(scope="package")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Python where there is nothing but the client, and what the client needs."""
    return client_environment(tmp_path_factory.mktemp("python-client"))
