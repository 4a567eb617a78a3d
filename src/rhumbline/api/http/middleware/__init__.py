"""What surrounds every request, one pure ASGI class each; ``server/application.py`` lists their order."""
