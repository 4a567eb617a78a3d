import pytest

from tests.adapters.exchanges.exchange import Exchange
from tests.adapters.exchanges.fixtures import adapter_fixture, stub_upstream
from tests.adapters.nordstern.case import EXCHANGE

__all__ = ["adapter_fixture", "stub_upstream"]


@pytest.fixture
def exchange() -> Exchange:
    return EXCHANGE
