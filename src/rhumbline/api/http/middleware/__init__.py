"""The middleware, one ASGI class each; ``server/application.py`` has the order."""
