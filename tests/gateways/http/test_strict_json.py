"""What comes over HTTP as it should and is no sound JSON is no answer; what is written again keeps every digit."""

import json
from decimal import Decimal
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.gateways.http.strict_json import Json, read_json, write_json
from rhumbline.gateways.upstreams.upstream import UpstreamGarbled, UpstreamRefused
from tests.gateways.http.rogue import asked, says, whole

LARGEST = 100_000
MB = 1_000_000


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"[" * 40_000, "nested too deeply, or cut off"),
        (65 * b"[" + 65 * b"]", "nested too deeply, or cut off"),
        (b'{"a":' * 70 + b"1" + b"}" * 70, "nested too deeply, or cut off"),
        (b'{"amount":"1","amount":"2"}', "a key is there twice"),
        (b'{"a":{"\\u0062":1,"b":2}}', "a key is there twice"),
        (b"[NaN]", "NaN is no number"),
        (b"[-Infinity]", "-Infinity is no number"),
        (b"[1e1000]", "a number is too long"),
        (b"[0." + 400 * b"0" + b"1]", "a number is too long"),
        (b"[1e9999999999999999999]", "a number is too long"),
        (b"[-0.1E-9999999999999999999]", "a number is too long"),
        (b"[" + 401 * b"9" + b"]", "a number is too long"),
        (b"[" + 90_000 * b"9" + b"]", "a number is too long"),
        (b'{"a":"\\ud800"}', "a text is half of a character"),
        (b'{"\\uDFFF":1}', "a text is half of a character"),
        (b'["\\ud83d\\ude00", 1.5, "\\ude00\\ud83d"]', "a text is half of a character"),
        (b'"\xff"', "not JSON"),
        (b'"\xed\xa0\x80"', "not JSON"),
        ('{"a":1}'.encode("utf-16"), "not JSON"),
        (b"{'a':1}", "not JSON"),
        (b'{"a":1,}', "not JSON"),
        (b'{"a":1}{"a":2}', "not JSON"),
        (b'"a\nb"', "not JSON"),
        (b"", "not JSON"),
    ],
)
async def test_json_that_is_not_sound(body: bytes, said: str) -> None:
    async with asked(says(whole(body)), largest_bytes=LARGEST) as (http, _):
        with pytest.raises(UpstreamGarbled) as caught:
            await http.get("/quote")
    assert str(caught.value) == f"ROGUE answered no sound JSON ({said})"


@pytest.mark.parametrize("body", [b'{"a":1,}}', b"1e9999999999999999999"])
async def test_a_refusal_without_sound_json_is_still_one(body: bytes) -> None:
    head = b"HTTP/1.1 400 No\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body)
    async with asked(says(head + body)) as (http, _):
        with pytest.raises(UpstreamRefused) as caught:
            await http.get("/quote")
    assert (caught.value.status, caught.value.body) == (400, None)


@pytest.mark.parametrize(
    "body",
    [
        b'["' + b'\\"[' * (MB // 3),
        b'["' + b'\\"[' * (MB // 3) + b"\\",
        b'["' + b'\\\n"[' * (MB // 4),
        b'["' + b'a"[' * (MB // 3),
        b'"[' * (MB // 2),
        b"[" * 4 * MB,
        b"[" * 4 * MB + b"[" * 60 + b"]" * 60,
        b"[]" * 2 * MB + b"[" * 60 + b"]" * 60,
        b"[[[]" * MB,
    ],
    ids=["one string", "a stroke", "lines", "strings", "quotes", "open", "open, and deep", "in a row", "ever deeper"],
)
def test_no_body_takes_long_to_refuse(body: bytes) -> None:
    """What tries again from every quote takes minutes, and a pass for each of the levels seconds."""
    began = process_time()
    with pytest.raises(ValueError, match=r"not JSON|nested too deeply"):
        read_json(body)
    assert process_time() - began < 1


LEAVES = st.sampled_from(['"]["', '"\\\\"', '"\\""', '"{\\"}"', "1", "[]"])


@given(st.integers(0, 70), st.lists(LEAVES, min_size=1))
def test_levels_are_counted_outside_of_strings(depth: int, leaves: list[str]) -> None:
    deepest = depth + 1 + ("[]" in leaves)
    body = "[[]," * depth + "[" + ",".join(leaves) + "]" + "]" * depth + " " * 64
    if deepest <= 64:
        assert read_json(body.encode()) == json.loads(body)
    else:
        with pytest.raises(ValueError, match="nested too deeply"):
            read_json(body.encode())


NUMBERS = st.integers(-(10**60), 10**60) | st.decimals(
    allow_nan=False, allow_infinity=False, min_value=Decimal("-1e40"), max_value=Decimal("1e40")
)
VALUES = st.none() | st.booleans() | NUMBERS | st.text()
DOCUMENTS = st.recursive(
    VALUES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=20
)


@given(DOCUMENTS)
def test_what_is_written_is_read_again(document: Json) -> None:
    assert read_json(write_json(document)) == document


@pytest.mark.parametrize(
    "text",
    ["0.10", "1461300573427867316570072651998408279850435624081", "1.0", '{"a":[1,{"b":"\\u00e9"}],"c":null}', "[]"],
)
def test_compact_json_comes_back_to_the_letter(text: str) -> None:
    assert write_json(read_json(text.encode())) == text.encode()


def test_plain_documents_are_written_as_the_library_writes_them() -> None:
    document = {"a": [1, 2.5, "é\u2028", True, None], "b": {"c": (1, 2)}}
    assert write_json(document) == json.dumps(document, separators=(",", ":")).encode()


@pytest.mark.parametrize("number", [Decimal("NaN"), Decimal("Infinity"), float("nan"), float("inf")])
def test_numbers_that_are_none_are_not_written(number: object) -> None:
    with pytest.raises(ValueError, match=r"finite|compliant"):
        write_json({"number": number})


def test_what_json_has_no_word_for_is_not_written() -> None:
    with pytest.raises(TypeError):
        write_json([b"bytes"])
