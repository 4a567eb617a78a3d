from tests.routing.conftest import quotes, session

__all__ = ["quotes", "session"]
