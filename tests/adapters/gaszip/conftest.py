from rhumbline.adapters.gaszip import SPEC
from rhumbline.devnet.upstreams.gaszip.emulator import GasZip
from tests.adapters.adapter_fixture import adapter_fixture_of, stub_upstream_of
from tests.adapters.gaszip.stub_upstream import open_stub

adapter_fixture = adapter_fixture_of(SPEC, GasZip)
stub_upstream = stub_upstream_of(open_stub)
