pytest_plugins = ["tests.sandbox_fixture", "tests.postgres_fixture", "tests.shares"]
