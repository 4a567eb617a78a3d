"""What needs no escaping is written without asking for it, and comes out the same."""

from hypothesis import example, given
from hypothesis import strategies as st
from yarl import URL

from rhumbline.gateways.upstreams.upstream import target_of

BASES = st.sampled_from(
    ["http://a", "http://a/", "https://a.example/v1", "https://a.example/v1/", "http://a/b%20c", "http://u:p@a:1/x/y"]
)
PATHS = st.sampled_from(
    ["", "/", "/a", "/a/b-c_d/0x12", "/a/", "//a", "/a/../b", "/a.b", "/ü", "/a b", "/a?b=c", "/%2f"]
)
TEXTS = st.text(max_size=8) | st.from_regex(r"[A-Za-z0-9._~-]{0,8}", fullmatch=True)


@given(BASES, PATHS, st.lists(st.tuples(TEXTS, TEXTS), max_size=4))
@example("http://a", "/quote", [])
@example("http://a", "/quote", [("amount", "1"), ("slippage", "0.5"), ("to", "0xAb")])
@example("http://a", "/quote", [("a", "1&b=2")])
@example("http://a", "/quote", [("", "")])
@example("http://a", "/quote", [("a", "b\n")])
def test_targets(base: str, path: str, pairs: list[tuple[str, str]]) -> None:
    assert target_of(base, path, pairs) == URL(base.rstrip("/") + path).extend_query(pairs).raw_path_qs
