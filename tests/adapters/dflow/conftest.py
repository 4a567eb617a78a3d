from rhumbline.adapters.dflow import SPEC
from rhumbline.devnet.upstreams.dflow.emulator import Dflow
from tests.adapters.adapter_fixture import stub_upstream_of
from tests.adapters.dflow.stub_upstream import open_stub
from tests.adapters.exchanges.svm.adapter_fixture import solana_of

solana = solana_of(SPEC, Dflow)
stub_upstream = stub_upstream_of(open_stub)
