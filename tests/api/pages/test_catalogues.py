"""Every sentence of the pages is there in every language, with the same holes and the same markup."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from jinja2 import Environment, nodes

from rhumbline.api.pages.language import CATALOGUES, LANGUAGES
from scripts.texts import SOURCES, TEMPLATES, brought_up_to_date, extracted, written

OTHERS = [tag for tag in LANGUAGES if tag != "en"]
HOLE = re.compile(r"%\(\w+\)[a-z]|%%")
TAG = re.compile(r"<[^>]*>")
LETTERS = re.compile(r"[A-Za-z]{2}")
SAID = ("title", "alt", "placeholder", "aria-label", "aria-description", "data-label", "data-done", "label")
"""Attributes that people read or hear."""
NOT_WORDS = re.compile(r'https://\S+|[a-z-]+="[^"]*"')
"""An address, and an attribute that a template gives to another one."""
NAMES = {"CSV", "JSON", "Solana", "UTC", "203.0.113.7, 203.0.113.0/24", "ONCHAIN ACROSS", "Inter, sans-serif",
         "Georgia, serif"}  # fmt: skip
"""What is the same in every language."""
PAGES = ("src/rhumbline/api/portal", "src/rhumbline/api/pages")
TEXTS = Path(__file__).parents[3] / "web" / "src" / "texts"


@cache
def catalogue(tag: str) -> Catalog:
    with (CATALOGUES / f"{tag}.po").open("rb") as file:
        return read_po(file, tag)


@cache
def sentences() -> Catalog:
    return extracted()


def texts(message: Message) -> Iterator[tuple[str, str]]:
    """Yield each translation with the English form that it stands for."""
    english = [message.id] if isinstance(message.id, str) else list(message.id)
    forms = [message.string] if isinstance(message.string, str) else list(message.string or ())
    # A language without plurals has one form for all numbers: that of several.
    for number, form in enumerate(forms):
        yield english[-1 if len(forms) == 1 else min(number, 1)], form or ""


def test_there_are_many() -> None:
    assert len([message for message in sentences() if message.id]) > 600


@pytest.mark.parametrize("tag", OTHERS)
def test_each_is_translated_and_none_is_left_of_what_is_gone(tag: str) -> None:
    known = {message.id: message for message in catalogue(tag) if message.id}
    wanted = {message.id for message in sentences() if message.id}
    assert wanted - {*known} == set(), "not translated: run `make texts`, then translate"
    assert {*known} - wanted == set(), "nobody says it any more: run `make texts`"
    assert [english for message in known.values() for english, told in texts(message) if not told] == []


@pytest.mark.parametrize("tag", OTHERS)
def test_holes_and_markup_are_those_of_english(tag: str) -> None:
    for message in catalogue(tag):
        for english, told in texts(message) if message.id else ():
            assert sorted(HOLE.findall(told)) == sorted(HOLE.findall(english)), told
            assert sorted(TAG.findall(told)) == sorted(TAG.findall(english)), told
            assert HOLE.sub("", told).count("%") == HOLE.sub("", english).count("%"), told


@pytest.mark.parametrize("tag", OTHERS)
def test_nothing_is_left_in_english(tag: str) -> None:
    alike = {
        english
        for message in catalogue(tag)
        for english, told in texts(message) if message.id
        if english == told and LETTERS.search(HOLE.sub("", TAG.sub("", english)))
    }  # fmt: skip
    # Words that a language shares with English.
    shared = {
        "de": {"Portal", "Integrator", "Layout", "Name", "Webhook", "Webhooks", "Status", "Node", "Tools", "Token",
               "Transfers", "Tracking", "Wallet", "Bridge", "Browser-Wallet", "%(requests)s in %(window)s"},
        "es": {"Portal", "Token", "Webhook", "Webhooks", "no", "Endpoint", "Error"},
        "fr": {"Site", "Token", "Webhook", "Webhooks", "Transactions", "Transaction", "Pages", "Bridge", "Endpoint",
               "Invitation", "%(count)s minute", "%(count)s minutes"},
        "ja": {"Webhook"},
        "zh": {"Webhook"},
    }  # fmt: skip
    assert alike <= shared[tag]


@pytest.mark.parametrize("tag", OTHERS)
def test_the_file_is_as_the_tool_writes_it(tag: str) -> None:
    text = (CATALOGUES / f"{tag}.po").read_text("utf-8")
    assert text == written(brought_up_to_date(catalogue(tag), sentences())), "run `make texts`"


def test_a_new_sentence_is_added_and_one_that_is_gone_is_removed() -> None:
    now = Catalog()
    now.add("Swap", locations=[("a.html", 0)])
    now.add("A new one", locations=[("a.html", 0)])
    found = {message.id: message.string for message in brought_up_to_date(catalogue("de"), now) if message.id}
    assert found == {"Swap": "Tauschen", "A new one": ""}


class Loose(HTMLParser):
    """Collects what people would read of a template's own text."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.within: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.within.append(tag)
        self.found += [value for name, value in attrs if name in SAID and value]

    def handle_endtag(self, tag: str) -> None:
        while self.within and self.within.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        # What stands in <code> is typed, not read; and of a page's own scripts there are none.
        if "code" not in self.within:
            self.found.append(data)


