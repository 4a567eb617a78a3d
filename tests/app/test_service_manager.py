import socket
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from rhumbline.app.service_manager import tell_ready
from rhumbline.app.settings import manager_socket


@pytest.mark.parametrize("abstract", [False, True])
def test_whoever_has_started_it_is_told(abstract: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"{tmp_path.name}-{abstract}"
    address, bound = (f"@{name}", f"\0{name}") if abstract else (str(tmp_path / "notify"),) * 2
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(bound)
        manager.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", address)
        tell_ready(manager_socket())
        assert manager.recv(100) == b"READY=1"
        monkeypatch.delenv("NOTIFY_SOCKET")
        tell_ready(manager_socket())
        with pytest.raises(BlockingIOError):
            manager.recv(100)


def test_a_socket_that_is_gone_is_logged_and_ends_nothing(tmp_path: Path) -> None:
    with capture_logs() as lines:
        tell_ready(str(tmp_path / "gone"))
    assert [(each["event"], each["log_level"]) for each in lines] == [("service_manager_not_told", "warning")]
