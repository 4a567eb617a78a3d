"""The README's quote is a real one: the same request gets an answer of the same shape."""

import json
import re
import time
import urllib.request
from typing import Any

from tests.e2e.running_demo import ROOT, Demo


def shape(value: Any) -> Any:
    """The keys of an answer, and the types of its values; lists of objects by their first."""
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [shape(inner) for inner in value[:1]]
    return type(value).__name__


def test_the_quote_in_the_readme_is_answered(demo: Demo) -> None:
    text = (ROOT / "README.md").read_text()
    found = re.search(r"curl 'http://127\.0\.0\.1:8700(/v1/quotes[^']+)'\n```\n\n```json\n(.*?)\n```", text, re.S)
    assert found is not None
    for _ in range(100):
        with urllib.request.urlopen(demo.sandbox["base_url"] + found[1], timeout=20) as response:
            answer = json.load(response)
        if all("priceUSD" in priced for priced in answer.get("usd", {"": {}}).values()):  # a moment after the start
            break
        time.sleep(0.1)
    assert shape(answer) == shape(json.loads(found[2]))
    for item, shown in zip(answer["fees"]["breakdown"], json.loads(found[2])["fees"]["breakdown"], strict=True):
        assert (item["type"], item["currencySymbol"]) == (shown["type"], shown["currencySymbol"])
    assert answer["calldata"]["to"] == json.loads(found[2])["calldata"]["to"]
