"""Text with escapes, so that nothing in it moves a cursor, changes the reading direction or ends a line."""


def escaped(text: str) -> str:
    r"""Write as escapes (``\x1b``, ``\u202e``) all that is not to be seen.

    That is what Unicode files as control, format, surrogate, private or unassigned, and every separator but the blank.
    Others stay, so that a name in any script can be read.
    """
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else _escaped(character) for character in text)


def _escaped(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
