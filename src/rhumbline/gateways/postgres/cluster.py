"""A database cluster on disk: its owner, its files in `store.data_dir`, and who uses it.

```
<data_dir>/pgdata        the cluster, owned by the user that the server runs as
<data_dir>/lock          flock(2)ed by the process that owns the running server
<data_dir>/socket        the folder of the server's Unix socket
<data_dir>/postgres.log  the server's output since its last start
```
"""

import fcntl
import os
import pwd
import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rhumbline.gateways.postgres.failures import StoreError
from rhumbline.gateways.postgres.installation import reachable

PORT = 5432
# sun_path of unix(7) has 108 bytes, the last of them zero.
_LONGEST_FOLDER = 107 - len(f"/.s.PGSQL.{PORT}")
# Without an own user for the service, root lends the server the one that owns nothing.
_SERVER_USERS = ("rhumbline", "nobody")


@dataclass(frozen=True, slots=True)
class Cluster:
    """The files of one embedded store; the server runs as the user `uid`, and `owner` owns `home`."""

    home: Path
    uid: int
    owner: int

    @property
    def data(self) -> Path:
        return self.home / "pgdata"

    @property
    def log(self) -> Path:
        return self.home / "postgres.log"


def open_cluster(data_dir: Path) -> Cluster:
    """Make `data_dir` if need be, and find out who its server runs as. Raises StoreError."""
    try:
        home = data_dir.absolute()
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        home = home.resolve()
        owner = home.stat().st_uid
        data = home / "pgdata"
        uid = _server_uid(data.stat().st_uid if data.exists() else owner)
        if not os.access(home, os.W_OK | os.X_OK) or (os.geteuid() != 0 and uid != os.geteuid()):
            raise StoreError(
                f"store.data_dir: {home} belongs to user {_name(uid if data.exists() else owner)}; "
                "run as that user or as root, or choose another folder"
            )
    except OSError as error:
        raise StoreError(f"store.data_dir: {data_dir} cannot be used ({error.strerror}); choose another") from error
    return Cluster(home, uid, owner)


def take_lock(cluster: Cluster) -> int | None:
    """Return a descriptor that holds the cluster's lock until it is closed, None when another process holds it."""
    path = cluster.home / "lock"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        give(path, cluster.owner)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def server_processes(cluster: Cluster) -> tuple[int, ...]:
    """Return the processes of any server that works on the cluster, crashed ones' leftovers included.

    A server's processes all have the cluster as working directory. Its own `postmaster.pid` does not tell as much: the
    number in it may belong to somebody else by now, and backends may outlive the postmaster for a moment.
    """
    if not cluster.data.exists():
        return ()
    place = cluster.data.stat()
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            cwd = (folder / "cwd").stat()
            here = (cwd.st_dev, cwd.st_ino) == (place.st_dev, place.st_ino)
            if here and (folder / "comm").read_text() == "postgres\n":
                found.append(int(folder.name))
        except OSError:
            continue
    return tuple(found)


def remove_leftovers(cluster: Cluster, socket: Path) -> None:
    """Remove what a killed server left, so that a number reused by another process cannot keep a new one from starting.

    To be called with the lock, and with no server process left.
    """
    (cluster.data / "postmaster.pid").unlink(missing_ok=True)
    for name in (f".s.PGSQL.{PORT}", f".s.PGSQL.{PORT}.lock"):
        (socket / name).unlink(missing_ok=True)
    for folder in cluster.home.glob("pgdata.new-*"):
        shutil.rmtree(folder)


def new_data(cluster: Cluster) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="pgdata.new-", dir=cluster.home))
    give(folder, cluster.uid)
    return folder


def keep_new(cluster: Cluster, folder: Path) -> None:
    """Make a finished cluster the one that counts: whole or, after a crash, not at all."""
    folder.rename(cluster.data)
    descriptor = os.open(cluster.home, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def prepare_log(cluster: Cluster) -> None:
    """Make the log before anybody writes to it, so that root does not keep it from the cluster's owner."""
    cluster.log.touch(mode=0o600)
    give(cluster.log, cluster.owner)


def noted_socket(cluster: Cluster) -> Path | None:
    try:
        return Path((cluster.home / "socket").read_text("utf-8").strip())
    except FileNotFoundError:
        return None


def prepare_socket(cluster: Cluster, promised: Path | None) -> Path:
    """Make the folder of the server's socket, closed to all others: the noted one if it can be had, else a new one.

    A folder that has been `promised` to users of the server is the only one that will do. Raises StoreError.
    """
    noted = promised or noted_socket(cluster)
    if noted is not None and _claim(noted, cluster.uid):
        return noted
    if promised is not None:
        raise StoreError(f"store: the folder of the socket, {promised}, belongs to somebody else now; start again")
    folder = Path(tempfile.mkdtemp(prefix="rhumbline-", dir=_temporary(cluster.uid)))
    give(folder, cluster.uid)
    note = cluster.home / "socket.new"
    note.touch(mode=0o600)
    note.write_text(f"{folder}\n", "utf-8")
    give(note, cluster.owner)
    note.replace(cluster.home / "socket")
    return folder


def remove_socket(folder: Path) -> None:
    """Remove the folder of a server that has stopped, so that nothing is left in the place for temporary files."""
    with suppress(OSError):
        folder.rmdir()


def version(cluster: Cluster) -> int:
    """Return the major version of PostgreSQL that made the cluster. Raises StoreError."""
    try:
        return int((cluster.data / "PG_VERSION").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise StoreError(f"store.data_dir: {cluster.data} is not a PostgreSQL cluster; choose another") from error


def has_name(uid: int) -> bool:
    return _name(uid) != str(uid)


def give(path: Path, uid: int) -> None:
    """Hand a file that root has made to its user."""
    if os.geteuid() == 0:
        os.chown(path, uid, -1)


def _claim(folder: Path, uid: int) -> bool:
    try:
        folder.mkdir(mode=0o700)
        give(folder, uid)
    except FileExistsError:
        status = folder.lstat()
        return folder.is_dir() and not folder.is_symlink() and status.st_uid == uid and status.st_mode & 0o077 == 0
    except OSError:
        return False
    return True


def _temporary(uid: int) -> Path:
    for folder in (Path(tempfile.gettempdir()), Path("/", "tmp"), Path("/", "var", "tmp")):
        room = len(os.fsencode(folder)) + len("/rhumbline-12345678")
        if folder.is_dir() and room <= _LONGEST_FOLDER and reachable(folder, uid):
            return folder
    raise StoreError("store: no folder for temporary files is short and open enough for a Unix socket; set store.dsn")


def _server_uid(owner: int) -> int:
    if os.geteuid() != 0 or owner != 0:
        return owner
    for name in _SERVER_USERS:
        try:
            return pwd.getpwnam(name).pw_uid
        except KeyError:
            continue
    raise StoreError(
        f"store: PostgreSQL does not run as root, and there is no user {' or '.join(_SERVER_USERS)} to run it as; "
        "add one, run as an ordinary user, or set store.dsn"
    )


def _name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)
