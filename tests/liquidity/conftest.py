from tests.adapters.onchain.conftest import adapter_fixture

__all__ = ["adapter_fixture"]
