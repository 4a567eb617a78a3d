"""What the protocol refuses itself has the headers of its path, and its turn."""

import asyncio

from rhumbline.api.http.protocol import LONGEST_LINE
from tests.api.conftest import Client
from tests.api.http.test_protocol import check, line, response, send


async def test_a_long_line_on_a_tracking_path_stays_closed(client: Client) -> None:
    answer = await send(client, line(LONGEST_LINE + 1, "/v1/transactions?") + b"host: x\r\n\r\n")
    check(answer, 414)
    assert "access-control-allow-origin" not in answer[1]


async def test_a_refusal_waits_for_the_answers_before_it(client: Client) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", client.port)
    head = b"GET %b HTTP/1.1\r\nhost: x\r\n\r\n"
    writer.write(head % b"/v1/chains" + head % b"/v1/tools" + line(LONGEST_LINE + 1))
    assert [(await response(reader))[0] for _ in range(3)] == [200, 200, 414]
    assert await reader.read() == b""
    writer.close()
