"""The guide as it is served: compressed, kept, under its own policy, and nothing beside it."""

from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from rhumbline.api.reference.guide_site import find_file, guide_routes
from rhumbline.domain.errors import NotFound
from tests.api.conftest import Client, served

OWN = "https://own.example/?a=1&b=2"
PAGE = "<!doctype html><p>Ask https://swap.example for a quote." + " It answers." * 200


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built") / "site"
    for name, text in {
        "index.html": PAGE,
        "quotes/index.html": PAGE,
        "search.json": '{"text": "https://swap.example"}',
        "assets/bundle.0123abcd.min.js": "let a = 'https://swap.example';",
        "assets/LICENSE": "words",
        "empty/guide.css": "p {}",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "map.png").write_bytes(b"\x89PNG" + bytes(4000))
    (folder.parent / "secret.html").write_text("secret")
    return folder


@pytest.fixture(scope="module")
async def guide(built: Path) -> AsyncIterator[Client]:
    async with aiohttp.ClientSession() as session, served(app(built)) as (url, port):
        yield Client(url, port, session)


def app(built: Path) -> Starlette:
    async def refused(request: Request, fault: Exception) -> Response:
        status = 404 if isinstance(fault, NotFound | HTTPException) else 500
        return PlainTextResponse(str(fault), status)

    return Starlette(routes=guide_routes(OWN, built), exception_handlers={NotFound: refused})


async def test_a_page_is_compressed_and_kept(guide: Client) -> None:
    first = await guide.ask("/docs/guide/", headers={"accept-encoding": "br"})
    assert (first.status, first.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert (first.headers["content-encoding"], first.headers["cache-control"]) == ("br", "no-cache")
    assert int(first.headers["content-length"]) < len(first.text) / 3
    again = await guide.ask("/docs/guide/", headers={"accept-encoding": "br", "if-none-match": first.headers["etag"]})
    assert (again.status, again.text) == (304, "")


async def test_what_has_its_digest_in_its_name_is_kept_for_ever(guide: Client) -> None:
    answer = await guide.ask("/docs/guide/assets/bundle.0123abcd.min.js")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert "https://swap.example" in answer.text


async def test_pictures_are_not_compressed_again(guide: Client) -> None:
    async with guide.session.get(guide.url + "/docs/guide/map.png", headers={"accept-encoding": "br"}) as answer:
        assert "content-encoding" not in answer.headers
        assert await answer.read() == b"\x89PNG" + bytes(4000)
    again = await guide.ask("/docs/guide/map.png", headers={"if-none-match": answer.headers["etag"]})
    assert again.status == 304


async def test_pages_name_this_service(guide: Client) -> None:
    assert "Ask https://own.example/?a=1&amp;b=2 for" in (await guide.ask("/docs/guide/quotes/")).text
    assert (await guide.ask("/docs/guide/search.json")).json == {"text": OWN}


async def test_the_policy_permits_nothing_of_others(guide: Client) -> None:
    policy = (await guide.ask("/docs/guide/")).headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self' 'sha256-")
    assert policy.count("sha256-") == 1
    assert "unsafe" not in policy
    assert "http" not in policy


@pytest.mark.parametrize(
    ("path", "to"), [("/docs/guide", "/docs/guide/"), ("/docs/guide/quotes", "/docs/guide/quotes/")]
)
async def test_a_folder_without_its_slash_leads_to_it(guide: Client, path: str, to: str) -> None:
    answer = await guide.ask(path)
    assert (answer.status, answer.headers["location"]) == (307, to)


@pytest.mark.parametrize(
    "path",
    ["nowhere", "quotes/nowhere/", "..%2Fsecret.html", "quotes/..%2F..%2Fsecret.html", "quotes%5C..", "empty/", "empty",
     "quotes//index.html", "index.html/", "%00", "//"],
)  # fmt: skip
async def test_nothing_else_is_handed_out(guide: Client, path: str) -> None:
    answer = await guide.ask(f"/docs/guide/{path}")
    assert (answer.status, answer.text) == (404, "There is no such page of the guide")


@pytest.mark.parametrize("path", ["../secret.html", "quotes/../../secret.html", "./index.html", "quotes//index.html"])
def test_no_path_leads_out(built: Path, path: str) -> None:
    with pytest.raises(NotFound, match="no such page"):
        find_file(built, path)


async def test_an_installation_without_it_says_so(tmp_path: Path) -> None:
    async with aiohttp.ClientSession() as session, served(app(tmp_path)) as (url, port):
        answer = await Client(url, port, session).ask("/docs/guide/")
    assert answer.status == 404
    assert "make site builds it" in answer.text


async def test_the_service_has_it_and_the_reference_leads_there(client: Client) -> None:
    assert "Made with" in (await client.ask("/docs/guide/")).text
    assert 'href="/docs/guide/"' in (await client.ask("/docs")).text
    nowhere = await client.ask("/docs/guide/nowhere")
    assert (nowhere.status, nowhere.json["code"]) == (404, "NOT_FOUND")
