"""Which coding a client gets, and that none loses anything."""

import gzip
from collections.abc import Callable, Mapping

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.api.http.content_coding import Encoding, choose_encoding, compress, names_etag

UNPACK: Mapping[str, Callable[[bytes], bytes]] = {
    "zstd": lambda data: zstandard.ZstdDecompressor().decompress(data),
    "br": brotli.decompress,
    "gzip": gzip.decompress,
}


@pytest.mark.parametrize(
    ("header", "chosen"),
    [
        (None, "identity"), ("", "identity"), ("gzip, deflate, br, zstd", "zstd"), ("gzip, deflate, br", "br"),
        ("gzip", "gzip"), ("GZIP;Q=0.5", "gzip"), ("br;q=0.5, gzip;q=0.8", "gzip"), ("zstd;q=0, br", "br"),
        ("*", "zstd"), ("*;q=0", "identity"), ("zstd;q=0, *", "br"), ("identity", "identity"), ("deflate", "identity"),
        ("identity;q=1, gzip;q=0.5", "identity"), ("identity;q=0.5, gzip", "gzip"), ("gzip;q=x", "identity"),
        (" gzip ; q=0.3 ,", "gzip"), ("x-gzip", "identity"), (";", "identity"),
    ],
)  # fmt: skip
def test_what_the_client_likes_best(header: str | None, chosen: str) -> None:
    assert choose_encoding(header) == chosen


@given(st.text(max_size=200))
def test_any_header_has_an_answer(header: str) -> None:
    assert choose_encoding(header) in Encoding
    assert names_etag(header, '"x"') in (True, False)


@given(st.binary(max_size=5000))
def test_compressing_loses_nothing_and_is_repeatable(body: bytes) -> None:
    for coding, unpack in UNPACK.items():
        packed = compress(body, Encoding(coding))
        assert unpack(packed) == body
        assert compress(body, Encoding(coding)) == packed
