"""Where traces may be sent, and what goes with them."""

from pathlib import Path

import pytest

from rhumbline.app.settings import SettingsError
from tests.app.test_settings import load

HEADERS = '{"authorization": "Bearer 0451"}'


def test_off_unless_an_endpoint_is_named(tmp_path: Path) -> None:
    tracing = load(tmp_path).tracing
    assert (tracing.endpoint, tracing.callers, tracing.share) == (None, "ignore", 0.1)


def test_headers_are_secret(tmp_path: Path) -> None:
    text = "[tracing]\nendpoint = 'https://traces.example/v1/traces'\nheaders = {authorization = 'Bearer 0451'}"
    tracing = load(tmp_path, text).tracing
    assert tracing.headers["authorization"].get_secret_value() == "Bearer 0451"
    assert "0451" not in repr(tracing)


@pytest.mark.parametrize(
    ("key", "settings"),
    [
        ("tracing.endpoint", {"ENDPOINT": "traces.example:4318"}),
        ("tracing.endpoint", {"ENDPOINT": "https://user:0451@traces.example/v1/traces"}),
        ("tracing.endpoint", {"ENDPOINT": "https://traces.example/v1/traces?key=0451"}),
        ("tracing.share", {"SHARE": "1.5"}),
        ("tracing.callers", {"CALLERS": "obey"}),
        ("tracing.service_name", {"SERVICE_NAME": "a b"}),
        ("tracing: headers are set and endpoint is not", {"HEADERS": HEADERS}),
        (
            "tracing: headers would be sent readably",
            {"ENDPOINT": "http://collector:4318/v1/traces", "HEADERS": HEADERS},
        ),
        ("tracing: headers", {"ENDPOINT": "https://a.example", "HEADERS": '{"a b": "0451"}'}),
        ("tracing: headers", {"ENDPOINT": "https://a.example", "HEADERS": '{"a": "0451\\r\\nb: c"}'}),
    ],
)
def test_a_fault_names_its_key_and_no_value(tmp_path: Path, key: str, settings: dict[str, str]) -> None:
    with pytest.raises(SettingsError) as error:
        load(tmp_path, **{f"RHUMBLINE_TRACING__{name}": value for name, value in settings.items()})
    assert str(error.value).startswith(key)
    assert "0451" not in str(error.value)


def test_headers_may_go_to_this_machine_readably_and_a_private_network_gets_none(tmp_path: Path) -> None:
    for url in ("http://127.0.0.1:4318/v1/traces", "http://localhost:4318/v1/traces", "http://[::1]:4318/v1/traces"):
        here = load(tmp_path, RHUMBLINE_TRACING__ENDPOINT=url, RHUMBLINE_TRACING__HEADERS=HEADERS)
        assert here.tracing.headers
    url = "http://collector:4318/v1/traces"
    assert load(tmp_path, RHUMBLINE_TRACING__ENDPOINT=url).tracing.endpoint == url
