"""Assertions as the program's own builders write them, and what they hold on the sandbox's stand-in for it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from solders.keypair import Keypair
from solders.pubkey import Pubkey

from rhumbline.devnet.svm.program_build import program
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.address import associated_token_address, decode_address
from rhumbline.gateways.svm.lighthouse import LIGHTHOUSE, holds_lamports, holds_tokens, keeps_tokens, stays_wallet
from rhumbline.gateways.svm.programs import SPL, SPL_2022, SYSTEM
from tests.gateways.svm.runtime import SOL, Refused, Runtime, stranger

VECTORS: Any = json.loads(Path(__file__).with_name("lighthouse.json").read_text("utf-8"))
AMOUNT = 1_000
FAILED, NO_TOKENS = "custom program error: 0x1771", "custom program error: 0x1779"


def of_several(place: int) -> str:
    return f"custom program error: {hex(0x1900 + place)}"


def written(said: Any) -> SvmInstruction:
    account, least = VECTORS["account"], int(said["least"])
    match said["of"]:
        case "lamports":
            return holds_lamports(account, least)
        case "wallet":
            return stays_wallet(account, least)
        case "any delegate":
            return keeps_tokens(account, least, closer=said["closer"])
    return holds_tokens(account, least, delegate=said["delegate"], closer=said["closer"])


@pytest.mark.parametrize("said", VECTORS["assertions"], ids=lambda said: f"{said['of']}-{said['least']}")
def test_they_are_what_the_published_builders_write(said: Any) -> None:
    made = written(said)
    assert (made.program, made.accounts) == (LIGHTHOUSE, (AccountRole(VECTORS["account"]),))
    assert made.data.hex() == said["data"]


class Held:
    """A wallet with a token account, on a runtime with the stand-in."""

    def __init__(self, token_program: str = SPL) -> None:
        self.runtime = Runtime()
        self.runtime.svm.add_program(Pubkey.from_string(LIGHTHOUSE), program("lighthouse"))
        self.wallet = self.runtime.wallet()
        self.name = str(self.wallet.pubkey())
        self.program = token_program
        self.mint = self.runtime.mint(program=token_program)
        self.tokens = self.runtime.holding(self.name, self.mint, AMOUNT, token_program)

    def run(self, *calls: SvmInstruction) -> int:
        return self.runtime.run(list(calls), self.runtime.payer, self.wallet)

    def of_owner(self, data: bytes) -> SvmInstruction:
        """A call of the token program by the account's owner."""
        return SvmInstruction(self.program, (AccountRole(self.tokens, writable=True),
                                             AccountRole(self.name, signer=True)), data)  # fmt: skip

    def given_away(self, kind: int, to: str | None) -> SvmInstruction:
        """SetAuthority: 2 is the owner, 3 who may close."""
        return self.of_owner(bytes([6, kind]) + (b"\x00" if to is None else b"\x01" + decode_address(to)))

    def allowed(self, delegate: str) -> SvmInstruction:
        roles = (AccountRole(self.tokens, writable=True), AccountRole(delegate), AccountRole(self.name, signer=True))
        return SvmInstruction(self.program, roles, b"\x04" + (1).to_bytes(8, "little"))

    def asserted(self, least: int = AMOUNT, delegate: str | None = None, closer: str | None = None) -> SvmInstruction:
        return holds_tokens(self.tokens, least, delegate=delegate, closer=closer)


@pytest.mark.parametrize("token_program", [SPL, SPL_2022], ids=["token", "token-2022"])
def test_what_is_as_asserted_passes(token_program: str) -> None:
    held = Held(token_program)
    assert held.run(
        held.asserted(), held.asserted(0), keeps_tokens(held.tokens, AMOUNT, closer=None),
        holds_lamports(held.name, 10 * SOL), stays_wallet(held.name, 10 * SOL), holds_lamports(stranger(), 0),
    ) < 100_000  # fmt: skip


@pytest.fixture(scope="module")
def held() -> Held:
    """What is asserted here fails, so nothing of it lasts."""
    return Held()


THIEF = stranger()


