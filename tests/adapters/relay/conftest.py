from rhumbline.adapters.relay import SPEC
from rhumbline.devnet.upstreams.relay.emulator import Relay
from tests.adapters.adapter_fixture import adapter_fixture_of, stub_upstream_of
from tests.adapters.relay.stub_upstream import open_stub

adapter_fixture = adapter_fixture_of(SPEC, Relay)
stub_upstream = stub_upstream_of(open_stub)
