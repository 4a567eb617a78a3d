"""Puts what `/docs` serves beside its code: Swagger UI from node_modules, the guides from docs/guides.

`make setup` calls it in the checkout, and hatch before it builds a package, so that nobody needs Node to serve.
"""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TARGET = Path("src/rhumbline/api/reference")
SWAGGER_UI = Path("node_modules/swagger-ui-dist")
FILES = ("swagger-ui-bundle.js", "swagger-ui.css", "LICENSE", "NOTICE", "swagger-ui-bundle.js.LICENSE.txt")


class ReferenceFiles(BuildHookInterface[Any]):
    """The build hook; an editable installation, which `make setup` begins with, is left as it is."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Raise FileNotFoundError where neither the npm package nor a copy of it is there."""
        if version != "editable":
            copy(Path(self.root))


def copy(root: Path) -> None:
    """Copy what differs, and remove guides that are gone; raise FileNotFoundError without the npm package."""
    wanted = {f"vendor/{name}": root / SWAGGER_UI / name for name in FILES}
    wanted |= {f"guides/{path.name}": path for path in sorted((root / "docs" / "guides").glob("*.md"))}
    if not (root / SWAGGER_UI).is_dir():
        # Of a source distribution, which carries the copies and no npm packages.
        missing = [name for name in wanted if not (root / TARGET / name).is_file()]
        if missing:
            raise FileNotFoundError(f"{SWAGGER_UI} is not installed: run make setup first")
        return
    for path in (root / TARGET / "guides").glob("*.md"):
        if f"guides/{path.name}" not in wanted:
            path.unlink()
    for name, source in wanted.items():
        target, content = root / TARGET / name, source.read_bytes()
        if not target.is_file() or target.read_bytes() != content:
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(content)


if __name__ == "__main__":
    copy(Path(__file__).parents[1])
    sys.exit(0)
