"""A host of token lists."""

from tests.catalog.conftest import host

__all__ = ["host"]
