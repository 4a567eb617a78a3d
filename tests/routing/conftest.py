import pytest

from rhumbline.devnet.sandbox import Sandbox
from rhumbline.gateways.http.client import HttpClient
from tests.routing.quote_fixture import QuoteFixture, quotes_on


@pytest.fixture
def quotes(restored_sandbox: Sandbox, http: HttpClient) -> QuoteFixture:
    """A quote service on the sandbox's first chain, which is put back afterwards."""
    return quotes_on(restored_sandbox, http)
