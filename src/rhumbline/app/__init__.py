"""Builds everything: settings, registry, wiring, commands. The only floor that knows concrete classes."""
