"""What Relay's answers cannot prove, in sentences for whoever relies on them."""

TRUST_ASSUMPTIONS = (
    "Relay's solver signs an order with receiver, minimum and refunds. Only the destination shows whether the solver "
    "keeps to it, and whether the order was filled before.",
    "If Relay swaps before the deposit, the exchange calls inside its router are not read. The call reverts unless "
    "the required minimum is deposited. What Relay does with a deposit that is smaller than the order's (within the "
    "slippage) or larger is its word.",
)
REFUND_TERMS = (
    "By Relay's order a refund on the origin goes to the address that refundTo names. It may be paid on the "
    "destination instead, there to that address or to the receiver. What a swap before the deposit leaves over stays "
    "the wallet's.",
)
