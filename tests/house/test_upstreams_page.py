"""What docs/upstreams.md, exchanges.md and bridges.md say of the adapters is what the adapters say of themselves."""

import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from rhumbline.app.adapters import check_adapters, switched_on
from rhumbline.app.chains import known_to
from rhumbline.app.registry import SPECS
from rhumbline.app.settings import load_settings
from rhumbline.gateways.upstreams.spec import AdapterSpec
from tests.house.rules import hold
from tests.house.upstream_facts import Facts, facts

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "upstreams.md").read_text("utf-8")
SECTIONS = tuple((ROOT / "docs" / name).read_text("utf-8") for name in ("exchanges.md", "bridges.md"))
OWN = tuple(path.read_text("utf-8") for path in sorted((ROOT / "src/rhumbline/adapters").glob("*/README.md")))
"""What adapters say of themselves in their own folder: their rows, and their sections, in the page's form."""
KEYS = [spec.key for spec in SPECS]
every_key = pytest.mark.parametrize("key", KEYS)


def section(key: str) -> str:
    """The words about one adapter."""
    found = [
        each for page in (*SECTIONS, *OWN) for each in re.findall(rf"^### {key}\n(.*?)(?=^##|\Z)", page, re.M | re.S)
    ]
    assert len(found) == 1, (
        f"Rule: each adapter is described once.\n  docs/exchanges.md, bridges.md: {len(found)} sections ### {key}\n"
        f"Remedy: write the section ### {key} there or in a README.md of the adapter's folder (docs/adapter-tests.md)."
    )
    return str(found[0])


def rows(page: str) -> Iterator[tuple[str, ...]]:
    """The rows of the first table."""
    for line in page.split("\n## ", 1)[0].splitlines():
        if line.startswith("| `"):
            yield tuple(cell.strip() for cell in line.strip("|").split("|"))


@pytest.fixture(scope="module")
async def truth() -> dict[str, Facts]:
    return {each.spec.key: each for each in await facts()}


async def test_the_table_says_what_is_so(truth: dict[str, Facts]) -> None:
    described = [row for page in (PAGE, *OWN) for row in rows(page)]
    wanted = [truth[key].row() for key in KEYS]
    hold(
        "the tables of docs/upstreams.md and of adapters' own README.md have a true row for each adapter",
        [
            *(f"docs/upstreams.md: missing | {' | '.join(row)} |" for row in wanted if row not in described),
            *(f"docs/upstreams.md: not so | {' | '.join(row)} |" for row in described if row not in wanted),
        ],
        "put the row there as it is written here",
    )
    assert len(described) == len(wanted), "a row is there twice"
    assert in_order([row[0].strip("`") for row in rows(PAGE)])


def test_every_adapter_has_a_section_and_nobody_else() -> None:
    named = [key for page in (*SECTIONS, *OWN) for key in re.findall(r"^### (\S+)$", page, re.M)]
    assert sorted(named) == sorted(KEYS)
    assert all(in_order(re.findall(r"^### (\S+)$", page, re.M)) for page in SECTIONS)


def in_order(keys: list[str]) -> bool:
    """Tell whether keys stand in the registry's order."""
    return keys == [key for key in KEYS if key in keys]


@every_key
async def test_chains_are_those_that_it_serves(truth: dict[str, Facts], key: str) -> None:
    assert re.findall(r"^- Chains: (.*)$", section(key), re.M) == [truth[key].places()]


@every_key
async def test_no_trust_assumption_is_left_out_or_made_up(truth: dict[str, Facts], key: str) -> None:
    told = section(key).partition("- Trust assumptions:\n")[2]
    listed = re.split(r"^(?=- )", told, maxsplit=1, flags=re.M)[0]
    sentences = [" ".join(each.split()) for each in re.split(r"^  - ", listed, flags=re.M)[1:]]
    assert sentences == list(truth[key].adapter.info.trust_assumptions)


@every_key
def test_a_chains_facts_are_the_fields_of_its_deployment(key: str) -> None:
    spec = spec_of(key)
    shared = next(each.key for each in SPECS if each.deployment is spec.deployment)
    named = re.findall(r"^- Facts of a chain: (.*)$", section(shared), re.M)
    assert named == [", ".join(f"`{each.name}`" for each in fields(spec.deployment))]


@every_key
def test_each_credential_is_explained(key: str) -> None:
    spec = spec_of(key)
    shared = next(each.key for each in SPECS if each.deployment is spec.deployment)
    (told,) = re.findall(r"^- Credentials: (.*)$", section(shared), re.M)
    names = (*spec.needs, *spec.needs_one, *spec.optional_credentials)
    assert all(f"`{name}`" in told for name in names)
    assert names or told == "none."


def spec_of(key: str) -> AdapterSpec[Any]:
    return next(each for each in SPECS if each.key == key)


def test_the_examples_are_settings_that_hold(tmp_path: Path) -> None:
    examples = re.findall(r"```toml\n(.*?)```", PAGE, re.S)
    given = []
    for place, text in enumerate(examples):
        file = tmp_path / f"{place}.toml"
        file.write_text(text, "utf-8")
        given.append(load_settings(file, {}))
        check_adapters(given[-1])
    switching, adding, replacing = given
    assert {"OKX", "MAYAN_WORMHOLE"} & {each.key for each in switched_on(switching)} == {"OKX"}
    assert known_to(adding).by_id.get(424242) is not None
    assert list(replacing.adapters.upstream("OKX").deployments) == [8453]
