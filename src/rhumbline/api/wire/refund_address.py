"""``refundTo``: the wallet that gets the tokens back if a bridge fails."""

from rhumbline.api.parameters.addresses import judged, read_wallet
from rhumbline.api.parameters.parameter import Parameter, Reading, Text
from rhumbline.domain.chain import Chain
from rhumbline.domain.unowned_addresses import is_placeholder

REFUND_TO = Parameter(
    "refundTo",
    Text(),
    "Wallet on the origin chain that gets the tokens back if a bridge fails: only bridges that can be held to it are "
    "asked. Not for swaps on one chain. Beyond the contract.",
    "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",
    remedy="a wallet on the origin chain",
)


def read_refund_address(
    reading: Reading, origin: Chain | None, destination: Chain | None, origin_token: str | None, sender: str | None
) -> str | None:
    """Return who is to be refunded; None if nobody is named, or nobody else on one chain, where nothing is refunded.

    Chains, token and sender are None as far as they could not be read.
    """
    wallet = judged(read_wallet, reading.wrong_wallet, REFUND_TO, reading.take(REFUND_TO), origin)
    if wallet is None or origin is None:
        return None
    if is_placeholder(origin.type, wallet):
        reading.fault(REFUND_TO.name, "is an address that nobody can sign for, so a refund would be lost")
    elif wallet in (origin.diamond, origin.executor, origin.wrapped_native, origin_token):
        reading.fault(REFUND_TO.name, "is a contract that does not give back what it is sent: name a wallet")
    elif origin is not destination:
        return wallet
    elif wallet != sender:
        reading.fault(
            REFUND_TO.name,
            "is for transfers between chains: a swap on one chain happens as a whole or not at all; leave it out",
        )
    return None
