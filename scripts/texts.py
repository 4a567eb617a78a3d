"""Brings the catalogues of the pages' texts up to date with the templates and the code: `make texts`.

A new sentence is added without a translation, and one that is gone is removed. Tests name what is not translated.
"""

import io
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po
from jinja2.ext import babel_extract

SOURCES = Path(__file__).parents[1] / "src" / "rhumbline"
CATALOGUES = SOURCES / "api" / "pages" / "languages"
TEMPLATES = (SOURCES / "api" / "pages" / "templates", SOURCES / "api" / "portal" / "templates")
_MARKERS = (b"rhumbline.domain.sentence", b"pages.language", b"class Sentence")
_PYTHON = {"Sentence": None, "say": None, "counted": (1, 2)}
_JINJA = {"trimmed": "true", "trim_blocks": "true", "lstrip_blocks": "true"}
_HEADER = """\
# What the pages say. `make texts` keeps the English sentences in step with the templates and the code.
msgid ""
msgstr ""
"Language: {}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {}\\n"

"""


def extracted() -> Catalog:
    """Return every sentence that pages say, in English, with the files that have it."""
    catalogue = Catalog(fuzzy=False)
    for path, sentence in _sentences():
        catalogue.add(sentence, locations=[(path.relative_to(SOURCES).as_posix(), 0)])
    return catalogue


def _sentences() -> Iterator[tuple[Path, str | tuple[str, ...]]]:
    for folder in TEMPLATES:
        for path in sorted(folder.glob("*.html")):
            with path.open("rb") as file:
                for _, _, sentence, _ in babel_extract(file, ("_", "gettext", "ngettext"), (), _JINJA):
                    # The third of a plural is what is counted.
                    if sentence is not None:
                        yield path, sentence if isinstance(sentence, str) else (sentence[0] or "", sentence[1] or "")
    for path in sorted(SOURCES.rglob("*.py")):
        if any(marker in path.read_bytes() for marker in _MARKERS):
            with path.open("rb") as file:
                for _, sentence, _, _ in extract("python", file, _PYTHON):
                    # Of a call with a variable there is nothing to read.
                    if isinstance(sentence, str) or (sentence and None not in sentence):
                        yield path, sentence


def brought_up_to_date(known: Catalog, sentences: Catalog) -> Catalog:
    """Return a catalogue with these sentences and no others, translated where the known one has them."""
    catalogue = Catalog(known.locale, fuzzy=False)
    catalogue.mime_headers = [("Plural-Forms", known.plural_forms)]
    for message in sentences:
        before = known.get(message.id) if message.id else None
        if message.id:
            text = before.string if before else ""
            catalogue[message.id] = Message(message.id, text, locations=message.locations, flags=message.flags)
    return catalogue


def written(catalogue: Catalog) -> str:
    """Return a catalogue's text: each sentence on one line, so that it is found by its words."""
    text = io.BytesIO()
    write_po(text, catalogue, width=0, omit_header=True, include_lineno=False)
    return _HEADER.format(catalogue.locale, catalogue.plural_forms.rstrip(";")) + text.getvalue().decode()


def main() -> None:
    sentences = extracted()
    for path in sorted(CATALOGUES.glob("*.po")):
        with path.open("rb") as file:
            known = read_po(file, path.stem)
        path.write_text(written(brought_up_to_date(known, sentences)), "utf-8")


if __name__ == "__main__":
    main()
