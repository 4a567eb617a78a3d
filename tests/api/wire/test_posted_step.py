"""A posted step is described as it is read."""

from typing import Any

from jsonschema import Draft202012Validator

from tests.api.conftest import Client
from tests.api.reference.test_document import paths_of, validator
from tests.api.v1.test_routes import BODY, FOREIGN, ROUTES, STEP, posted
from tests.api.v1.test_step_transaction import altered


async def test_of_a_posted_step_no_more_is_demanded_than_the_service_reads(
    client: Client, document: dict[str, Any]
) -> None:
    schema = document["paths"]["/v1/advanced/stepTransaction"]["post"]["requestBody"]["content"]["application/json"]
    check = validator(document, {**schema["schema"], "additionalProperties": True})
    check.validate(FOREIGN)
    answered = (await posted(client, ROUTES, BODY)).json["routes"][0]["steps"][0]
    open_to_more = Draft202012Validator({**schema["schema"], "components": document["components"]})
    open_to_more.validate({"step": answered, "context": FOREIGN["context"]})
    needed = [f"step.{path}" for path in paths_of(document["components"]["schemas"]["PostedStep"])]
    needed += ["context.senderAddress", "context.receiverAddress"]
    assert len(needed) == 21
    for path in needed:
        without = altered(path, ...)
        assert list(check.iter_errors(without)), path
        assert (await posted(client, STEP, without)).status == 400, path
