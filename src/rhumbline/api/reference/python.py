"""Examples in Python, for the library ``requests``."""

import json
from collections.abc import Mapping

from rhumbline.api.reference.sample import Sample


def write(base_url: str, sample: Sample) -> str:
    url = sample.url(base_url, lambda name: f"{{os.environ['{name}']}}")
    lines = [f'{"f" if sample.variables else ""}"{url}",']
    if sample.query:
        lines.append(f"params={_written(sample.query)},")
    if sample.step_of:
        lines.append(f'json={{"step": step, "context": {_written(sample.body["context"])}}},')
    elif sample.body:
        lines.append(f"json={_written(sample.body)},")
    if sample.with_key:
        lines.append('headers={"x-api-key": os.environ["API_KEY"]},')
    lines.append("timeout=30,")
    verb = "post" if sample.body or sample.step_of else "get"
    before = "import os\n\nimport requests\n\n" if sample.with_key or sample.variables else "import requests\n\n"
    answer = "text" if sample.streams else "json()"
    return (
        f"{before}{_routes(base_url, sample)}response = requests.{verb}(\n    "
        + "\n".join(lines).replace("\n", "\n    ")
        + f"\n)\nresponse.raise_for_status()\nprint(response.{answer})"
    )


def _routes(base_url: str, sample: Sample) -> str:
    if not sample.step_of:
        return ""
    body = _written(sample.step_of).replace("\n", "\n    ")
    return (
        f'routes = requests.post(\n    "{base_url}/v1/advanced/routes",\n    json={body},\n    timeout=30,\n)\n'
        'routes.raise_for_status()\nstep = routes.json()["routes"][0]["steps"][0]\n\n'
    )


def _written(values: Mapping[str, object] | object) -> str:
    """Write texts and numbers, which Python spells as JSON does."""
    return json.dumps(values, indent=4)
