from tests.adapters.exchanges.fixtures import adapter_fixture, stub_upstream

__all__ = ["adapter_fixture", "stub_upstream"]
