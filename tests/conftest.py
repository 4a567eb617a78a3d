pytest_plugins = ["tests.sandbox_fixture"]