@pytest.mark.parametrize(
    ("calls", "failed"),
    [
        (lambda held: [held.asserted(AMOUNT + 1)], of_several(0)),
        (lambda held: [held.given_away(2, THIEF), held.asserted()], of_several(1)),
        (lambda held: [held.allowed(THIEF), held.asserted()], of_several(2)),
        (lambda held: [held.given_away(3, THIEF), held.asserted()], of_several(3)),
        (lambda held: [held.asserted(delegate=THIEF)], of_several(2)),
        (lambda held: [held.asserted(closer=THIEF)], of_several(3)),
        (lambda held: [held.given_away(3, THIEF), keeps_tokens(held.tokens, 0, closer=None)], of_several(2)),
        (lambda held: [holds_tokens(held.name, 0, delegate=None, closer=None)], NO_TOKENS),
        (lambda held: [holds_tokens(stranger(), 0, delegate=None, closer=None)], NO_TOKENS),
        (lambda held: [holds_lamports(held.name, 10 * SOL + 1)], FAILED),
        (lambda held: [stays_wallet(held.name, 10 * SOL + 1)], of_several(0)),
        (lambda held: [assigned(held.wallet), stays_wallet(held.name, 0)], of_several(1)),
        (lambda held: [lengthened(held.wallet), stays_wallet(held.name, 0)], of_several(2)),
        (lambda held: [stays_wallet(held.tokens, 0)], of_several(1)),
    ],
    ids=[
        "too little", "another owner", "a delegate", "another may close it", "another delegate", "another closer",
        "another may close the input", "no tokens", "no account", "too few lamports", "too few of the wallet's",
        "a program owns the wallet", "the wallet has data", "a token account is no wallet",
    ],
)  # fmt: skip
def test_a_transaction_that_leaves_it_otherwise_fails(
    held: Held, calls: Callable[[Held], list[SvmInstruction]], failed: str
) -> None:
    with pytest.raises(Refused) as caught:
        held.run(*calls(held))
    assert any(failed in line for line in caught.value.logs), caught.value.logs


def test_an_account_whose_owner_was_another_before_is_not_taken_for_the_receivers() -> None:
    """Made for the wallet, at its own address, and then a thief's: only who owns it now tells."""
    held = Held()
    held.run(held.given_away(2, THIEF))
    with pytest.raises(Refused) as caught:
        held.run(held.asserted())
    assert any(of_several(1) in line for line in caught.value.logs)


def test_what_a_wallet_appends_to_a_genuine_transaction_passes_and_binds() -> None:
    """A wallet's two assertions of mainnet, on accounts as that transaction left them."""
    said = VECTORS["of_a_wallet"]
    assert associated_token_address(said["wallet"], said["mint"], SPL) == said["tokens"]
    held = Held()
    lamports = bytes.fromhex(said["of_lamports"])
    tokens = bytes.fromhex(said["of_tokens"])
    mine = tokens.replace(decode_address(said["wallet"]), decode_address(held.name))
    mine = mine.replace(said["least_tokens"].to_bytes(8, "little"), AMOUNT.to_bytes(8, "little"))
    held.run(appended(held.name, lamports), appended(held.tokens, mine))
    for account, data in ((held.tokens, lamports), (held.tokens, tokens), (held.name, tokens)):
        with pytest.raises(Refused):
            held.run(appended(account, data))


@pytest.mark.parametrize("data", ["", "06", "0600", "060001", "060701", "0a000102", "07000102", "05000400", "0600ff"])
def test_what_is_no_assertion_is_no_pass(held: Held, data: str) -> None:
    with pytest.raises(Refused):
        held.run(appended(held.tokens if data.startswith("0a") else held.name, bytes.fromhex(data)))


def appended(account: str, data: bytes) -> SvmInstruction:
    return SvmInstruction(LIGHTHOUSE, (AccountRole(account),), data)


def of_system(wallet: Keypair, data: bytes) -> SvmInstruction:
    return SvmInstruction(SYSTEM, (AccountRole(str(wallet.pubkey()), signer=True, writable=True),), data)


def assigned(wallet: Keypair) -> SvmInstruction:
    return of_system(wallet, (1).to_bytes(4, "little") + decode_address(SPL))


def lengthened(wallet: Keypair) -> SvmInstruction:
    return of_system(wallet, (8).to_bytes(4, "little") + (1).to_bytes(8, "little"))
