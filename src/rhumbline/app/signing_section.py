"""The settings of signed answers, and the signer that they make."""

import base64
import binascii
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, SecretStr, model_validator

from rhumbline.api.http.message_signatures import AnswerSigner
from rhumbline.app.sections import Section
from rhumbline.gateways.ed25519 import PUBLIC_BYTES, SEED_BYTES, SigningKey

_REMEDY = "make one with `rhumbline signing-key`"
_LONGEST_FILE = 4096


def _decoded(text: str, size: int, what: str) -> bytes:
    """Read base64url of ``size`` bytes; raise ValueError, without the text, for anything else."""
    padded = text.strip() + "=" * (-len(text.strip()) % 4)
    try:
        found = base64.b64decode(padded.replace("-", "+").replace("_", "/"), validate=True)
    except (binascii.Error, ValueError):
        found = b""
    if len(found) != size:
        raise ValueError(f"must be {what}: {size} bytes in base64url; {_REMEDY}")
    return found


def _public_key(text: str) -> str:
    _decoded(text, PUBLIC_BYTES, "an Ed25519 public key, the x of its JWK")
    return text


class SigningSettings(Section):
    """The Ed25519 key by which answers are signed, as it is or in a file; without one nothing is signed.

    ``published`` are public keys besides its own: the coming key before it is used, the former one for a while after.
    """

    key: SecretStr | None = None
    key_file: Path | None = None
    published: tuple[Annotated[str, AfterValidator(_public_key)], ...] = ()

    @model_validator(mode="after")
    def _readable(self) -> "SigningSettings":
        if self.key is not None and self.key_file is not None:
            raise ValueError("key and key_file are both set: keep one")
        if self.published and self.key is None and self.key_file is None:
            raise ValueError("published is set and neither key nor key_file is: set one")
        self.signer()
        return self

    def signer(self) -> AnswerSigner | None:
        """Return the signer; None without a key. Raise ValueError for a key or file that cannot be used."""
        text = self._text()
        if text is None:
            return None
        name = "key" if self.key is not None else "key_file"
        seed = _decoded(text, SEED_BYTES, f"an Ed25519 private key ({name})")
        others = tuple(_decoded(each, PUBLIC_BYTES, "an Ed25519 public key") for each in self.published)
        return AnswerSigner(SigningKey(seed), others)

    def _text(self) -> str | None:
        if self.key is not None:
            return self.key.get_secret_value()
        if self.key_file is None:
            return None
        try:
            with self.key_file.open("rb") as file:
                return file.read(_LONGEST_FILE).decode("latin-1")
        except OSError as error:
            raise ValueError(f"key_file {self.key_file}: cannot be read ({error.strerror}); {_REMEDY}") from None
