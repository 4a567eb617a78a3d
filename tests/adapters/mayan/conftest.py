"""The adapter of all kinds is in ``adapter_fixture``; see ``of_kind`` for one of them."""

from rhumbline.adapters.mayan import SPECS
from rhumbline.devnet.upstreams.mayan.emulator import Mayan
from tests.adapters.adapter_fixture import adapter_fixture_of

adapter_fixture = adapter_fixture_of(SPECS[0], Mayan)
