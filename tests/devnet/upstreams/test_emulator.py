"""Every registered emulator stands in its frame: it runs, can be switched, and fits the settings."""

from collections.abc import Mapping
from pathlib import Path

import aiohttp

from rhumbline.app.sandbox_settings import sandbox_settings
from rhumbline.app.settings import load_settings
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams import EMULATORS, PRICE_EMULATORS
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.devnet.upstreams.server import CONTROL

WALLET = "0x00000000000000000000000000000000000cafe5"


def test_each_key_is_there_once() -> None:
    keys = [emulator.key for emulator in (*EMULATORS, *PRICE_EMULATORS)]
    assert len(set(keys)) == len(keys)


async def test_each_runs_apart_and_can_be_switched(emulators: Mapping[str, Emulator]) -> None:
    assert set(emulators) == {emulator.key for emulator in EMULATORS}
    assert len({emulator.url for emulator in emulators.values()}) == len(emulators)
    async with aiohttp.ClientSession() as session:
        for key, emulator in emulators.items():
            async with session.get(emulator.url + CONTROL) as response:
                said = await response.json()
            assert (said["key"], said["behaviour"]) == (key, emulator.behaviour.as_json())


def test_settings_take_what_each_says(sandbox: Sandbox, emulators: Mapping[str, Emulator], tmp_path: Path) -> None:
    file = tmp_path / "sandbox.toml"
    file.write_text(sandbox_settings(sandbox, tmp_path, "http://127.0.0.1:1", WALLET, emulators.values()), "utf-8")
    adapters = load_settings(file, {}).adapters
    for key, emulator in emulators.items():
        upstream = adapters.upstream(key)
        assert upstream.url == emulator.url
        assert set(upstream.deployments) <= set(emulator.world.chains)
