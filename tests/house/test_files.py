"""The rules about files hold, and each is broken by what it forbids."""

import pytest

from tests.house.rules import (
    CONSTANT,
    FILE_RULES,
    FINISHED,
    LONGEST,
    NAMED,
    NOUN,
    ONE_WAY_OUT,
    OWN,
    PURE,
    RULES,
    SETTINGS,
    SHORT,
    TOLD,
    WEBSOCKET,
    File,
    Rule,
)


@pytest.mark.parametrize("rule", FILE_RULES, ids=lambda rule: rule.words)
def test_a_rule_about_files_holds(files: list[File], rule: Rule) -> None:
    assert any(rule.about(file.path) for file in files), "the rule is about no file at all"
    rule.hold(files)


HERE = "src/rhumbline/routing/new.py"
INSIDE = "src/rhumbline/domain/new.py"
PLANTED = [
    (SHORT, HERE, "x = 1\n" * (LONGEST + 1), f":{LONGEST + 1}: has {LONGEST + 1} lines"),
    (NAMED, "src/rhumbline/routing/utils.py", "", ":1: 'utils' says nothing"),
    (NAMED, "src/rhumbline/common/quote.py", "", ":1: 'common' says nothing"),
    (NOUN, "src/rhumbline/routing/quoting.py", "", ":1: 'quoting' is an activity"),
    *(
        (FINISHED, HERE, f"\nx = 1  # {mark}\n", f":2: '{mark}'")
        for mark in ("type: ignore", "noqa", "pragma: no cover", "TODO", "FIXME", "XXX", "NotImplementedError")
    ),
    (PURE, INSIDE, "import json\nimport aiohttp.web\n", ":2: imports aiohttp.web"),
    (PURE, INSIDE, "from pydantic import BaseModel\n", ":1: imports pydantic"),
    (PURE, INSIDE, "\n\nfrom urllib.parse import quote\n", ":3: imports urllib.parse"),
    (ONE_WAY_OUT, HERE, "import json\nimport aiohttp\n", ":2: imports aiohttp"),
    (ONE_WAY_OUT, HERE, "def f():\n    from aiohttp.abc import AbstractResolver\n", ":2: imports aiohttp.abc"),
    (SETTINGS, HERE, "import os\nHOME = os.environ['HOME']\n", ":2: reads .environ"),
    (SETTINGS, HERE, "import os\nHOME = os.getenv('HOME')\n", ":2: reads .getenv"),
    (TOLD, HERE, "def f(a):\n    raise ValueError(a)\n", ":1: f raises and says nothing of it"),
    (TOLD, HERE, "class A:\n    def f(self, a, b, *, c, d): ...\n", ":2: f has many parameters and says nothing of it"),
    *(
        (CONSTANT, HERE, f"\n{line}\n", ":2: SEEN can be changed by anybody")
        for line in ("SEEN = []", "SEEN = {}", "SEEN: set[int] = {1}", "SEEN = [x for x in (1,)]",
                     "SEEN = {x for x in (1,)}", "SEEN = {x: x for x in (1,)}")
    ),
    (CONSTANT, HERE, "def f():\n    global seen\n    seen = 1\n", ":2: global seen"),
    *(
        (OWN, "docs/new.md", f"# New\n{words}\n", f":2: '{words}'")
        for words in ("/" + "work/", "/" + "root/", ".." + "/shared", "registry" + ".npmjs", "files." + "pythonhosted",
                      "pypi" + ".org", "deb." + "debian.org")
    ),
    (OWN, "tests/adapters/a/test_b.py", "X = Path(__file__).parents" + "[4]\n", ":1: parents" + "[4] is outside"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "path", "text", "place"), PLANTED)
def test_what_is_forbidden_is_found(rule: Rule, path: str, text: str, place: str) -> None:
    """The message has the rule, the place as ``file:line``, and the remedy."""
    with pytest.raises(AssertionError) as raised:
        rule.hold([File("src/rhumbline/routing/sound.py", "X = (1,)\n"), File(path, text)])
    assert str(raised.value) == f"Rule: {rule.words}.\n  {path}{place}\nRemedy: {rule.remedy}."


ALLOWED = [
    (SHORT, HERE, "x = 1\n" * LONGEST),
    (OWN, "tests/adapters/a/test_b.py", "X = Path(__file__).parents" + "[3]\n"),
    (NOUN, "src/rhumbline/routing/ranking.py", ""),
    (SETTINGS, "src/rhumbline/app/settings.py", "import os\nHOME = os.environ['HOME']\n"),
    (CONSTANT, HERE, "__all__ = ['f']\nSEEN = (1,)\n\ndef f():\n    seen = []\n    return seen\n"),
    (TOLD, HERE, "def f(a, b, c):\n    def g():\n        return 1\n    return g\n"),
    (ONE_WAY_OUT, WEBSOCKET, "import aiohttp\n"),
    (ONE_WAY_OUT, "src/rhumbline/devnet/new.py", "import aiohttp\n"),
    (PURE, INSIDE, "import json\nfrom rhumbline.domain.token import Token\n"),
    (OWN, RULES, "/" + "root/"),
]


@pytest.mark.parametrize(("rule", "path", "text"), ALLOWED)
def test_what_is_allowed_is_not(rule: Rule, path: str, text: str) -> None:
    assert rule.broken([File(path, text)]) == []


def test_each_rule_was_broken_once() -> None:
    assert {rule.words for rule, *_ in PLANTED} == {rule.words for rule in FILE_RULES}
