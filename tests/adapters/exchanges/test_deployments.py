"""What is built in of the exchanges is well formed."""

from dataclasses import asdict

from rhumbline.gateways.evm.address import checksummed, is_address
from tests.adapters.exchanges.exchange import Exchange
from tests.adapters.exchanges.exchanges import each_exchange


@each_exchange
def test_addresses_are_checksummed_and_names_are_told_apart(exchange: Exchange) -> None:
    places = [asdict(place) for place in exchange.spec.deployments.values()]
    values = [value for place in places for value in place.values()]
    texts = [text for value in values for text in (value if isinstance(value, tuple | list) else [value])]
    addresses = [text for text in texts if isinstance(text, str) and is_address(text)]
    assert len(addresses) >= len(places)
    assert all(address == checksummed(address) for address in addresses)
    named = [place["chain_name"] for place in places if "chain_name" in place]
    assert len(set(named)) == len(named)
