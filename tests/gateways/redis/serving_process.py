"""One process of several that count in the same Redis: `python -m tests.gateways.redis.serving_process <redis url>`.

Prints the address that it serves, and ends with its standard input.
"""

import asyncio
import sys

from rhumbline.accounts.counters import Limiter, LocalCounters
from rhumbline.domain.clock import system_clock
from rhumbline.gateways.redis.counters import redis_counters
from tests.api.api_service import ApiService
from tests.api.limited_service import TIERS, limited_app, moored


async def main(url: str) -> None:
    # A Redis that is there answers, however busy the machine is.
    async with redis_counters(url, 30.0) as shared:
        limiter = Limiter(TIERS, LocalCounters(system_clock), shared)
        async with moored(limited_app(ApiService(), limiter)) as address:
            sys.stdout.write(f"{address}\n")
            sys.stdout.flush()
            await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
