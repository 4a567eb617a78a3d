"""What every request passes, one pure ASGI class each; ``server/application.py`` lists their order."""
