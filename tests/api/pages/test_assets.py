"""The files of our pages on their way: compressed as the browser likes, kept, asked for once."""

import re

import pytest

from tests.portal_fixture import ServedPortal


async def addresses(portal: ServedPortal) -> list[str]:
    page = await portal.visitor().get("/")
    return re.findall(r'"(/assets/[^"]+)"', page.text)


@pytest.mark.parametrize("coding", ["br", "gzip"])
async def test_files_come_compressed_and_whole(portal: ServedPortal, coding: str) -> None:
    large = [path for path in await addresses(portal) if path.endswith(("chart.css", "rhumbline-swap.js"))]
    assert len(large) == 2
    for path in large:
        plain = await portal.visitor().ask("GET", path, headers={"accept-encoding": "identity"})
        file = await portal.visitor().ask("GET", path, headers={"accept-encoding": coding})
        assert "content-encoding" not in plain.headers
        assert (file.status, file.headers["content-encoding"], file.text) == (200, coding, plain.text)
        assert file.headers["content-type"] == plain.headers["content-type"]
        assert file.headers["vary"] == "accept-encoding"
        assert int(file.headers["content-length"]) < int(plain.headers["content-length"]) / 2


async def test_a_file_that_the_browser_has_is_not_sent_again(portal: ServedPortal) -> None:
    (path, *_) = await addresses(portal)
    had = await portal.visitor().get(path)
    again = await portal.visitor().ask("GET", path, headers={"if-none-match": had.headers["etag"]})
    assert (again.status, again.text) == (304, "")


async def test_an_address_of_another_version_answers_this_one(portal: ServedPortal) -> None:
    (path, *_) = await addresses(portal)
    other = re.sub(r"/assets/[0-9a-f]+/", "/assets/0123456789abcdef/", path)
    now, old = await portal.visitor().get(path), await portal.visitor().get(other)
    assert (old.status, old.text, old.headers["cache-control"]) == (200, now.text, "no-cache")
    assert (await portal.visitor().get(path + ".none")).status == 404


async def test_files_of_another_version_are_answered_and_not_kept(portal: ServedPortal) -> None:
    visitor = portal.visitor()
    answer = await visitor.get("/assets/0123456789abcdef/chart.css")
    assert (answer.status, answer.headers["cache-control"]) == (200, "no-cache")
    for path in (
        "/assets/x/../../server.py",
        "/assets/x/%2e%2e%2fpages.py",
        "/assets/x/front.html",
        "/assets/x/nothing.css",
    ):
        assert (await visitor.get(path)).status == 404
