"""The tools for agents by the protocol's inspector, which is fetched from its registry: a part of `make campaign`."""

import json
import subprocess
from pathlib import Path
from typing import Any

from tests.e2e.running_demo import Demo
from tests.e2e.test_mcp_server import agents_environment

INSPECTOR = "@modelcontextprotocol/inspector@0.15.0"
"""The last one that runs on Node 20."""


def test_the_protocols_inspector_lists_and_calls_the_tools(demo: Demo, python: Path, tmp_path: Path) -> None:
    subprocess.run(
        ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", INSPECTOR], cwd=tmp_path, check=True
    )

    def inspected(*words: str) -> dict[str, Any]:
        command = [tmp_path / "node_modules/.bin/mcp-inspector", "--cli", python.with_name("rhumbline-mcp"), "--url",
                   demo.sandbox["base_url"], *words]  # fmt: skip
        done = subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, timeout=120, env=agents_environment(), check=False
        )
        assert done.returncode == 0, done.stderr
        content: dict[str, Any] = json.loads(done.stdout)
        return content

    tools = inspected("--method", "tools/list")["tools"]
    assert len(tools) == 8
    assert all(each["outputSchema"]["type"] == "object" for each in tools)
    arguments = ("from_chain=sbxa", "from_token=USDC", "to_token=WETH", "amount=1.5")
    called = inspected("--method", "tools/call", "--tool-name", "quote", "--tool-arg", *arguments)
    assert called["structuredContent"]["input"]["units"] == "1500000"
    wrong = inspected("--method", "tools/call", "--tool-name", "quote", "--tool-arg", *arguments[:3], "amount=1e3")
    assert wrong["isError"]
