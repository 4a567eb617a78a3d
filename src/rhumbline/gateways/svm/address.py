"""Solana addresses: base58 of 32 bytes, of key pairs or derived by programs."""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256

from solders.pubkey import Pubkey

from rhumbline.gateways.svm.programs import ASSOCIATED

_MOST_SEEDS = 15
_LONGEST_SEED = 32
_KEPT = 512
"""How many are cached in each form: mints, pools, tables and a wallet's own recur in quotes."""


def is_address(text: str) -> bool:
    try:
        Pubkey.from_string(text)
    except ValueError:
        return False
    return True


def read_address(value: object) -> str:
    """Parse an address in an answer; raise ValueError for an invalid one."""
    if not isinstance(value, str) or not is_address(value):
        raise ValueError("must be a Solana address")
    return value


@lru_cache(maxsize=_KEPT)
def decode_address(text: str) -> bytes:
    """Return the 32 bytes of an address; ValueError when it is none."""
    return bytes(Pubkey.from_string(text))


@lru_cache(maxsize=_KEPT)
def encode_address(raw: bytes) -> str:
    """Write 32 bytes, an address or a digest, in base58; ValueError for another number of bytes."""
    if len(raw) != 32:
        raise ValueError("an address has 32 bytes")
    return str(Pubkey.from_bytes(raw))


def is_on_curve(text: str) -> bool:
    """Return whether an address can be a key pair's; one off the curve is a program's own, and never signs.

    Raise ValueError for an invalid address.
    """
    return Pubkey.from_string(text).is_on_curve()


def program_address(seeds: Sequence[bytes], program: str) -> str:
    """Return the address that a program owns for some seeds, the first off the curve counting down from bump 255.

    ValueError for more than 15 seeds (the bump is the sixteenth), or one of more than 32 bytes.
    Source: solana.com/docs/core/pda, read 2026-11-22.
    """
    if len(seeds) > _MOST_SEEDS or any(len(seed) > _LONGEST_SEED for seed in seeds):
        # For other arguments the library panics, which no `except Exception` catches.
        raise ValueError("at most 15 seeds of 32 bytes make an address")
    return str(Pubkey.find_program_address(seeds, Pubkey.from_string(program))[0])


@lru_cache(maxsize=_KEPT)
def associated_token_address(owner: str, mint: str, token_program: str) -> str:
    """Return where an owner's tokens of a mint lie by convention; the mint's token program is part of it.

    Source: github.com/solana-program/associated-token-account, interface/src/address.rs, read 2026-11-22.
    """
    # A quote asks some forty times about the same few, and to search the bump takes 36 µs.
    seeds = [decode_address(owner), decode_address(token_program), decode_address(mint)]
    return program_address(seeds, ASSOCIATED)


@lru_cache(maxsize=_KEPT)
def event_authority(program: str) -> str:
    """Return the address by which a program made with Anchor signs its own events (anchor-lang, ``event_cpi``)."""
    return program_address([b"__event_authority"], program)


def anchor_name(kind: str, name: str) -> bytes:
    """Return the eight bytes by which Anchor names an instruction (``global``), an ``event`` or an ``account``."""
    return sha256(f"{kind}:{name}".encode()).digest()[:8]
