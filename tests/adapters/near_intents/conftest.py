from rhumbline.adapters.near_intents import SPEC
from rhumbline.devnet.upstreams.near_intents.emulator import NearIntents
from tests.adapters.adapter_fixture import adapter_fixture_of

adapter_fixture = adapter_fixture_of(SPEC, NearIntents)
