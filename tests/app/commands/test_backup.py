"""`rhumbline backup` says what it does not do, and makes no store to be backed up."""

from pathlib import Path

import pytest

from tests.app.conftest import Command


def test_a_server_of_ones_own_is_left_to_its_own_programs(rhumbline: Command) -> None:
    ran = rhumbline("backup", "backup.sql")
    assert (ran.code, ran.err) == (
        1,
        "store.dsn: is a server of your own: back it up with the pg_dump of its version\n",
    )


@pytest.mark.parametrize(
    ("there", "fault"), [(False, "store.data_dir: there is no store in "), (True, "is there already")]
)
def test_nothing_is_made_or_overwritten(command: Command, tmp_path: Path, there: bool, fault: str) -> None:
    file = tmp_path / "backup.sql"
    if there:
        (tmp_path / ".rhumbline/store/pgdata").mkdir(parents=True)
        file.write_text("mine")
    ran = command("backup", "backup.sql")
    assert ran.code == 1
    assert fault in ran.err
    assert (tmp_path / ".rhumbline").exists() == there
    assert not there or file.read_text() == "mine"
