from tests.adapters.exchanges.fixtures import adapter_fixture, exchange_of, stub_upstream
from tests.adapters.okx.case import EXCHANGE

__all__ = ["adapter_fixture", "stub_upstream"]
exchange = exchange_of(EXCHANGE)
