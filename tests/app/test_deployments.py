"""Where upstreams are: built in, or as the settings say."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from rhumbline.app.adapters import check_adapters
from rhumbline.app.deployments import deployment_of
from rhumbline.app.registry import SPECS
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.upstreams.spec import AdapterSpec
from tests.app.test_adapters import ALL, OPEN, Place, parts_of, settings_of


async def test_addresses_are_compared_as_they_are_and_not_as_they_were_written(
    tmp_path: Path, http: HttpClient
) -> None:
    written = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
    text = f'[adapters.open.deployments.1]\nname = "{written}"\nrouter = "0x{written[2:].upper()}"\n'
    place = (await parts_of(settings_of(tmp_path, text), http))["OPEN"].deployments[1]
    assert place == Place("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48")


def test_a_deployment_may_come_from_variables(tmp_path: Path) -> None:
    path = "RHUMBLINE_ADAPTERS__OPEN__DEPLOYMENTS__10"
    settings = settings_of(tmp_path, "", {f"{path}__NAME": "other", f"{path}__IDS": "[3, 4]"})
    check_adapters(settings, ALL)
    assert settings.adapters.upstream("OPEN").deployments == {10: {"name": "other", "ids": [3, 4]}}


def test_every_built_in_deployment_can_be_written_in_the_settings() -> None:
    for spec in SPECS:
        for place in spec.deployments.values():
            assert replace(place) == place


def test_all_places_of_an_adapter_are_read_by_one_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """A service reads a place for each adapter and chain before it answers, and a reader is slow to make."""
    made = []

    def making(form: type) -> TypeAdapter[Any]:
        made.append(form)
        return TypeAdapter(form)

    @dataclass(frozen=True)
    class Own(Place):
        pass

    monkeypatch.setattr("rhumbline.app.deployments.TypeAdapter", making)
    spec: AdapterSpec[Any] = replace(OPEN, key="OWN", deployment=Own)
    assert [deployment_of(spec, {"name": name}) for name in "ab"] == [Own("a"), Own("b")]
    assert made == [Own]
