"""Explained answers in files: written, and recomputed (``rhumbline quote --explain``)."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rhumbline.app.console import show_table
from rhumbline.app.run import CommandFailed, run
from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.http.strict_json import read_json
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.liquidity.explanation_check import check
from rhumbline.liquidity.explanation_reads import compare

LARGEST_BYTES = 64 * 1024 * 1024
_TIMEOUT_S = 60.0


def save_explanation(file: Path, answers: Sequence[dict[str, Any]]) -> None:
    """Move the explanation from the answers to a new file; raise CommandFailed if there is none or writing fails."""
    found = [explanation for answer in answers if (explanation := answer.pop("explanation", None)) is not None]
    if not found:
        raise CommandFailed("--explain: no answer has an explanation; only ONCHAIN gives one, and not for this request")
    try:
        with file.open("x", encoding="utf-8") as opened:
            json.dump(found[0], opened, indent=1)
            opened.write("\n")
    except FileExistsError:
        raise CommandFailed(f"--explain {file}: the file exists already; name a new one") from None
    except OSError as error:
        raise CommandFailed(f"--explain {file}: cannot be written ({error.strerror})") from error


def check_explanation(file: Path, against: str | None) -> None:
    """Recompute an explained answer and show the result; raise CommandFailed with all faults."""
    document = read_explanation(file)
    faults = check(document)
    if against is not None and not faults:
        faults = run(_compared(against, document))
    if faults:
        raise CommandFailed("\n".join([f"{file}: this explanation does not hold:", *faults]))
    _show(document, against)


def read_explanation(file: Path) -> Mapping[str, Any]:
    """Read a saved explanation, or an answer of the service that has one; raise CommandFailed for anything else."""
    try:
        with file.open("rb") as opened:
            body = opened.read(LARGEST_BYTES + 1)
    except FileNotFoundError:
        hint = "to save one, also give chains, tokens and amount"
        raise CommandFailed(f"--explain {file}: there is no such file; {hint}") from None
    except OSError as error:
        raise CommandFailed(f"--explain {file}: cannot be read ({error.strerror})") from error
    if len(body) > LARGEST_BYTES:
        raise CommandFailed(f"--explain {file}: is larger than {LARGEST_BYTES} bytes, so it is no explanation")
    try:
        document: Any = read_json(body)
    except ValueError as error:
        raise CommandFailed(f"--explain {file}: is not JSON: {error}") from error
    if isinstance(document, dict) and "explanation" in document:
        document = document["explanation"]
    if not isinstance(document, dict):
        raise CommandFailed(f"--explain {file}: is not an explanation: give what was saved with --explain")
    return document


async def _compared(url: str, document: Mapping[str, Any]) -> list[str]:
    try:
        async with HttpClient() as http:
            return await compare(EvmRpc(url, http, "--against", _TIMEOUT_S), document)
    except (NodeUnavailable, NodeRefused, ValueError) as error:
        hint = "The block may be too old for this node: an archive node has the states of all blocks"
        raise CommandFailed(f"the states cannot be read again: {error}. {hint}") from error


def _show(document: Mapping[str, Any], against: str | None) -> None:
    output, bound = document["output"], document["bound"]
    gap = (1 - int(output["amount"]) / float(bound["gross"])) * 1e4
    net_gap = (1 - float(document["gas"]["net"]) / float(bound["net"])) * 1e4
    states = "equal to the node's" if against else "not compared with a node; do that with --against URL"
    show_table(
        [
            ("block", f"{document['block']['number']} of chain {document['chainId']}, {document['block']['hash']}"),
            ("input", f"{document['input']['amount']} of {document['input']['token']}"),
            ("output", f"{output['amount']} of {output['token']}: every amount recomputes"),
            ("plan", f"{len(document['plan'])} of {len(document['pools'])} pools"),
            ("bound", f"{max(gap, 0):.4f} bp above the output; no plan over these pools gives more"),
            ("net bound", f"{max(net_gap, 0):.4f} bp above the output minus its gas"),
            ("states", states),
        ]
    )
