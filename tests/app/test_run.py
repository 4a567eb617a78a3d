"""How a command's process runs: its garbage collector frees in time what reference counting cannot."""

import subprocess
import sys

_OLD_RING = """
import weakref
from rhumbline.app.run import run

class Connection:
    pass

async def go():
    held = Connection()
    held.transaction = held
    freed = weakref.ref(held)
    kept = []
    for _ in range(20):
        kept.append([[] for _ in range(12_000)])
    del held
    for number in range(100):
        if freed() is None:
            break
        # Requests in progress, which live for a while.
        kept = [*kept[-20:], [[] for _ in range(12_000)]]
    print(number)

run(go())
"""


def test_a_ring_that_survived_collections_is_freed_before_half_a_million_objects_have_come() -> None:
    """As of a connection that served for a while; by Python's ratio of ten it would wait for more than a million."""
    done = subprocess.run([sys.executable, "-c", _OLD_RING], capture_output=True, text=True, timeout=60, check=True)
    assert int(done.stdout) < 40
