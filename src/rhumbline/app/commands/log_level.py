"""``rhumbline log-level``: how much running processes log."""

from typing import Annotated, get_args

import typer

from rhumbline.app.commands.operators import By, Reason, operator_of
from rhumbline.app.console import Config, notices, output
from rhumbline.app.sections import LogSettings
from rhumbline.app.settings import load_settings
from rhumbline.app.store import in_store
from rhumbline.domain.duration import in_largest_unit, read_seconds
from rhumbline.domain.errors import InvalidRequest
from rhumbline.steering.changes import SteeringChanges, steering_now

SETTINGS = "settings"
LONGEST_S = 7 * 86_400
_LEVELS = (*get_args(LogSettings.model_fields["level"].annotation), SETTINGS)


def log_level(
    level: Annotated[str | None, typer.Argument(help=f"{', '.join(_LEVELS)}; nothing shows what is set.")] = None,
    duration: Annotated[
        str | None,
        typer.Option("--for", help="For how long: 90s, 10m, 2h or 1d, at most 7d. Then the settings' again."),
    ] = None,
    reason: Reason = None,
    by: By = None,
    config: Config = None,
) -> None:
    """Set the log level of all running processes, within 2 s, or show it."""
    settings = load_settings(config)
    if level is None:
        if duration is not None:
            raise InvalidRequest([f"level: is missing; give one of {', '.join(_LEVELS)}"])
        found = in_store(settings, steering_now)
        left = "" if found.level_left_s is None else f" for another {in_largest_unit(found.level_left_s)}"
        output().print(f"{found.log_level}{left}" if found.log_level else f"{settings.log.level}, by the settings")
        return
    operator, (wanted, seconds) = operator_of(by, reason), _read(level, duration)
    in_store(settings, lambda engine: SteeringChanges(engine, operator).set_log_level(wanted, seconds))
    words = "that of the settings" if wanted is None else wanted
    end = "" if duration is None else f", for {duration.strip()}"
    notices().print(f"the log level is {words}{end}: all processes take it over within 2 s")


def _read(level: str, duration: str | None) -> tuple[str | None, int | None]:
    """Return level (None: the settings') and seconds; raise InvalidRequest with every fault."""
    wanted, seconds, faults = level.strip().lower(), None, []
    if wanted not in _LEVELS:
        faults.append(f"level: there is no {level!r}; there are {', '.join(_LEVELS)}")
    if duration is not None:
        seconds = read_seconds(duration)
        if wanted == SETTINGS:
            faults.append(f"for: {SETTINGS} holds until another level is set; leave --for out")
        elif seconds is None or not 1 <= seconds <= LONGEST_S:
            faults.append("for: must be a time from 1s to 7d: a whole number with s, m, h or d, as in 10m")
    if faults:
        raise InvalidRequest(faults)
    return (None if wanted == SETTINGS else wanted), seconds
