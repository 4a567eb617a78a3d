"""Dumps of the embedded server, by the `pg_dump` of its own version that comes with it."""

import asyncio
from pathlib import Path

from sqlalchemy import text

from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.gateways.postgres.failures import StoreError
from rhumbline.gateways.postgres.installation import program


async def dump(dsn: str, file: Path) -> None:
    """Write a database as SQL that `psql` reads, over whatever is there; only the owner may read the file.

    The file is there when it is whole, or not at all. Raise StoreError.
    """
    engine = create_engine(dsn, pool_size=1)
    try:
        async with engine.connect() as connection:
            version = int((await connection.execute(text("SHOW server_version_num"))).scalar_one()) // 10_000
    finally:
        await engine.dispose()
    part = file.with_name(f".{file.name}.part")
    try:
        part.unlink(missing_ok=True)
        part.touch(0o600)
        words = ("--clean", "--if-exists", "--no-owner", "--file", str(part), "--dbname", dsn)
        dumping = await asyncio.create_subprocess_exec(
            program("pg_dump", version), *words, stderr=asyncio.subprocess.PIPE
        )
        _, said = await dumping.communicate()
        if dumping.returncode:
            raise StoreError(f"store: pg_dump failed: {said.decode(errors='replace').strip()}")
        part.rename(file)
    except OSError as error:
        raise StoreError(f"{file}: cannot be written: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)
