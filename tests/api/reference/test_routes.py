"""The document, its page and the files of the page."""

import asyncio
import threading
from typing import Any

import aiohttp
import pytest
from starlette.applications import Starlette

from rhumbline.api.pages.assets import Assets
from rhumbline.api.pages.pages import Pages
from rhumbline.api.reference.document import encode
from rhumbline.api.reference.routes import reference_routes
from tests.api.conftest import Client, served
from tests.api.reference.write_document import default_document


async def test_the_files_of_the_page_are_kept_by_the_browser(client: Client) -> None:
    """Compressed as the browser likes, with a tag by which it need not take them twice."""
    for path, kind in (
        ("/openapi.json", "application/json"),
        ("/docs/swagger-ui/swagger-ui-bundle.js", "text/javascript; charset=utf-8"),
        ("/docs/swagger-ui/swagger-ui.css", "text/css; charset=utf-8"),
    ):
        first = await client.ask(path, headers={"accept-encoding": "br"})
        assert (first.status, first.headers["content-type"]) == (200, kind)
        assert first.headers["content-encoding"] == "br"
        assert int(first.headers["content-length"]) < len(first.text) / 3
        kept = {"accept-encoding": "br", "if-none-match": first.headers["etag"]}
        again = await client.ask(path, headers=kept)
        assert (again.status, again.text) == (304, "")


@pytest.mark.parametrize(
    "path", ["/docs/swagger-ui/LICENSE", "/docs/swagger-ui/..%2Froutes.py", "/docs/guides/nowhere", "/docs/nowhere"]
)
async def test_nothing_else_is_handed_out(client: Client, path: str) -> None:
    assert (await client.ask(path)).status == 404


async def test_the_document_is_made_once_on_a_thread_of_its_own() -> None:
    """Nobody waits for it but who asked: whatever its making takes, the loop goes on."""
    made: list[int] = []
    asked, goes_on = threading.Event(), threading.Event()

    def describe() -> dict[str, Any]:
        made.append(threading.get_ident())
        asked.set()
        assert goes_on.wait(10)
        return default_document()

    app = Starlette(routes=reference_routes(Pages("Rhumbline", Assets()), describe))
    async with aiohttp.ClientSession() as session, served(app) as (url, _):

        async def ask(path: str) -> bytes:
            async with session.get(url + path) as response:
                return await response.read()

        asking = [asyncio.create_task(ask(path)) for path in ("/openapi.json", "/docs", "/openapi.json")]
        assert await asyncio.to_thread(asked.wait, 10)
        async with session.get(url + "/nowhere") as response:
            assert response.status == 404
        goes_on.set()
        document, page, again = await asyncio.gather(*asking)
    assert document == again == encode(default_document())
    assert page.startswith(b"<!doctype html>")
    assert b"getQuote" not in page
    assert [each == threading.get_ident() for each in made] == [False]
