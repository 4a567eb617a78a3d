"""What comes over HTTP as it should and is no sound JSON is no answer."""

import pytest

from rhumbline.gateways.http import UpstreamGarbled, UpstreamRefused
from tests.gateways.rogue import asked, says, whole

LARGEST = 100_000


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
        (b"[" + 401 * b"9" + b"]", "a number is too long"),
        (b"[" + 90_000 * b"9" + b"]", "a number is too long"),
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


async def test_a_refusal_without_sound_json_is_still_one() -> None:
    head = b"HTTP/1.1 400 No\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n"
    async with asked(says(head + b'{"a":1,}}')) as (http, _):
        with pytest.raises(UpstreamRefused) as caught:
            await http.get("/quote")
    assert (caught.value.status, caught.value.body) == (400, None)
