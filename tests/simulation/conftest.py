from tests.routing.conftest import desk, session

__all__ = ["desk", "session"]
