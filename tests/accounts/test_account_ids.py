"""Who is signed in: a plain account by its address, a contract wallet by its address on one chain."""

from rhumbline.accounts.account_ids import AccountId, read_account_id, typed_account

CHECKSUMMED = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
WRONG = CHECKSUMMED[:-1] + "D"


def test_ids_are_read_as_they_are_written() -> None:
    for account in (AccountId(CHECKSUMMED), AccountId(CHECKSUMMED, 1), AccountId(CHECKSUMMED, 10**15)):
        assert read_account_id(account.written()) == account
    assert AccountId(CHECKSUMMED, 8453).written() == f"eip155:8453:{CHECKSUMMED}"
    for text in (
        "",
        CHECKSUMMED.lower(),
        f"eip155:0:{CHECKSUMMED}",
        f"eip155:01:{CHECKSUMMED}",
        f"eip155:1:{CHECKSUMMED.lower()}",
        f"eip155:1:{CHECKSUMMED}\n",
        f"eip155:1:eip155:1:{CHECKSUMMED}",
        f"solana:1:{CHECKSUMMED}",
    ):
        assert read_account_id(text) is None, text


def test_typed_ones_are_written_as_they_are_kept() -> None:
    for chain in ("", "eip155:8453:"):
        assert typed_account(chain + CHECKSUMMED.lower()) == (chain + CHECKSUMMED, True)
        assert typed_account(chain + WRONG) == (chain + CHECKSUMMED, False)
    for text in ("", "eip155:1:", f"eip155:0:{CHECKSUMMED}", f"eip155:x:{CHECKSUMMED}", f"solana:1:{CHECKSUMMED}"):
        assert typed_account(text)[0] is None, text
