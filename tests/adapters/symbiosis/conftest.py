from rhumbline.adapters.symbiosis import SPEC
from rhumbline.devnet.upstreams.symbiosis.emulator import Symbiosis
from tests.adapters.adapter_fixture import adapter_fixture_of

adapter_fixture = adapter_fixture_of(SPEC, Symbiosis)
