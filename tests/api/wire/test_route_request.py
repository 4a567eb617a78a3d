"""What a step is asked for with again."""

from tests.api.api_service import ApiService
from tests.api.conftest import Client
from tests.api.v1.test_routes import BODY, ROUTES, posted


async def test_a_steps_own_request_is_a_quote(client: Client, api_service: ApiService) -> None:
    answer = await posted(client, ROUTES, BODY)
    request = answer.json["routes"][0]["steps"][0]["execution"]["quoteRequest"]
    query = {name: str(value) for name, value in request.items()}
    assert (await client.ask("/v1/quotes", query)).status == 200
