"""The one list of adapters."""

from pathlib import Path

from rhumbline.app.adapters import switched_on
from rhumbline.app.registry import SPECS
from tests.app.test_adapters import settings_of


def test_the_shipped_adapters_are_each_listed_once(tmp_path: Path) -> None:
    keys = [spec.key for spec in SPECS]
    assert len(set(keys)) == len(keys)
    needing = {spec.key for spec in SPECS if spec.needs or spec.needs_one}
    listed = {spec.key for spec in switched_on(settings_of(tmp_path))}
    assert listed == {spec.key for spec in SPECS if spec.on} - needing
