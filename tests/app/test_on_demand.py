"""Commands are loaded when they are called, and described before."""

import subprocess
import sys

import pytest

from rhumbline.app import on_demand


@pytest.mark.parametrize("name", on_demand.COMMANDS)
def test_the_list_says_of_a_command_what_it_says_itself(name: str) -> None:
    assert on_demand.loaded(name).help.partition("\n\n")[0].replace("\n", " ") == on_demand.COMMANDS[name].says


def test_what_needs_no_service_loads_none() -> None:
    """Help and version are there at once, and a question to a running service nearly so."""
    program = (
        "import sys; from rhumbline.app import cli; from rhumbline.app.commands import quote;"
        "print(sorted({'sqlalchemy', 'starlette', 'eth_abi', 'pydantic'} & sys.modules.keys()))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"
