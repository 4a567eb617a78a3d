"""What a step's action says of what is wanted on arrival; left out where nothing is. Beyond the contract."""

from typing import Annotated, Any

from pydantic import MISSING, Field, JsonValue

from rhumbline.api.wire.arrival_request import AUTO, CALL_SCHEMA, call_of
from rhumbline.api.wire.shape import Wire
from rhumbline.domain.route import RouteRequest


class WantedOnArrival(Wire):
    """Native of the destination, and a call with what arrives; send them back with the step."""

    destination_gas: (
        Annotated[str, Field(description="Native token that the receiver gets, in smallest units.")] | MISSING
    ) = MISSING
    destination_call: (
        Annotated[
            dict[str, JsonValue],
            Field(json_schema_extra=dict(CALL_SCHEMA), description="The call with what arrives."),
        ]
        | MISSING
    ) = MISSING


def wanted_fields(request: RouteRequest) -> dict[str, Any]:
    gas = AUTO if request.auto_destination_gas else str(request.destination_gas or "")
    return {"destination_gas": gas or MISSING, "destination_call": call_of(request)}
