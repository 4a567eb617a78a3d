"""A host of token lists, and a client to ask it with."""

from tests.catalog.conftest import host, http

__all__ = ["host", "http"]
