from rhumbline.adapters.rise import SPEC
from rhumbline.devnet.upstreams.rise.emulator import Rise
from tests.adapters.adapter_fixture import stub_upstream_of
from tests.adapters.exchanges.svm.adapter_fixture import solana_of
from tests.adapters.rise.stub_upstream import open_stub

solana = solana_of(SPEC, Rise)
stub_upstream = stub_upstream_of(open_stub)
