"""Every adapter's case, found where they lie: none can be left out."""

from importlib import import_module
from pathlib import Path

from rhumbline.app.registry import SPECS
from rhumbline.devnet.upstreams import EMULATORS as SANDBOX_EMULATORS
from rhumbline.devnet.upstreams.emulator import Emulator
from tests.adapters.conformance.case import Case

_FOLDERS = sorted(
    path.parent.name for path in Path(__file__).parents[1].glob("*/case.py") if path.parent.name != "conformance"
)
CASES: dict[str, Case] = {
    case.spec.key: case for name in _FOLDERS for case in import_module(f"tests.adapters.{name}.case").CASES
}
EMULATORS: tuple[type[Emulator], ...] = tuple(
    dict.fromkeys((*SANDBOX_EMULATORS, *(case.emulator for case in CASES.values())))
)
"""Those of the sandbox, and those that lie beside a case."""
KEYS = sorted(spec.key for spec in SPECS)
ASKS = [(key, ask) for key, case in sorted(CASES.items()) for ask in case.asks]
