"""What several tests of gateways need."""

from tests.redis_fixture import redis_server

__all__ = ["redis_server"]
