"""Failures of the store: whose they are, which pass, and what is said of them."""

import socket

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolExhausted

from rhumbline.domain.errors import UpstreamFailed
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.gateways.postgres.failures import explain, store_access, unavailable


async def test_a_fault_in_a_statement_is_ours(postgres_dsn: str) -> None:
    engine = create_engine(postgres_dsn)
    with pytest.raises(DBAPIError) as caught, store_access():
        async with engine.connect() as connection:
            await connection.execute(text("SELECT no_such_column"))
    assert not unavailable(caught.value)
    await engine.dispose()


def test_other_failures_pass_through_store_access() -> None:
    """An upstream that failed for the same reason as a database might have is not the store's failure."""
    with pytest.raises(UpstreamFailed), store_access():
        raise UpstreamFailed("the node hung up") from ConnectionResetError()


@pytest.mark.parametrize(
    ("error", "verdict"),
    [
        (asyncpg.AdminShutdownError("x"), True),
        (asyncpg.CannotConnectNowError("x"), True),
        (asyncpg.ConnectionDoesNotExistError("x"), True),
        (asyncpg.DiskFullError("x"), True),
        (asyncpg.ReadOnlySQLTransactionError("x"), True),
        (asyncpg.InternalClientError("cannot switch to state 11; another operation (2) is in progress"), True),
        (asyncpg.InterfaceError("connection is closed"), True),
        (PoolExhausted("x"), True),
        (TimeoutError(), True),
        (asyncpg.InvalidCachedStatementError("x"), True),
        (asyncpg.OutdatedSchemaCacheError("x"), False),
        (asyncpg.InterfaceError("the server expects 1 argument for this query, 2 were passed"), False),
        (asyncpg.UniqueViolationError("x"), False),
        (asyncpg.DeadlockDetectedError("x"), False),
        (ValueError("x"), False),
    ],
)
def test_which_failures_pass_by_themselves(error: Exception, verdict: bool) -> None:
    assert unavailable(error) is verdict


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (asyncpg.InsufficientPrivilegeError("x"), "does not let user 'u' create tables"),
        (asyncpg.TooManyConnectionsError("x"), "has no connection left"),
        (asyncpg.ClientConfigurationError("x"), "a parameter of the DSN is not understood"),
        (socket.gaierror(-2, "Name or service not known"), "cannot be reached (Name or service not known)"),
        (asyncpg.UndefinedTableError("x"), "SQLSTATE 42P01"),
    ],
)
def test_failures_are_told_in_words(error: Exception, words: str) -> None:
    assert words in str(explain(error, "host:1/db", "u"))
