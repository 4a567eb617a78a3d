"""What is of one chain type lies in the wings, and the rules that say so find what does not."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from tests.house.rules import CHOOSES_WINGS, NEUTRAL, PACKAGE, UNTYPED, WING_RULES, File, Rule

ROOT = Path(__file__).parents[2]
BEING_SPLIT: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        NEUTRAL.words: frozenset(),
        UNTYPED.words: frozenset(),
    }
)
"""Files whose parts for EVM chains are still to be moved into a wing; none may be added."""


@pytest.fixture(scope="module")
def files() -> list[File]:
    """Every source file."""
    found = sorted((ROOT / PACKAGE).rglob("*.py"))
    return [File(path.relative_to(ROOT).as_posix(), path.read_text("utf-8")) for path in found]


@pytest.mark.parametrize("rule", WING_RULES, ids=lambda rule: rule.words)
def test_a_rule_about_wings_holds(files: list[File], rule: Rule) -> None:
    rule.hold(file for file in files if file.path not in BEING_SPLIT[rule.words])


@pytest.mark.parametrize("rule", WING_RULES, ids=lambda rule: rule.words)
def test_nothing_is_excused_that_has_been_split(files: list[File], rule: Rule) -> None:
    broken = {line.partition(":")[0] for line in rule.broken(files)}
    assert BEING_SPLIT[rule.words] <= broken, "take these off the list"


HERE = f"{PACKAGE}pricing/new.py"
PLANTED = [
    (
        NEUTRAL,
        HERE,
        "from rhumbline.gateways.nodes.evm.rpc import EvmRpc\n",
        ":1: imports rhumbline.gateways.nodes.evm.rpc.EvmRpc",
    ),
    (NEUTRAL, HERE, "\nfrom rhumbline.gateways import svm\n", ":2: imports rhumbline.gateways.svm"),
    (NEUTRAL, HERE, "import rhumbline.simulation.evm.gas_price\n", ":1: imports rhumbline.simulation.evm.gas_price"),
    (NEUTRAL, HERE, "def f():\n    from rhumbline.gateways.evm import abi\n", ":2: imports rhumbline.gateways.evm.abi"),
    (UNTYPED, HERE, "isinstance(x, EvmTransaction)\n", ":1: asks whether it has an EvmTransaction"),
    (UNTYPED, HERE, "isinstance(x, (A, transaction.SvmTransaction))\n", ":1: asks whether it has an SvmTransaction"),
    (UNTYPED, HERE, "match x:\n    case EvmTransaction():\n        f()\n", ":2: asks whether it has an EvmTransaction"),
    (UNTYPED, f"{PACKAGE}app/new.py", "isinstance(x, EvmTransaction)\n", ":1: asks whether it has an EvmTransaction"),
]


@pytest.mark.parametrize(("rule", "path", "text", "place"), PLANTED)
def test_what_is_forbidden_is_found(rule: Rule, path: str, text: str, place: str) -> None:
    with pytest.raises(AssertionError) as raised:
        rule.hold([File(HERE.replace("new", "sound"), "X = (1,)\n"), File(path, text)])
    assert str(raised.value) == f"Rule: {rule.words}.\n  {path}{place}\nRemedy: {rule.remedy}."


@pytest.mark.parametrize(
    ("rule", "path", "text"),
    [
        *((NEUTRAL, f"{PACKAGE}{name}", "from rhumbline.gateways.nodes.evm.rpc import EvmRpc\n") for name in (
            "pricing/evm/new.py", "api/portal/svm/new.py", "api/wire/new.py", "devnet/upstreams/new.py", "app/new.py",
            "adapters/new/adapter.py", "gateways/new.py",
        )),
        (NEUTRAL, CHOOSES_WINGS, "from rhumbline.devnet.evm.chains import running_chains\n"),
        (NEUTRAL, HERE, "from rhumbline.gateways.chain_types.addresses import canonical_address\n"),
        *((UNTYPED, f"{PACKAGE}{name}", "isinstance(x, EvmTransaction)\n") for name in (
            "routing/evm/new.py", "api/wire/new.py", "adapters/new/adapter.py",
        )),
        (UNTYPED, HERE, "isinstance(x, Transaction)\ny: EvmTransaction\n"),
    ],
)  # fmt: skip
def test_what_is_allowed_is_not(rule: Rule, path: str, text: str) -> None:
    assert rule.broken([File(path, text)]) == []
