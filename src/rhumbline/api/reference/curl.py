"""Examples for a shell."""

import json
from collections.abc import Mapping

from rhumbline.api.reference.sample import Sample

_NEXT = " \\\n  "
_JSON = "-H 'content-type: application/json'"


def write(base_url: str, sample: Sample) -> str:
    if sample.step_of:
        return _step(base_url, sample)
    options = ['-H "x-api-key: $API_KEY"'] if sample.with_key else []
    options += [f"--data-urlencode '{name}={value}'" for name, value in sample.query.items()]
    if sample.body:
        options += [_JSON, f"-d '{_indented(sample.body)}'"]
    command = "curl --no-buffer --get" if sample.streams else "curl --get" if sample.query else "curl"
    return _NEXT.join([f'{command} "{sample.url(base_url, lambda name: f"${name}")}"', *options])


def _step(base_url: str, sample: Sample) -> str:
    """Write the request of a step: the shell cannot read JSON, so the reader hands the step in."""
    context = json.dumps(sample.body["context"]).replace('"', '\\"')
    body = f'{{\\"step\\": $STEP, \\"context\\": {context}}}'
    lines = _NEXT.join([f'curl "{base_url}{sample.route}"', _JSON, f'-d "{body}"'])
    return f"# STEP is one of a route's steps, as POST /v1/advanced/routes has answered it\n{lines}"


def _indented(body: Mapping[str, object]) -> str:
    return json.dumps(body, indent=2).replace("\n", "\n  ")
