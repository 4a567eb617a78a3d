"""``rhumbline signing-key``: makes a key by which answers are signed."""

import secrets
from pathlib import Path
from typing import Annotated

import typer

from rhumbline.api.http.message_signatures import base64url, public_jwk
from rhumbline.app.console import Json, show_table
from rhumbline.app.first_settings import keep
from rhumbline.gateways.ed25519 import SEED_BYTES, SigningKey


def signing_key(
    file: Annotated[Path, typer.Option(help="The file that gets the private key; it must not be there yet.")],
    as_json: Json = False,
) -> None:
    """Make a key pair for signed answers: the private key goes to a file, the public one is shown."""
    seed = secrets.token_bytes(SEED_BYTES)
    keep(file, base64url(seed) + "\n")
    key = public_jwk(SigningKey(seed).public)
    show_table([("key_file", str(file.absolute())), ("kid", key["kid"]), ("x", key["x"])], as_json=as_json)
