"""Another process that asks a host, once: `python -m tests.gateways.asking_process <redis url> <host url> <purpose>`.

Prints how that ended.
"""

import asyncio
import sys

from rhumbline.gateways.upstreams.guard.budget import Purpose
from tests.gateways.test_shared_budgets import process
from tests.gateways.test_upstream_guard import asked


async def main(redis_url: str, host_url: str, purpose: str) -> None:
    async with process(redis_url, host_url) as upstream:
        sys.stdout.write(await asked(upstream, Purpose(purpose)))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
