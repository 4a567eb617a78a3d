"""However many values there are, they are asked for by the same statement."""

from sqlalchemy import Integer, Text, cast, func, literal, select
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.gateways.postgres.one_of import one_of
from tests.gateways.postgres.statements import statements


async def test_one_statement_finds_any_number_of_values(store_engine: AsyncEngine) -> None:
    number = cast(func.generate_series(1, 9).column_valued("number"), Integer)
    found, words = [], []
    with statements(store_engine) as seen:
        async with store_engine.connect() as connection:
            for values in ((), (3,), {2, 9, 10}, range(9)):
                query = select(number).where(one_of(number, values))
                found.append((await connection.execute(query)).scalars().all())
            for word in ("b,{}", "it's", "its", "b"):
                is_one = select(one_of(literal(word, Text), ["it's", "b,{}"]))
                words.append((await connection.execute(is_one)).scalar_one())
    assert found == [[], [3], [2, 9], [1, 2, 3, 4, 5, 6, 7, 8]]
    assert words == [True, True, False, False]
    assert len(set(seen)) == 2
