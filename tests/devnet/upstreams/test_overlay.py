"""What the sandbox writes for an adapter whose upstream is emulated is what an operator could have written."""

from pathlib import Path

from rhumbline.app.sandbox_settings import sandbox_settings
from rhumbline.app.settings import load_settings
from rhumbline.devnet.sandbox import Sandbox
from tests.devnet.upstreams.sample_upstream import CHAINS, ENTRY, KEY, SampleUpstream

WALLET = "0x00000000000000000000000000000000000cafe4"


def test_the_settings_lead_the_adapter_to_the_emulator(
    sandbox: Sandbox, sample: SampleUpstream, tmp_path: Path
) -> None:
    file = tmp_path / "sandbox.toml"
    file.write_text(sandbox_settings(sandbox, tmp_path, "http://127.0.0.1:8700", WALLET, [sample]), "utf-8")
    upstream = load_settings(file, {}).adapters.upstream("SAMPLE")
    assert (upstream.enabled, upstream.url) == (True, sample.url)
    assert {name: secret.get_secret_value() for name, secret in upstream.credentials.items()} == {"key": KEY}
    assert upstream.deployments == {chain: {"entry": ENTRY} for chain in CHAINS}
    assert upstream.more_urls == {"files": sample.url + "/files"}
