"""A command line on a real store."""

import pytest

from tests.app.conftest import Command


@pytest.fixture
def rhumbline(command: Command, store_dsn: str, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.setenv("RHUMBLINE_STORE__DSN", store_dsn)
    monkeypatch.setenv("RHUMBLINE_FEES__SERVICE_SHARE", "0.002")
    return command
