"""Credentials and pages that upstreams are told."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from rhumbline.app.adapters import check_adapters, switched_on
from rhumbline.app.settings import load_settings
from rhumbline.gateways.http.client import HttpClient
from tests.app.test_adapters import ALL, HERE, Place, parts_of, settings_of


async def test_credentials_urls_and_deployments_are_the_operators(tmp_path: Path, http: HttpClient) -> None:
    text = f"""
[adapters.keyed]
url = "{HERE}/v1"
more_urls = {{ scan = "{HERE}/scan" }}
credentials = {{ tag = "t" }}
[adapters.keyed.deployments.1]
name = "other"
ids = [1, 2]
[adapters.open]
enabled = false
[adapters.off]
enabled = true
"""
    settings = settings_of(tmp_path, text, {"RHUMBLINE_ADAPTERS__KEYED__CREDENTIALS__KEY": "s3cret"})
    parts = await parts_of(settings, http)
    assert set(parts) == {"KEYED", "OFF"}
    keyed = parts["KEYED"]
    assert (keyed.http.url, keyed.more["scan"].url) == (f"{HERE}/v1", f"{HERE}/scan")
    assert keyed.http.headers == {"x-key": "s3cret"}
    assert keyed.credentials == {"tag": "t", "key": "s3cret"}
    assert dict(keyed.deployments) == {1: Place("other", ids=(1, 2))}
    assert "s3cret" not in repr(keyed) + repr(settings)


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ('base_url = "https://swap.example"', {"referer": "https://swap.example/"}),
        ('base_url = "https://swap.example:8443/behind/a/path"', {"referer": "https://swap.example:8443/"}),
        ('base_url = "http://8.8.8.8:8700"', {"referer": "http://8.8.8.8:8700/"}),
        ('base_url = "https://swap.example"\nadapters.paged.credentials.referer = "https://known.example/x"',
         {"referer": "https://known.example/x"}),
        ('adapters.paged.credentials.referer = "https://known.example/x"', {"referer": "https://known.example/x"}),
        ('adapters.paged.credentials.api_key = "k"', {"api_key": "k"}),
        ("", None),
        ('base_url = "http://127.0.0.1:8700"', None),
        ('base_url = "http://10.1.2.3"', None),
        ('base_url = "http://[fe80::1]:80"', None),
        ('base_url = "http://localhost:8700"', None),
        ('base_url = "https://rhumbline.internal"', None),
        ('base_url = "https://rhumbline"', None),
        ('base_url = "https://[nonsense"', None),
        ('base_url = "https://a..example"', None),
    ],
)  # fmt: skip
async def test_a_page_is_the_public_address_unless_the_settings_name_one(
    tmp_path: Path, http: HttpClient, text: str, sent: Mapping[str, str] | None
) -> None:
    """With neither a public address nor a credential the adapter is not listed."""
    file = tmp_path / "rhumbline.toml"
    file.write_text(text + "\nadapters.onchain.enabled = false\n")
    settings = load_settings(file, {})
    parts = await parts_of(settings, http)
    assert ("PAGED" in {each.key for each in switched_on(settings, ALL)}) is ("PAGED" in parts) is (sent is not None)
    if sent is not None:
        assert (parts["PAGED"].credentials, dict(parts["PAGED"].http.headers)) == (sent, sent)


@pytest.mark.parametrize("value", ["0012", "12345678901234567890123", "-7", "true", "1e5", "null"])
def test_a_credential_in_a_variable_is_text_whatever_it_looks_like(tmp_path: Path, value: str) -> None:
    settings = settings_of(tmp_path, "", {"RHUMBLINE_ADAPTERS__KEYED__CREDENTIALS__KEY": value})
    check_adapters(settings, ALL)
    assert settings.adapters.upstream("KEYED").credentials["key"].get_secret_value() == value
