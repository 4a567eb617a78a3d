"""What is read of a hot request."""

from hypothesis import given
from hypothesis import strategies as st

from rhumbline.api.hot.request import LONGEST_KEPT, MOST_KEPT, HotRequest, ReadRequests, read_hot


@given(
    st.lists(st.tuples(st.sampled_from([b"x-api-key", b"accept", b"if-none-match", b"host"]), st.binary(max_size=8)))
)
def test_the_first_and_only_header_is_heeded(headers: list[tuple[bytes, bytes]]) -> None:
    asked = read_hot(b"/v1/chains?a=b", headers)
    heeded = [name for name, _ in headers if name in (b"x-api-key", b"if-none-match")]
    assert (asked is None) == (len(set(heeded)) < len(heeded))
    if asked is not None:
        given = {name: value.decode("latin-1").rstrip(" \t") for name, value in headers}
        assert (asked.path, asked.query) == ("/v1/chains", b"a=b")
        assert asked.key == (given.get(b"x-api-key") or None)
        assert asked.if_none_match == given.get(b"if-none-match")


def test_read_requests_are_bounded_and_unique_ones_are_not_kept() -> None:
    read = ReadRequests()
    for number in range(MOST_KEPT + 3):
        read.keep(b"%d" % number, HotRequest("/v1/chains", b"%d" % number))
    assert read.get(b"2") is None
    assert read.get(b"3") == HotRequest("/v1/chains", b"3")
    read.keep(b"x" * (LONGEST_KEPT + 1), HotRequest("/v1/chains", b""))
    read.keep(b"named", HotRequest("/v1/chains", b"", name="mine"))
    assert read.get(b"x" * (LONGEST_KEPT + 1)) is None
    assert read.get(b"named") is None
