from hypothesis import settings

pytest_plugins = ["tests.sandbox_fixture", "tests.postgres_fixture", "tests.shares"]

# How long an example takes says something about the machine alone.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")
