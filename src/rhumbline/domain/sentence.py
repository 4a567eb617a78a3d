"""A sentence for people that remembers how it was made, so that a page can say it in another language."""

from collections.abc import Iterable, Mapping
from functools import reduce
from types import MappingProxyType


class Sentence(str):
    """An English text; ``form`` is the text with its holes as ``%(name)s``, and ``holes`` is what fills them.

    It is the English text wherever a string is expected: in the API's errors, in logs, in a shell. Beside holes, a form
    has each ``%`` twice.
    """

    __slots__ = ("form", "holes", "several")

    form: str
    several: str | None
    """The form for other numbers than one of the hole ``count``; None where nothing is counted."""
    holes: Mapping[str, object]

    def __new__(cls, form: str, /, **holes: object) -> "Sentence":
        return cls._made(form, None, holes)

    @classmethod
    def counted(cls, one: str, several: str, /, count: int, **holes: object) -> "Sentence":
        """Return a sentence with the hole ``count``, in the form for one or for several."""
        return cls._made(one, several, {"count": count, **holes})

    @classmethod
    def _made(cls, form: str, several: str | None, holes: Mapping[str, object]) -> "Sentence":
        chosen = form if several is None or holes["count"] == 1 else several
        made = super().__new__(cls, chosen % holes if holes else chosen)
        made.form, made.several, made.holes = form, several, MappingProxyType(dict(holes))
        return made


def joined(sentences: Iterable[str]) -> str:
    """Return several sentences as one, which remembers each."""
    return reduce(lambda first, second: Sentence("%(first)s; %(second)s", first=first, second=second), sentences)
