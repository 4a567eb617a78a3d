"""Failures of a command that a person can act on, in words."""

from rhumbline.api.server.listener import CannotListen
from rhumbline.app.console import EXIT_FAILED, EXIT_USAGE, notices
from rhumbline.app.run import CommandFailed
from rhumbline.app.settings import SettingsError
from rhumbline.devnet.artifacts import ArtifactError
from rhumbline.devnet.atomic_files import CacheError
from rhumbline.devnet.evm.nodes import AnvilError
from rhumbline.devnet.evm.operator import SetUpError
from rhumbline.domain.errors import InvalidRequest, NodeRefused, NodeUnavailable, RhumblineError, WrongAddress
from rhumbline.gateways.nodes.evm.deployment import DeploymentError
from rhumbline.gateways.postgres.failures import StoreError
from rhumbline.gateways.processes.child import ChildError

_EXPECTED = (
    CommandFailed,
    CannotListen,
    AnvilError,
    ArtifactError,
    CacheError,
    SetUpError,
    ChildError,
    DeploymentError,
    NodeRefused,
    NodeUnavailable,
    StoreError,
)


def explain(error: BaseException) -> str | None:
    """Return the text for a person, None if the failure is a fault of ours that needs its traceback."""
    if isinstance(error, BaseExceptionGroup):
        texts = [explain(inner) for inner in error.exceptions]
        return None if None in texts else "\n".join(text for text in texts if text)
    if isinstance(error, InvalidRequest | WrongAddress):
        return "\n".join(error.faults)
    if isinstance(error, RhumblineError):
        return error.message
    return str(error) if isinstance(error, _EXPECTED) else None


def exit_status(error: Exception) -> int:
    """Print what ended a command, and return its exit status; raise a fault of ours again."""
    wrong_settings = isinstance(error, SettingsError)
    text = "\n".join(error.faults) if isinstance(error, SettingsError) else explain(error)
    if text is None:
        raise error
    notices().print(text, style="red")
    return EXIT_USAGE if wrong_settings else EXIT_FAILED
