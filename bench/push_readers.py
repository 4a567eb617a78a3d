"""Readers of streams in a process of their own: when each of them had each event.

Run with `python -m bench.push_readers <url> <key>…`, one reader a key. Prints ``ready``, and after a line on standard
input the monotonic times in nanoseconds by the number of the event, as JSON.
"""

import asyncio
import json
import sys
import time
from urllib.parse import urlsplit

import uvloop


async def _follow(url: str, key: str, times: dict[int, list[int]], ready: asyncio.Semaphore) -> None:
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    writer.write(f"GET /v1/transactions/stream HTTP/1.1\r\nhost: bench\r\nx-api-key: {key}\r\n\r\n".encode())
    await reader.readuntil(b"event: ready")
    ready.release()
    while True:
        await reader.readuntil(b'"number":')
        at = time.monotonic_ns()
        number = int((await reader.readuntil(b","))[:-1])
        times.setdefault(number, []).append(at)


async def main(url: str, keys: list[str]) -> None:
    times: dict[int, list[int]] = {}
    ready = asyncio.Semaphore(0)
    tasks = []
    for key in keys:
        tasks.append(asyncio.create_task(_follow(url, key, times, ready)))
        await ready.acquire()
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    for task in tasks:
        task.cancel()
    print(json.dumps(times), flush=True)


uvloop.run(main(sys.argv[1], sys.argv[2:]))
