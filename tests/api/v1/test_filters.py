"""Filters of metadata that name nothing are refused in words."""

import pytest

from tests.api.conftest import Client
from tests.api.wire.test_quote_request import faults


@pytest.mark.parametrize("types", ["ev", "TON", "EVM,", ",", "", " "])
@pytest.mark.parametrize("path", ["/v1/chains", "/v1/tokens"])
async def test_a_bad_chain_type_names_the_allowed(client: Client, path: str, types: str) -> None:
    (fault,) = faults(await client.ask(path, {"chainTypes": types}), 400, "VALIDATION_ERROR")
    assert fault.startswith("chainTypes ")
    if types in ("ev", "TON"):
        assert "EVM and SVM" in fault


@pytest.mark.parametrize("path", ["/v1/tokens", "/v1/tools"])
@pytest.mark.parametrize("chains", ["777", "1,777", "1,,8453", "", "nope"])
async def test_an_unknown_chain_in_a_list(client: Client, path: str, chains: str) -> None:
    (fault,) = faults(await client.ask(path, {"chains": chains}), 400, "VALIDATION_ERROR")
    assert fault.startswith("chains ")
