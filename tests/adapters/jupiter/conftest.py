from tests.adapters.adapter_fixture import stub_upstream_of
from tests.adapters.jupiter.stub_upstream import open_stub

stub_upstream = stub_upstream_of(open_stub)
