import gzip

import pytest

from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.http.list_download import Bounds, DocumentUnavailable, fetch_document
from tests.catalog.conftest import ListHost, list_host

SMALL = Bounds(largest_bytes=200_000, timeout_s=5)


async def test_a_document_comes_with_its_tag_and_is_not_sent_twice(host: ListHost, http: HttpClient) -> None:
    host.body = b'{"a": 1}'
    first = await fetch_document(http, host.url)
    assert first is not None
    assert first.body == b'{"a": 1}'
    assert await fetch_document(http, host.url, etag=first.etag) is None
    host.body = b'{"a": 2}'
    second = await fetch_document(http, host.url, etag=first.etag)
    assert second is not None
    assert second.body == b'{"a": 2}'
    assert host.asked == [None, first.etag, first.etag]


async def test_plain_text_may_be_json_and_a_page_may_not(host: ListHost, http: HttpClient) -> None:
    host.body, host.kind = b"{}", "text/plain"
    assert await fetch_document(http, host.url) is not None
    host.kind = "text/html"
    with pytest.raises(DocumentUnavailable, match=r"text/html, not JSON"):
        await fetch_document(http, host.url)


@pytest.mark.parametrize("status", [204, 400, 403, 404, 429, 500, 503])
async def test_any_other_status_is_no_document(host: ListHost, http: HttpClient, status: int) -> None:
    host.status = status
    with pytest.raises(DocumentUnavailable, match=f"HTTP {status}"):
        await fetch_document(http, host.url)


async def test_a_document_that_never_ends_is_cut_off(host: ListHost, http: HttpClient) -> None:
    host.endless = True
    with pytest.raises(DocumentUnavailable, match="larger than 200000 bytes"):
        await fetch_document(http, host.url, bounds=SMALL)
    assert host.sent < 50_000_000


async def test_a_length_above_the_bound_is_not_even_read(host: ListHost, http: HttpClient) -> None:
    host.body = b" " * 300_000
    with pytest.raises(DocumentUnavailable, match="300000 bytes large; the bound is 200000"):
        await fetch_document(http, host.url, bounds=SMALL)


async def test_the_bound_counts_unpacked_bytes(http: HttpClient) -> None:
    async with list_host() as host:
        packed = gzip.compress(b" " * 5_000_000)
        assert len(packed) < SMALL.largest_bytes
        host.body, host.packed = packed, True
        with pytest.raises(DocumentUnavailable, match="larger than 200000 bytes"):
            await fetch_document(http, host.url, bounds=SMALL)


async def test_a_host_that_is_slow_or_gone(host: ListHost, http: HttpClient) -> None:
    host.pause_s = 5
    with pytest.raises(DocumentUnavailable, match=r"within 0.2 s"):
        await fetch_document(http, host.url, bounds=Bounds(timeout_s=0.2))
    with pytest.raises(DocumentUnavailable, match="cannot be reached"):
        await fetch_document(http, "http://127.0.0.1:1/list.json?key=secret")


async def test_a_redirect_stays_on_its_host(host: ListHost, http: HttpClient) -> None:
    host.body, host.location = b"{}", "/moved.json"
    assert await fetch_document(http, host.url) is not None
    for foreign in ("http://localhost:1/x?key=secret", "https://example.org/list.json", "file:///etc/passwd"):
        host.location = foreign
        with pytest.raises(DocumentUnavailable, match="redirects to another host") as caught:
            await fetch_document(http, host.url)
        assert "secret" not in str(caught.value)
    host.location = "/list.json"
    with pytest.raises(DocumentUnavailable, match="more than 3 times"):
        await fetch_document(http, host.url)
