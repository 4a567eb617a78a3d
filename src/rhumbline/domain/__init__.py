"""The types that all floors share: frozen dataclasses and pure functions over the standard library, without I/O."""
