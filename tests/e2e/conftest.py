import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.client_environment import client_environment
from tests.e2e.running_demo import Demo, running_demo
from tests.e2e.test_foreign_clients import NATIVE, chain_of, get
from tests.patience import until


@pytest.fixture(scope="package")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    with running_demo(Path(tmp_path_factory.mktemp("demo"))) as running:
        wait_until_priced(running)
        yield running


def wait_until_priced(demo: Demo) -> None:
    """Wait for the first prices: a service that has just begun answers without them."""
    tokens = ",".join(f"{chain_of(demo, key)['id']}:{NATIVE}" for key in ("sbxa", "sbxb"))

    async def priced() -> bool:
        _, found = await asyncio.to_thread(get, demo, "/v1/prices", tokens=tokens)
        return all("priceUSD" in each for each in found["prices"])

    asyncio.run(until(priced))


@pytest.fixture(scope="package")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Python where there is nothing but the client, and what the client needs."""
    return client_environment(tmp_path_factory.mktemp("python-client"))
