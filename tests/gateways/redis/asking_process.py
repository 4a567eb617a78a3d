"""Another process that asks a host, once: `python -m tests.gateways.redis.asking_process <redis> <host> <purpose>`.

Prints how that ended.
"""

import asyncio
import sys

from rhumbline.gateways.upstreams.guard.budget import Purpose
from tests.gateways.redis.test_budgets import process
from tests.gateways.upstreams.guard.test_guard import asked


async def main(redis_url: str, host_url: str, purpose: str) -> None:
    async with process(redis_url, host_url) as upstream:
        sys.stdout.write(await asked(upstream, Purpose(purpose)))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
