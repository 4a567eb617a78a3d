"""A request that the document has an example of."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Sample:
    """A request by its route; a ``body`` makes it a POST.

    ``path`` are the values of the route's parameters, ``variables`` what the reader's environment calls those that only
    the reader knows. With ``step_of`` the body's ``step`` is the first one that routes for that question have.
    """

    route: str
    query: Mapping[str, str | int] = field(default_factory=dict)
    body: Mapping[str, object] = field(default_factory=dict)
    path: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    step_of: Mapping[str, object] = field(default_factory=dict)
    with_key: bool = False

    @property
    def streams(self) -> bool:
        """Whether events are answered, and no JSON."""
        return self.route.endswith("/stream")

    def url(self, base_url: str, write_variable: Callable[[str], str]) -> str:
        """Return the address; ``write_variable`` says how a language reads a variable of the environment in a text."""

        def value(match: re.Match[str]) -> str:
            name = match[1]
            return self.path[name] if name in self.path else write_variable(self.variables[name])

        return base_url + re.sub(r"\{(\w+)\}", value, self.route)
