"""The words everything above speaks: frozen dataclasses and pure functions over the standard library, no I/O."""
