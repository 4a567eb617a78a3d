"""A request that the document has an example of, and how it is written in curl, Python and TypeScript."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

_NEXT = " \\\n  "
_JSON = "-H 'content-type: application/json'"
_CHECKED = "if (!response.ok) throw new Error(await response.text());"


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


def in_curl(base_url: str, sample: Sample) -> str:
    if sample.step_of:
        return _step_in_curl(base_url, sample)
    options = ['-H "x-api-key: $API_KEY"'] if sample.with_key else []
    options += [f"--data-urlencode '{name}={value}'" for name, value in sample.query.items()]
    if sample.body:
        indented = _written(sample.body).replace("\n", "\n  ")
        options += [_JSON, f"-d '{indented}'"]
    command = "curl --no-buffer --get" if sample.streams else "curl --get" if sample.query else "curl"
    return _NEXT.join([f'{command} "{sample.url(base_url, lambda name: f"${name}")}"', *options])


def _step_in_curl(base_url: str, sample: Sample) -> str:
    """Write the request of a step: the shell cannot read JSON, so the reader hands the step in."""
    context = json.dumps(sample.body["context"]).replace('"', '\\"')
    body = f'{{\\"step\\": $STEP, \\"context\\": {context}}}'
    lines = _NEXT.join([f'curl "{base_url}{sample.route}"', _JSON, f'-d "{body}"'])
    return f"# STEP is one of a route's steps, as POST /v1/advanced/routes has answered it\n{lines}"


def in_python(base_url: str, sample: Sample) -> str:
    """Write it for the library ``requests``."""
    url = sample.url(base_url, lambda name: f"{{os.environ['{name}']}}")
    lines = [f'{"f" if sample.variables else ""}"{url}",']
    if sample.query:
        lines.append(f"params={_written(sample.query, 4)},")
    if sample.step_of:
        lines.append(f'json={{"step": step, "context": {_written(sample.body["context"], 4)}}},')
    elif sample.body:
        lines.append(f"json={_written(sample.body, 4)},")
    if sample.with_key:
        lines.append('headers={"x-api-key": os.environ["API_KEY"]},')
    lines.append("timeout=30,")
    verb = "post" if sample.body or sample.step_of else "get"
    before = "import os\n\nimport requests\n\n" if sample.with_key or sample.variables else "import requests\n\n"
    answer = "text" if sample.streams else "json()"
    return (
        f"{before}{_routes_in_python(base_url, sample)}response = requests.{verb}(\n    "
        + "\n".join(lines).replace("\n", "\n    ")
        + f"\n)\nresponse.raise_for_status()\nprint(response.{answer})"
    )


def _routes_in_python(base_url: str, sample: Sample) -> str:
    if not sample.step_of:
        return ""
    body = _written(sample.step_of, 4).replace("\n", "\n    ")
    return (
        f'routes = requests.post(\n    "{base_url}/v1/advanced/routes",\n    json={body},\n    timeout=30,\n)\n'
        'routes.raise_for_status()\nstep = routes.json()["routes"][0]["steps"][0]\n\n'
    )


def in_typescript(base_url: str, sample: Sample) -> str:
    """Write it for any runtime with ``fetch``."""
    quote = "`" if sample.variables else '"'
    url = f"{quote}{sample.url(base_url, lambda name: f'${{process.env.{name}}}')}{quote}"
    begin, options = _routes_in_typescript(base_url, sample), []
    if sample.query:
        texts = {name: str(value) for name, value in sample.query.items()}
        begin += f"const query = new URLSearchParams({_written(texts)});\n"
        url = f"`{url[1:-1]}?${{query}}`"
    if sample.with_key:
        options.append('headers: { "x-api-key": process.env.API_KEY ?? "" },')
    if sample.body:
        context = sample.body.get("context")
        body = f"{{ step, context: {_written(context)} }}" if sample.step_of else _written(sample.body)
        options += _posted(body)
    answer = "text()" if sample.streams else "json()"
    fetched = f"const response = await fetch({_arguments(url, options)});"
    return f"{begin}{fetched}\n{_CHECKED}\nconsole.log(await response.{answer});"


def _routes_in_typescript(base_url: str, sample: Sample) -> str:
    if not sample.step_of:
        return ""
    call = _arguments(f'"{base_url}/v1/advanced/routes"', _posted(_written(sample.step_of)))
    return (
        f"const planned = await fetch({call});\nif (!planned.ok) throw new Error(await planned.text());\n"
        "const [step] = JSON.parse(await planned.text()).routes[0].steps;\n\n"
    )


def _posted(body: str) -> list[str]:
    return ['method: "POST",', 'headers: { "content-type": "application/json" },', f"body: JSON.stringify({body}),"]


def _arguments(url: str, options: list[str]) -> str:
    if not options:
        return url
    return f"{url}, {{\n  " + "\n".join(options).replace("\n", "\n  ") + "\n}"


def _written(value: object, indent: int = 2) -> str:
    """Write JSON, which is how Python and TypeScript spell texts and numbers as well."""
    return json.dumps(value, indent=indent)
