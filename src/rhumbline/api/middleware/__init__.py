"""What surrounds every request, one pure ASGI class each; ``server.py`` lists their order."""
