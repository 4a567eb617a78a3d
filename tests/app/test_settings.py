from decimal import Decimal
from pathlib import Path

import pytest

from rhumbline.app.settings import Settings, SettingsError, exposed_secrets, load_settings

CHAIN = """
[[chains]]
id = 8453
key = "base"
name = "Base"
rpc = "https://node.example/v2/very-secret"
native = { symbol = "ETH", name = "Ether" }
"""

SOURCE = """
[[adapters.onchain.deployments.1.sources]]
key = "SAME"
kind = "v2"
factory = "0x1097053Fd2ea711dad45caCcc45EfF7548fCB362"
"""
TWO_SOURCES = f"""[adapters.onchain.deployments.1]
wrapped_native = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"
{2 * SOURCE}"""


def load(tmp_path: Path, text: str = "", **variables: str) -> Settings:
    file = tmp_path / "rhumbline.toml"
    file.write_text(text)
    return load_settings(file, variables)


def test_the_defaults_hold_without_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = load_settings(None, {})
    assert settings.brand == "Rhumbline"
    assert settings.store.dsn is None
    assert settings.chains == ()


def test_variables_win_over_the_file(tmp_path: Path) -> None:
    settings = load(
        tmp_path,
        'brand = "Acme"\n[server]\nport = 1\n[fees]\nservice_share = "0.001"',
        RHUMBLINE_SERVER__PORT="8080",
        RHUMBLINE_STORE__DSN="postgresql://u:secret-word@db/x",
        RHUMBLINE_SERVER__TRUSTED_PROXIES='["10.0.0.1"]',
        PATH="/bin",
    )
    assert (settings.brand, settings.server.port) == ("Acme", 8080)
    assert settings.server.trusted_proxies == ("10.0.0.1",)
    assert settings.fees.service_share == Decimal("0.001")
    assert settings.store.dsn is not None
    assert "secret-word" not in repr(settings)
    assert settings.store.dsn.get_secret_value().endswith("db/x")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("brand = 'Two words'", "brand: "),
        ("brnad = 'x'", "brnad: there is no such setting"),
        ("[server]\nport = 70000", "server.port: "),
        ("[server]\nport = 'x'", "server.port: "),
        ("[fees]\nservice_share = 1.5", "fees.service_share: "),
        ("[fees]\nlargest_integrator_share = '0.11'", "fees.largest_integrator_share: "),
        (
            "[fees]\nevm_wallet = '0x52908400098527886E0F7030069857D2E4169Ee7'",
            "fees.evm_wallet: must be an EVM address",
        ),
        (f"[fees]\nevm_wallet = '0x{1:040x}'", "fees.evm_wallet: is an address that nobody can sign for"),
        (
            f"[fees]\nevm_wallet = '0x{'e' * 40}'",
            "fees.evm_wallet: is an address that nobody can sign for",
        ),
        ("[[chains]]\nkey = 'eth'", "chains.0.id: "),
        ("[catalog]\ntoken_lists = ['http://lists.example/a.json']", "catalog.token_lists: "),
        (CHAIN.replace("https://node.example/v2/very-secret", "node very-secret"), "chains.0.rpc: must be an http"),
        (f"{CHAIN}ws = 'https://node.example/very-secret'", "chains.0.ws: must be a ws:// or wss:// URL"),
        (f"{CHAIN}ws = 'wss:very-secret'", "chains.0.ws: must be a ws:// or wss:// URL"),
        ("[[chains]]\nid = 8453\nws = 'wss://node.example/very-secret'", "chains.0.ws: needs chains.rpc too"),
        (CHAIN.replace('key = "base"', 'key = "BASE"'), "chains.0.key: "),
        ("[adapters.onchain.deployments.1]\nrouter = '0x12'", "adapters.onchain.deployments.1.router: "),
        (TWO_SOURCES, "adapters.onchain.deployments.1.sources: two sources have the key SAME; give each its own"),
        ("[log]\nlevel = 'loud'", "log.level: "),
        ("[prices]\nsources = ['oracle']", "prices.sources.0: "),
        ("[prices.defillama_chains]\n5 = 'two words'", "prices.defillama_chains.5: "),
        ("[prices.defillama_chains]\n5 = '../up'", "prices.defillama_chains.5: "),
        ("[prices.defillama_chains]\n5 = 'a:b'", "prices.defillama_chains.5: "),
        ("[prices.defillama_chains]\n5 = 'a,b'", "prices.defillama_chains.5: "),
        ("[prices.dexscreener_chains]\n5 = ''", "prices.dexscreener_chains.5: "),
        ("[prices.coingecko_chains]\n5 = 5", "prices.coingecko_chains.5: "),
        ("[prices.defillama_chains]\n0 = 'own'", "prices.defillama_chains.0."),
        ("[prices.defillama_chains]\nown = 'own'", "prices.defillama_chains.own."),
        ("[prices]\ndefillama_chains = 'own'", "prices.defillama_chains: "),
        ("[prices]\njupiter_chains = {}", "prices.jupiter_chains: there is no such setting"),
        ("[prices]\ndefillama_url = 'http://very-secret.example'", "prices.defillama_url: must be an https:// URL"),
        ("[prices]\ncoingecko_url = 'https://x.example/?key=very-secret'", "prices.coingecko_url: must be an https://"),
        ("[prices]\njupiter_url = 'jupiter'", "prices.jupiter_url: "),
        ("[quotes.solana_unit_price]\nleast = 2\nmost = 1", "quotes.solana_unit_price: least must be at most most"),
        ("[quotes.solana_unit_price]\nleast = -1", "quotes.solana_unit_price.least: "),
        ("[prices]\ndexscreener_url = 'ftp://x.example'", "prices.dexscreener_url: "),
        ("[store]\nrequired = true", "store: required is true and dsn is not set: set store.dsn"),
    ],
)
def test_a_fault_names_its_key(tmp_path: Path, text: str, fault: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load(tmp_path, text)
    assert any(line.startswith(fault) for line in caught.value.faults), caught.value.faults
    assert "very-secret" not in str(caught.value)


def test_all_faults_come_at_once(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        load(tmp_path, "brand = '1'\n[server]\nport = -1", RHUMBLINE_LOG__FORMAT="xml", RHUMBLINE_NONSENSE="1")
    assert {line.split(":")[0] for line in caught.value.faults} == {"brand", "server.port", "log.format", "nonsense"}


@pytest.mark.parametrize("content", [b"brand = ", b"\xff\xfe", b"[a]\n[a]\n"])
def test_a_broken_file_is_one_line(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "rhumbline.toml"
    file.write_bytes(content)
    with pytest.raises(SettingsError, match="not valid TOML"):
        load_settings(file, {})


def test_a_named_file_must_exist(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no such settings file"):
        load_settings(tmp_path / "absent.toml", {})
    with pytest.raises(SettingsError, match="no such settings file"):
        load_settings(None, {"RHUMBLINE_CONFIG": str(tmp_path / "absent.toml")})


LINKS = {
    "RHUMBLINE_SERVICE_HOST": "10.96.0.12",
    "RHUMBLINE_SERVICE_PORT": "8080",
    "RHUMBLINE_SERVICE_PORT_HTTP": "8080",
    "RHUMBLINE_PORT": "tcp://10.96.0.12:8080",
    "RHUMBLINE_PORT_8080_TCP": "tcp://10.96.0.12:8080",
    "RHUMBLINE_PORT_8080_TCP_PROTO": "tcp",
    "RHUMBLINE_PORT_8080_TCP_PORT": "8080",
    "RHUMBLINE_PORT_8080_TCP_ADDR": "10.96.0.12",
    "RHUMBLINE_REDIS_PORT": "tcp://[fd00::12]:6379",
    "RHUMBLINE_REDIS_SERVICE_HOST": "fd00::12",
}


def test_what_kubernetes_says_of_services_is_no_setting(tmp_path: Path) -> None:
    assert load(tmp_path, **LINKS) == Settings()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("RHUMBLINE_PORT", "8080"),
        ("RHUMBLINE_SERVICE_HOST", "db.example"),
        ("RHUMBLINE_SERVICE__PORT", "8080"),
        ("RHUMBLINE_SERVER_PORT", "8080"),
        ("RHUMBLINE_PORT_8080_TCP_HOST", "10.96.0.12"),
        ("RHUMBLINE_METRICS_PORT", "9090"),
    ],
)
def test_what_only_looks_like_it_is_refused(tmp_path: Path, name: str, text: str) -> None:
    with pytest.raises(SettingsError, match="there is no such setting"):
        load(tmp_path, **{name: text})


def test_secrets_that_everybody_may_read_are_named(tmp_path: Path) -> None:
    file = tmp_path / "rhumbline.toml"
    file.write_text(f"[adapters.okx]\ncredentials = {{ api_key = 'x' }}\n[log]\nlevel = 'info'\n{CHAIN}")
    settings = load_settings(file, {"RHUMBLINE_STORE__DSN": "postgresql://u:p@db/x"})
    file.chmod(0o640)
    assert exposed_secrets(settings, file) == []
    file.chmod(0o644)
    assert exposed_secrets(settings, file) == ["adapters.okx.credentials", "chains.0.rpc"]


def test_the_key_of_agents_is_no_setting() -> None:
    """Whoever exports it for `rhumbline mcp` starts a service in the same shell."""
    assert load_settings(environment={"RHUMBLINE_API_KEY": "rl_live_a"}) == Settings()
