from tests.api.conftest import client, emptied, one_service

__all__ = ["client", "emptied", "one_service"]
