"""Made of clients/python/src/rhumbline_client/_async/__init__.py by clients/generate.py."""
