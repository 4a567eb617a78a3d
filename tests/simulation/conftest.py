from tests.routing.conftest import quotes

__all__ = ["quotes"]
