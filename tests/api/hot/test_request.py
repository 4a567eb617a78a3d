"""What is read of a hot request."""

from hypothesis import given
from hypothesis import strategies as st

from rhumbline.api.hot.request import read_hot


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
