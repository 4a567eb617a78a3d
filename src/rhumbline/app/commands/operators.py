"""What commands ask of operators who change something for all processes: who they are, and why."""

import os
import pwd
from typing import Annotated

import typer

from rhumbline.domain.errors import InvalidRequest
from rhumbline.domain.operator import Operator, operator_faults

By = Annotated[
    str | None, typer.Option("--by", help="Who does it, for the audit log. Default: the operating system's user.")
]
Reason = Annotated[str | None, typer.Option("--reason", help="Why, for the audit log: at most 200 characters.")]


def operator_of(by: str | None, reason: str | None, *, public: bool = False) -> Operator:
    """Return who runs a command; raise InvalidRequest for a name or reason that cannot be kept."""
    name = _user() if by is None else by
    if faults := operator_faults(name, reason, public=public):
        raise InvalidRequest(faults)
    return Operator(name.strip(), None if reason is None else reason.strip())


def _user() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        # In a container a user often has no name.
        return f"uid {os.getuid()}"
