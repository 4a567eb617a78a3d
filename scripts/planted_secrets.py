"""Looks for secrets in the files that Git knows: keys of ours, of chains, and of the usual services.

    .venv/bin/python scripts/planted_secrets.py [FILE …]

Exit 1 if there is one that scripts/known_secrets.txt does not name. That file has one line for each known one: the
first sixteen digits of its SHA-256, and why it is no secret.
"""

import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

from rhumbline.gateways.svm.base58 import decode

ROOT = Path(__file__).resolve().parents[1]
KNOWN = ROOT / "scripts" / "known_secrets.txt"
# What is generated, or locked by its own tools.
_PASSED_OVER = re.compile(r"(\.lock|package-lock\.json|\.so|\.woff2|\.png|\.po|openapi\.json)$|/(artifacts|compiled)/")
_LARGEST = 1_000_000
RULES: Mapping[str, re.Pattern[str]] = {
    "a key in PEM": re.compile(r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----[\s\\n\"']+([A-Za-z0-9+/=\s]{40,})"),
    "an API key of this service": re.compile(r"\brl_(?:live|pub)_[0-9A-Za-z]{32}\b"),
    "a secret of webhooks": re.compile(r"\bwhsec_[A-Za-z0-9+/]{32,}={0,2}"),
    "a private key of an EVM wallet": re.compile(
        r"(?i)\b(?:private_?key|secret_?key|signer_?key|mnemonic_?key)\w*[\"']?\s*[:=]\s*[\"']?(?:0x)?([0-9a-f]{64})\b"
    ),
    "a secret key of Solana": re.compile(
        r"(?<![1-9A-HJ-NP-Za-km-z])[1-9A-HJ-NP-Za-km-z]{87,88}(?![1-9A-HJ-NP-Za-km-z])"
    ),
    "a secret key of Solana in numbers": re.compile(r"\[\s*(?:\d{1,3}\s*,\s*){63}\d{1,3}\s*\]"),
    "a key of AWS": re.compile(r"\bAKIA[0-9A-Z]{16}\b"),
    "a token of GitHub": re.compile(r"\bgh[pousr]_[0-9A-Za-z]{36,}\b|\bgithub_pat_[0-9A-Za-z_]{50,}"),
    "a token of npm": re.compile(r"\bnpm_[0-9A-Za-z]{36}\b"),
    "a token of PyPI": re.compile(r"\bpypi-AgEI[0-9A-Za-z_-]{50,}"),
    "a token of Slack": re.compile(r"\bxox[abprs]-[0-9A-Za-z-]{20,}"),
    "a key of Google": re.compile(r"\bAIza[0-9A-Za-z_-]{35}\b"),
    "a node with its key": re.compile(
        r"https://[a-z0-9.-]*(?:alchemy\.com/v2|infura\.io/v3|quiknode\.pro|helius-rpc\.com/\?api-key=)/?[0-9A-Za-z_-]{24,}"
    ),
    "a signed token": re.compile(r"\beyJ[0-9A-Za-z_-]{10,}\.eyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{20,}"),
}

_OF_SOLANA = frozenset({"a secret key of Solana", "a secret key of Solana in numbers"})
_KEYPAIR = 64


def files() -> list[Path]:
    """Return the files that Git knows, and new ones that it does not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    return [ROOT / name for name in listed.stdout.decode().split("\0") if name]


def secrets_in(text: str) -> list[tuple[int, str, str]]:
    """Return the line, the kind and the text of everything that looks like a secret."""
    return [
        (text.count("\n", 0, match.start()) + 1, kind, match.group())
        for kind, rule in RULES.items()
        for match in rule.finditer(text)
        if kind not in _OF_SOLANA or _is_keypair(match.group())
    ]


def _is_keypair(text: str) -> bool:
    """Return whether 64 bytes are a secret key, whose second half follows from the first; signatures look the same."""
    # Only here: nearly no commit has any.
    from solders.keypair import Keypair

    try:
        raw = bytes(map(int, text.strip("[]").split(","))) if text[0] == "[" else decode(text)
        return len(raw) == _KEYPAIR and bytes(Keypair.from_seed(raw[:32]).pubkey()) == raw[32:]
    except ValueError:
        return False


def mark(secret: str) -> str:
    """Return what scripts/known_secrets.txt has of a secret, which tells nothing about it."""
    return sha256(secret.strip().encode()).hexdigest()[:16]


def known() -> set[str]:
    """Return the marks of the known ones; raise ValueError for a line without a reason."""
    marks = set()
    for line in KNOWN.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            digits, _, reason = line.partition(" ")
            if not re.fullmatch(r"[0-9a-f]{16}", digits) or not reason.strip():
                raise ValueError(f"{KNOWN.name}: {line!r} is not sixteen digits and a reason")
            marks.add(digits)
    return marks


def found(paths: Iterable[Path], marks: set[str]) -> list[str]:
    """Say where there are secrets that are not known, without showing them."""
    told = []
    for path in paths:
        name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else str(path)
        if not path.is_file() or path.is_symlink() or _PASSED_OVER.search(name) or path.stat().st_size > _LARGEST:
            continue
        for line, kind, secret in secrets_in(path.read_text("utf-8", "ignore")):
            if mark(secret) not in marks:
                told.append(f"{name}:{line}: {kind} ({mark(secret)})")
    return told


def main() -> None:
    told = found([Path(name).resolve() for name in sys.argv[1:]] or files(), known())
    for each in told:
        print(each)
    if told:
        print("Take it out, and replace it where it is valid. What is no secret stands in scripts/known_secrets.txt.")
    sys.exit(1 if told else 0)


if __name__ == "__main__":
    main()
