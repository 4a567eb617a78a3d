"""What processes use, as the operating system tells it: CPU time, memory, open files and connections."""

import os
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from rhumbline.gateways.processes.keeper import descendants

_TICKS = os.sysconf("SC_CLK_TCK")
_ESTABLISHED = "01"


@dataclass(frozen=True)
class Usage:
    """One process at one time: memory in MB (of PSS, shared pages count in part), open files, connections by peer."""

    rss_mb: float
    pss_mb: float
    files: int
    connections: Mapping[str, int]

    def figures(self) -> dict[str, float]:
        return {
            "rss_mb": self.rss_mb,
            "pss_mb": self.pss_mb,
            "files": self.files,
            **{f"connections: {peer}": count for peer, count in self.connections.items()},
        }


@dataclass(frozen=True)
class Peers:
    """Whose port is whose: the service's own (clients), and those it connects to by their name."""

    service: int
    others: Mapping[int, str]

    def name(self, local: int, remote: int) -> str | None:
        """Name the peer of a TCP connection; None for one that is nobody's here, as of the metrics."""
        return "clients" if local == self.service else self.others.get(remote)


def usage(pid: int, peers: Peers) -> Usage:
    """Look at a process; raise OSError when it has ended."""
    sockets, files = set(), 0
    for each in os.listdir(f"/proc/{pid}/fd"):
        try:
            target = os.readlink(f"/proc/{pid}/fd/{each}")
        except FileNotFoundError:
            # Closed since it was listed.
            continue
        files += 1
        if target.startswith("socket:["):
            sockets.add(target[8:-1])
    memory = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii")
    rss, pss = (int(memory.partition(f"\n{name}:")[2].split()[0]) / 1024 for name in ("Rss", "Pss"))
    return Usage(rss, pss, files, _connections(pid, sockets, peers))


def _connections(pid: int, sockets: Collection[str], peers: Peers) -> Mapping[str, int]:
    found = Counter(dict.fromkeys(("clients", *dict.fromkeys(peers.others.values()), "store"), 0))
    for line in Path(f"/proc/{pid}/net/tcp").read_text("ascii").splitlines()[1:]:
        fields = line.split()
        if fields[3] == _ESTABLISHED and fields[9] in sockets:
            name = peers.name(*(int(fields[at].rpartition(":")[2], 16) for at in (1, 2)))
            found[name or "others"] += 1
    # The store is reached by a Unix socket, which the loop's own pair is too.
    local = {line.split()[6] for line in Path(f"/proc/{pid}/net/unix").read_text().splitlines()[1:]}
    found["store"] = len(local & set(sockets))
    return found


def serving(pid: int) -> list[int]:
    """Return the processes that serve: the workers below their parent, or the one that has none."""
    return descendants(pid) or [pid]


def cpu_s(pids: Collection[int]) -> float:
    """Return the CPU seconds, user and system, that processes and their ended children have taken."""
    return sum(_own_cpu_s(pid) for pid in pids)


def _own_cpu_s(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / _TICKS


def named(root: int, name: str) -> list[int]:
    """Return the processes below ``root`` of a program's name."""
    found = []
    for pid in descendants(root):
        try:
            if Path(f"/proc/{pid}/comm").read_text().strip() == name:
                found.append(pid)
        except OSError:
            continue
    return found
