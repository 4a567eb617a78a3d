"""What rows share: seed, folder, the running service with all its parts, and logs in which secrets are sought."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from chaos.service_world import ServiceWorld, running_service_world


@dataclass
class Bench:
    """``disk`` is a small file system, None where none may be mounted; ``logs`` are files that rows have left."""

    seed: int
    folder: Path
    disk: Path | None
    stack: AsyncExitStack
    say: Callable[[str], None]
    logs: dict[str, str] = field(default_factory=dict)
    _service: ServiceWorld | None = None

    async def service(self) -> ServiceWorld:
        """Return the service, started when the first row wants it; it runs until the last row has ended."""
        if self._service is None:
            began = asyncio.get_running_loop().time()
            folder = self.folder / "service"
            folder.mkdir(exist_ok=True)
            # The server's own user must enter it where we are root.
            folder.chmod(0o755)
            self._service = await self.stack.enter_async_context(running_service_world(folder, disk=self.disk))
            self.say(f"the service runs after {asyncio.get_running_loop().time() - began:.0f} s")
        return self._service

    async def end_service(self) -> None:
        """End the service, if it runs."""
        if self._service is not None:
            self._service = None
            await self.stack.aclose()

    def own_folder(self, name: str) -> Path:
        """Make a folder for what a row starts by itself."""
        folder = self.folder / name
        folder.mkdir()
        folder.chmod(0o755)
        return folder

    def keep_logs(self, folder: Path) -> None:
        """Keep the logs below a folder, which may go."""
        for path in sorted(each for name in ("log", "*.log") for each in folder.rglob(name)):
            self.logs[str(path)] = path.read_text("utf-8", "replace")


@asynccontextmanager
async def open_bench(
    seed: int, folder: Path, disk: Path | None = None, say: Callable[[str], None] = lambda line: None
) -> AsyncIterator[Bench]:
    """Prepare a bench; all that rows started on it ends with the block."""
    async with AsyncExitStack() as stack:
        yield Bench(seed, folder, disk, stack, say)
