"""A request that the document has an example of, and how it is written in curl, Python and TypeScript."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

_NEXT = " \\\n  "
_JSON = "-H 'content-type: application/json'"
_CHECKED = "if (!response.ok) throw new Error(await response.text());"
_KEY_IN_TYPESCRIPT = '"x-api-key": process.env.API_KEY ?? ""'
_READ_IN_PYTHON = """ as response:
    response.raise_for_status()
    for line in response.iter_lines(decode_unicode=True):
        print(line, flush=True)"""
_READ_IN_TYPESCRIPT = """if (!response.ok || !response.body) throw new Error(await response.text());
const reader = response.body.getReader();
const decoder = new TextDecoder();
for (let part = await reader.read(); !part.done; part = await reader.read()) {
  console.log(decoder.decode(part.value, { stream: true }));
}"""


@dataclass(frozen=True, slots=True)
class Sample:
    """A request by its route; a ``body``, also an empty one, makes it a POST.

    ``path`` are the values of the route's parameters, ``variables`` the names in the reader's environment of values
    that only the reader knows. With ``step_of`` the body's ``step`` is the first one of the routes for that request.
    """

    route: str
    query: Mapping[str, str | int] = field(default_factory=dict)
    body: Mapping[str, object] | None = None
    path: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    step_of: Mapping[str, object] = field(default_factory=dict)
    with_key: bool = False

    @property
    def method(self) -> str:
        return "get" if self.body is None else "post"

    @property
    def streams(self) -> bool:
        """Whether events are answered, which are read as they come, and no JSON."""
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
    if sample.body is not None:
        indented = _written(sample.body).replace("\n", "\n  ")
        options += [_JSON, f"-d '{indented}'"]
    command = f"curl{' --no-buffer' if sample.streams else ''}{' --get' if sample.query else ''}"
    return _NEXT.join([f'{command} "{sample.url(base_url, lambda name: f"${name}")}"', *options])


def _step_in_curl(base_url: str, sample: Sample) -> str:
    """Write the request of a step: the shell cannot read JSON, so the reader hands the step in."""
    context = json.dumps(_context(sample)).replace('"', '\\"')
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
        lines.append(f'json={{"step": step, "context": {_written(_context(sample), 4)}}},')
    elif sample.body is not None:
        lines.append(f"json={_written(sample.body, 4)},")
    if sample.with_key:
        lines.append('headers={"x-api-key": os.environ["API_KEY"]},')
    lines += ["stream=True,", "timeout=30,"] if sample.streams else ["timeout=30,"]
    before = "import os\n\nimport requests\n\n" if sample.with_key or sample.variables else "import requests\n\n"
    arguments = "\n".join(lines).replace("\n", "\n    ")
    call = f"requests.{sample.method}(\n    {arguments}\n)"
    if sample.streams:
        return f"{before}with {call}{_READ_IN_PYTHON}"
    begin = f"{before}{_routes_in_python(base_url, sample)}response = {call}"
    return f"{begin}\nresponse.raise_for_status()\nprint(response.json())"


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
    if sample.body is not None:
        body = f"{{ step, context: {_written(_context(sample))} }}" if sample.step_of else _written(sample.body)
        options += _posted(body, with_key=sample.with_key)
    elif sample.with_key:
        options.append(f"headers: {{ {_KEY_IN_TYPESCRIPT} }},")
    fetched = f"{begin}const response = await fetch({_arguments(url, options)});"
    if sample.streams:
        return f"{fetched}\n{_READ_IN_TYPESCRIPT}"
    return f"{fetched}\n{_CHECKED}\nconsole.log(await response.json());"


def _routes_in_typescript(base_url: str, sample: Sample) -> str:
    if not sample.step_of:
        return ""
    call = _arguments(f'"{base_url}/v1/advanced/routes"', _posted(_written(sample.step_of)))
    return (
        f"const planned = await fetch({call});\nif (!planned.ok) throw new Error(await planned.text());\n"
        "const [step] = JSON.parse(await planned.text()).routes[0].steps;\n\n"
    )


def _posted(body: str, *, with_key: bool = False) -> list[str]:
    key = f", {_KEY_IN_TYPESCRIPT}" if with_key else ""
    headers = f'headers: {{ "content-type": "application/json"{key} }},'
    return ['method: "POST",', headers, f"body: JSON.stringify({body}),"]


def _context(sample: Sample) -> object:
    return None if sample.body is None else sample.body.get("context")


def _arguments(url: str, options: list[str]) -> str:
    if not options:
        return url
    return f"{url}, {{\n  " + "\n".join(options).replace("\n", "\n  ") + "\n}"


def _written(value: object, indent: int = 2) -> str:
    """Write JSON, which is how Python and TypeScript spell texts and numbers as well."""
    return json.dumps(value, indent=indent)
