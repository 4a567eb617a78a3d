"""What the libraries of `scripts/deploy_linters` say of deploy/; run by the Python there, which has them.

Reads from standard input a JSON: `chart`, a folder; `cases`, values by name; `queries` by their place; `files`, the
name of check-jsonschema's vendored schema by path. Helm itself lints and renders the chart, Kubernetes' own schemas
judge its manifests, Prometheus' grammar the queries. Writes a JSON: `faults`, each with its place first, and
`manifests` by case.
"""

import json
import sys
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import check_jsonschema.builtin_schemas
import jsonschema
import kubernetes_validate
import promql_parser
import yaml
from helm_python import HelmError
from helm_python.chart import Chart, lint

INFORMATION = 1
"""The severity of what Helm only remarks."""
VERSIONS = ("1.30", "1.37")
"""Of Kubernetes: the oldest that Chart.yaml allows, and the newest with schemas."""


def rendered(chart: Any, values: object) -> list[dict[str, Any]]:
    """The manifests; raise HelmError."""
    texts = chart.render(values, name="release", namespace="space")
    pages = [text for name, text in texts.items() if name.endswith(".yaml")]
    return [document for text in pages for document in yaml.safe_load_all(text) if document]


def faults_of_case(folder: str, values: object, documents: list[dict[str, Any]]) -> Iterator[str]:
    for said in lint(folder, values, strict=True)["messages"]:
        if said["severity"] > INFORMATION:
            yield f"{said['path']}: {said['error']}"
    for document in documents:
        for version in VERSIONS:
            try:
                kubernetes_validate.validate(document, version, strict=True)
            except kubernetes_validate.ValidationError as error:
                yield f"{document['kind']} by {version}: {error.message}"


def faults_of_file(path: str, schema: str) -> Iterator[str]:
    text = (files(check_jsonschema.builtin_schemas) / "vendor" / f"{schema}.json").read_text("utf-8")
    rules = json.loads(text)
    with open(path, encoding="utf-8") as file:
        # As in YAML 1.2, `on` is a word.
        document = {"on" if key is True else key: value for key, value in yaml.safe_load(file).items()}
    for error in jsonschema.validators.validator_for(rules)(rules).iter_errors(document):
        yield f"{error.json_path}: {error.message}"


def main() -> None:
    asked = json.load(sys.stdin)
    folder, faults, manifests = asked["chart"], [], {}
    chart = Chart.load(folder)
    for case, values in asked["cases"].items():
        try:
            manifests[case] = rendered(chart, values)
        except HelmError as error:
            faults.append(f"{case}: {error}")
            continue
        faults += [f"{case}: {fault}" for fault in faults_of_case(folder, values, manifests[case])]
    for path, schema in asked["files"].items():
        faults += [f"{path}: {fault}" for fault in faults_of_file(path, schema)]
    for place, query in asked["queries"].items():
        try:
            promql_parser.parse(query.replace("$__rate_interval", "5m"))
        except ValueError as error:
            faults.append(f"{place}: {error}")
    json.dump({"faults": faults, "manifests": manifests}, sys.stdout)


if __name__ == "__main__":
    main()
