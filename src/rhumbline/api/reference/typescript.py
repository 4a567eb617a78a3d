"""Examples in TypeScript, for any runtime with ``fetch``."""

import json

from rhumbline.api.reference.sample import Sample

_CHECKED = "if (!response.ok) throw new Error(await response.text());"


def write(base_url: str, sample: Sample) -> str:
    quote = "`" if sample.variables else '"'
    url = f"{quote}{sample.url(base_url, lambda name: f'${{process.env.{name}}}')}{quote}"
    begin, options = _routes(base_url, sample), []
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


def _routes(base_url: str, sample: Sample) -> str:
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


def _written(value: object) -> str:
    return json.dumps(value, indent=2)
