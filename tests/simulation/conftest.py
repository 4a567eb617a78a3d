from tests.routing.conftest import http, quotes

__all__ = ["http", "quotes"]
