"""What a chain says of a contract wallet's signature."""

from enum import Enum


class ContractVerdict(Enum):
    """What a chain says of a contract wallet's signature."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    NO_CONTRACT = "no contract"
    """Nothing is deployed at the address, by the signature neither."""
    DELEGATED = "delegated"
    """The account's key has delegated it (EIP-7702); the key signs for it."""
    UNKNOWN = "unknown"
    """The chain's nodes do not answer, or too few of them."""
