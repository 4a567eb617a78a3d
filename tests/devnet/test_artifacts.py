"""Only the packages that are pinned are used; what cannot be had says why."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from eth_utils.crypto import keccak

from rhumbline.devnet.artifacts import (
    ArtifactError,
    ArtifactPin,
    PackagePin,
    contract_codes,
    extracted,
    fetched,
    pinned_packages,
    pins_digest,
)
from rhumbline.devnet.sandbox import Sandbox
from tests.sandbox_fixture import CACHE

# Init code hashes of Uniswap's pools on Ethereum, by which routers compute pool addresses.
V2_PAIR_HASH = "96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f"
V3_POOL_HASH = "e34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54"


def small_package() -> PackagePin:
    return next(pin for pin in pinned_packages() if pin.name == "@uniswap/v3-core")


def stored_in(cache: Path) -> list[Path]:
    return list(cache.rglob("*.json"))


def never_said(words: str) -> None:
    raise AssertionError(words)


async def test_codes_are_mainnets(sandbox: Sandbox) -> None:
    assert sandbox.evm_chains
    codes = await contract_codes(CACHE, never_said)
    assert keccak(codes["UniswapV2Pair"]).hex() == V2_PAIR_HASH
    assert keccak(codes["UniswapV3Pool"]).hex() == V3_POOL_HASH
    assert len(codes["Permit2Runtime"]) == 9152


async def test_package_is_fetched_once(tmp_path: Path) -> None:
    said: list[str] = []
    pins = (small_package(),)
    codes = await contract_codes(tmp_path, said.append, pins)
    assert said == ["fetching @uniswap/v3-core@1.0.1 (1 of 1)"]
    assert keccak(codes["UniswapV3Pool"]).hex() == V3_POOL_HASH
    assert await contract_codes(tmp_path, never_said, pins) == codes


async def test_package_with_another_hash_is_refused(tmp_path: Path) -> None:
    pin = small_package()
    wrong = replace(pin, integrity=pin.integrity.replace("7pVk4h", "7pVk4i"))
    with pytest.raises(ArtifactError, match=r"v3-core@1\.0\.1 is not the package that is pinned"):
        await contract_codes(tmp_path, lambda _: None, (wrong,))
    assert stored_in(tmp_path) == []


async def test_spoilt_cache_is_fetched_anew(tmp_path: Path) -> None:
    pins = (small_package(),)
    codes = await contract_codes(tmp_path, lambda _: None, pins)
    (stored,) = stored_in(tmp_path)
    stored.write_bytes(stored.read_bytes().replace(b"60806040", b"60806041", 1))
    assert await contract_codes(tmp_path, lambda _: None, pins) == codes


async def test_unknown_package_and_missing_npm_are_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    unknown = PackagePin("@uniswap/v3-core", "0.0.0-never", "sha512-", ())
    with pytest.raises(ArtifactError, match=r"v3-core@0\.0\.0-never could not be fetched; is there a network"):
        await fetched(unknown)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(ArtifactError, match="npm is not on the PATH"):
        await fetched(small_package())


async def test_package_without_the_expected_file_is_refused() -> None:
    tarball = await fetched(small_package())
    missing = replace(small_package(), artifacts=(ArtifactPin("X", "package/none.json", None),))
    with pytest.raises(ArtifactError, match=re.escape("package/none.json is not in the package")):
        extracted(missing, tarball)
    unmatched = replace(small_package(), artifacts=(ArtifactPin("X", "package/package.json", "hex'([0-9a-f]+)'"),))
    with pytest.raises(ArtifactError, match="does not hold hex"):
        extracted(unmatched, tarball)


def test_every_pin_changes_the_digest() -> None:
    pins = pinned_packages()
    digests = {pins_digest(pins), pins_digest(pins[1:])}
    digests.add(pins_digest((replace(pins[0], version="other"), *pins[1:])))
    digests.add(pins_digest((replace(pins[0], integrity="other"), *pins[1:])))
    assert len(digests) == 4
