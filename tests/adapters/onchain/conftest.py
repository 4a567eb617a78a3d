import pytest

from rhumbline.devnet.sandbox import Sandbox
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from tests.adapters.onchain.adapter_fixture import AdapterFixture, open_adapter


@pytest.fixture
def adapter_fixture(restored_sandbox: Sandbox, http: HttpClient) -> AdapterFixture:
    """The first chain, put back afterwards to where it was; the adapter has not seen anything of it."""
    chain = restored_sandbox.chains[0]
    rpc = EvmRpc(chain.rpc_url, http, chain.key, 30.0)
    return open_adapter(chain, rpc, restored_sandbox.accounts[0].address)
