"""What the doctor says of a Solana chain's node."""

from pathlib import Path

from rhumbline.devnet.svm.chains import RunningSolana
from tests.app.conftest import MAINNET, NOWHERE, Command


def test_the_doctor_looks_at_a_solana_node(
    solana: RunningSolana, store_dsn: str, command: Command, tmp_path: Path
) -> None:
    ran = doctor(command, tmp_path, store_dsn, 900003, solana.server.rpc_url)
    found = {line.split("  ")[0].strip(): line for line in ran.splitlines()}
    assert "chain 900003, " in found["sbxs"]
    assert " s old" in found["sbxs head"]
    for method in ("simulateTransaction", "getSignaturesForAddress", "getRecentPrioritizationFees"):
        assert "available" in found[f"sbxs {method}"]


def test_the_doctor_looks_at_a_solana_socket(
    solana: RunningSolana, store_dsn: str, command: Command, tmp_path: Path
) -> None:
    server = solana.server
    said = doctor(command, tmp_path, store_dsn, 900003, server.rpc_url, server.ws_url)
    assert "sbxs ws ok chain 900003, announces heads, " in " ".join(said.split())
    away = doctor(command, tmp_path, store_dsn, 900003, server.rpc_url, "ws://127.0.0.1:1/with-a-key")
    assert "sbxs ws warns sbxs: the node's websocket cannot be opened (nothing" in " ".join(away.split())


def test_the_doctor_tells_a_node_of_another_cluster(
    solana: RunningSolana, store_dsn: str, command: Command, tmp_path: Path
) -> None:
    said = doctor(command, tmp_path, store_dsn, MAINNET, solana.server.rpc_url)
    assert "the node is on an unknown cluster (first block " in said
    assert "), which is not chain 1000000001" in said


def test_the_doctor_tells_a_node_that_is_silent(store_dsn: str, command: Command, tmp_path: Path) -> None:
    assert "it was asked at 127.0.0.1" in doctor(command, tmp_path, store_dsn, 900003, f"{NOWHERE}/with-a-key")


def doctor(command: Command, folder: Path, dsn: str, chain: int, rpc: str, ws: str = "") -> str:
    entry = f'[[chains]]\nid = {chain}\nkey = "sbxs"\nname = "S"\ntype = "SVM"\nrpc = "{rpc}"\n'
    entry += f'ws = "{ws}"\n' if ws else ""
    native = 'native = { symbol = "SOL", name = "Solana", decimals = 9 }\n'
    rest = f'[store]\ndsn = "{dsn}"\n[prices]\nsources = []\n[catalog]\nshipped = false\n'
    (folder / "rhumbline.toml").write_text(f"{rest}{entry}{native}")
    ran = command("doctor")
    assert "with-a-key" not in ran.out + ran.err
    assert "Traceback" not in ran.err
    return ran.out
