"""Addresses of the programs and accounts that the sandbox uses, as the runtime's library spells them."""

from solders.pubkey import Pubkey

SYSTEM = Pubkey.default()
TOKEN = Pubkey.from_string("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")
TOKEN_2022 = Pubkey.from_string("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb")
TOKEN_PROGRAMS = (TOKEN, TOKEN_2022)
ASSOCIATED = Pubkey.from_string("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL")
LOOKUP_TABLES = Pubkey.from_string("AddressLookupTab1e1111111111111111111111111")
LIGHTHOUSE = Pubkey.from_string("L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95")
WRAPPED_SOL = Pubkey.from_string("So11111111111111111111111111111111111111112")

TIP_PROGRAM = Pubkey.from_string("T1pyyaTNZsKv2WcRAB8oVnk93mLJw2XzjtVYqCsaHqt")
TIP_ACCOUNTS = tuple(
    Pubkey.find_program_address([f"TIP_ACCOUNT_{number}".encode()], TIP_PROGRAM)[0] for number in range(8)
)
"""Jito's accounts for tips, which are derived from fixed seeds."""


def token_account(owner: Pubkey, mint: Pubkey, program: Pubkey = TOKEN) -> Pubkey:
    return Pubkey.find_program_address([bytes(owner), bytes(program), bytes(mint)], ASSOCIATED)[0]