def loose_words(template: str) -> list[str]:
    """Return a template's English that is in no sentence: of its text, of attributes, and of its expressions."""
    environment = Environment(extensions=["jinja2.ext.i18n"], autoescape=True)
    tree = environment.parse(template)
    html = "".join(
        part.data if isinstance(part, nodes.TemplateData) else "{}" for out in tree.find_all(nodes.Output)
        for part in out.nodes
    )  # fmt: skip
    parser = Loose()
    parser.feed(html)
    shown = [text for out in tree.find_all(nodes.Output) for part in out.nodes for text in constants(part)]
    found = (each.strip(" {}\n·:.,…") for each in (*parser.found, *shown))
    return [each for each in found if LETTERS.search(each) and each not in NAMES and not NOT_WORDS.fullmatch(each)]


def constants(node: nodes.Node) -> Iterator[str]:
    """Yield the texts that an expression may show, but for sentences and for what is only compared."""
    if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) and node.node.name in SAYING:
        return
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        # An address, a class or an attribute's value.
        if " " in node.value or node.value[:1].isupper():
            yield node.value
    elif isinstance(node, nodes.CondExpr):
        for each in (node.expr1, node.expr2):
            yield from constants(each) if each is not None else ()
    elif not isinstance(node, nodes.Compare | nodes.Getitem):
        for child in node.iter_child_nodes():
            yield from constants(child)


SAYING = ("_", "gettext", "ngettext")


@pytest.mark.parametrize(
    "template", [path for folder in TEMPLATES for path in sorted(folder.glob("*.html"))], ids=lambda path: path.name
)
def test_a_template_has_no_loose_english(template: Path) -> None:
    assert loose_words(template.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("template", "found"),
    [
        ("<p>{{ _('Fine') }} {% trans a=b %}fine {{ a }}{% endtrans %} <code>curl</code> JSON · …</p>", []),
        ("<p>Loose</p>", ["Loose"]),
        ("{% if x %}<p title='Too loose'>{{ x }}</p>{% endif %}", ["Too loose"]),
        ("<td data-label=\"{{ _('Fine') }}\" class='whole'>{{ 'Loose too' if x == 'a b' else _('Fine') }}</td>",
         ["Loose too"]),
        ("{% macro a(x, y='') %}<b aria-label='{{ y }}'>{{ x ~ ' with blanks' }}</b>{% endmacro %}", ["with blanks"]),
        ("{% for a, b in ((1, _('Fine')), (2, _('Fine'))) %}<a href='/x/{{ a }}'>{{ b }}</a>{% endfor %}", []),
    ],
)  # fmt: skip
def test_loose_english_is_found(template: str, found: list[str]) -> None:
    assert loose_words(template) == found


REFUSALS = {"Refused": (1, 2), "NotFound": (0,), "InvalidRequest": (0,)}


def loose_refusals(source: str) -> list[str]:
    """Return what a module refuses in a text that is no sentence, so that no page can say it in another language."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in REFUSALS:
            for place in REFUSALS[node.func.id]:
                argument = node.args[place] if place < len(node.args) else None
                given = argument.elts if isinstance(argument, ast.List) else [argument]
                found += [ast.unparse(each) for each in given if isinstance(each, ast.Constant | ast.JoinedStr)]
    return found


def test_what_pages_refuse_is_a_sentence() -> None:
    folders = (*PAGES, "src/rhumbline/tracking/webhooks")
    root = SOURCES.parents[1]
    others = ("members", "invitations", "key_changes", "key_terms", "service")
    files = [path for folder in folders for path in (root / folder).rglob("*.py")]
    files += [SOURCES / "accounts" / f"{name}.py" for name in others]
    # A name, a file or a logo that does not exist is refused in the API's form.
    files = [path for path in files if path.name not in {"ens_names.py", "assets.py", "logos.py"}]
    loose = {path.name: loose_refusals(path.read_text("utf-8")) for path in files}
    found = {name: each for name, each in loose.items() if each}
    # What the pages' own forms cannot bring about: only the API and the command line do.
    elsewhere = ("there is no integrator named", "must be from", "must be between", "integrator: {name} is taken")
    assert [each for one in found.values() for each in one if not any(words in each for words in elsewhere)] == []


def test_a_loose_refusal_is_found() -> None:
    assert loose_refusals("raise Refused(400, Sentence('a'), f'b {c}')") == ["f'b {c}'"]
    assert loose_refusals("raise InvalidRequest([Sentence('a', b=1), 'c'])") == ["'c'"]
    assert loose_refusals("raise NotFound(Sentence('a'))") == []


@pytest.mark.parametrize("tag", OTHERS)
def test_the_swap_box_says_the_same_in_the_same_words(tag: str) -> None:
    """Where a page and the box have one English sentence, they have one in every language."""
    constant = re.compile(r'^export const (\w+) =\s+"([^"]+)";$', re.MULTILINE)
    entry = re.compile(r'^  (\w+):\s+"([^"]+)",$', re.MULTILINE)
    english = dict(pair for path in (TEXTS / "en").glob("*.ts") for pair in constant.findall(path.read_text("utf-8")))
    other = dict(pair for path in (TEXTS / tag).glob("*.ts") for pair in entry.findall(path.read_text("utf-8")))
    known = {message.id: message.string for message in catalogue(tag) if isinstance(message.id, str)}
    shared = {name for name, text in english.items() if text in known and name in other}
    assert len(shared) > 10
    assert {other[name] for name in shared if known[english[name]] != other[name]} == set()
