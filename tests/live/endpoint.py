"""One path of an upstream: how what it answers is read, and what is recorded of it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from rhumbline.gateways.http.strict_json import Json, read_json
from rhumbline.gateways.upstreams.fields import Answer
from tests.live.shapes import read_of, shape_of

RECORDINGS = Path(__file__).parents[1] / "adapters"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Answers to ``method`` at a path; ``model`` reads them, ``recordings`` are files in ``folder``.

    ``inside`` is the name of the array whose elements count in place of the whole answer, ``sort`` the value of
    ``type`` that they must have. ``whole`` tells that the recordings are whole answers also then. ``within`` are models
    that read what ``model`` leaves as it is, by path. ``having`` and ``lacking`` are paths that an answer must, and
    must not, have to count.
    """

    folder: str
    method: str
    path: str
    model: type[Answer]
    recordings: tuple[str, ...] = ()
    inside: str | None = None
    sort: str | None = None
    whole: bool = True
    within: Mapping[str, type[Answer]] = field(default_factory=dict)
    having: str | None = None
    lacking: str | None = None

    def covers(self, method: str, path: str) -> bool:
        """Tell whether a call was to this endpoint."""
        return method == self.method and re.fullmatch(self.path, path) is not None

    def read(self) -> Mapping[str, bool]:
        """Return the paths that are read, each with whether it must be there."""
        found = dict(read_of(self.model))
        for path, model in self.within.items():
            found |= read_of(model, path)
        return found

    def reads(self, part: Json) -> bool:
        """Tell whether the model can read a part of an answer."""
        try:
            self.model.model_validate(part)
        except ValidationError:
            return False
        return True

    def parts(self, answer: Json) -> list[Json]:
        """Return what counts of an answer: of several, those that can be read, if there are any.

        The others are about chains and tokens of others; where one was ours, the adapter says so.
        """
        found = answer.get(self.inside) if self.inside is not None and isinstance(answer, dict) else answer
        listed = [each for each in (found if isinstance(found, list) else [found]) if self._counts(each)]
        ours = [each for each in listed if self.sort is None or (isinstance(each, dict) and each["type"] == self.sort)]
        return [each for each in ours if self.reads(each)] or ours

    def _counts(self, part: Json) -> bool:
        shape = shape_of([part])
        return (self.having is None or self.having in shape) and self.lacking not in shape

    def recorded(self) -> list[Json]:
        """Return what counts of our recordings."""
        documents = [
            read_json((RECORDINGS / self.folder / "recordings" / f"{name}.json").read_bytes())
            for name in self.recordings
        ]
        return [part for document in documents for part in (self.parts(document) if self.whole else [document])]
