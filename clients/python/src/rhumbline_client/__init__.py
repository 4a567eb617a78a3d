"""Python client of a Rhumbline service: quotes, routes, tracking, streams and webhooks, blocking and asynchronous.

It signs nothing by itself. `rhumbline_client.evm` and `rhumbline_client.solana` send what was quoted, with an account
that the caller gives them; `rhumbline_client.webhooks` checks signatures; `rhumbline_client.models` has the answers'
types.
"""

from rhumbline_client import webhooks
from rhumbline_client._async.client import AsyncRhumbline
from rhumbline_client._sync.client import Rhumbline
from rhumbline_client.changes import RecordChange, StatusChange
from rhumbline_client.errors import (
    AdapterBadRequest,
    AdapterInternal,
    AdapterUnauthorized,
    AmountTooLow,
    EndpointMissing,
    Expired,
    InvalidSignature,
    KeyRefused,
    NoAvailableQuotes,
    NotFound,
    RateLimited,
    Reverted,
    RhumblineError,
    SendError,
    SendRefused,
    SendUncertain,
    ServiceError,
    SlippageExceeded,
    TimedOut,
    UnexpectedAnswer,
    Unreachable,
    ValidationFailed,
    WrongAddress,
    WrongChain,
    WrongWallet,
)
from rhumbline_client.parameters import QuoteParameters
from rhumbline_client.retries import Retries
from rhumbline_client.sending import Sent, permitted
from rhumbline_client.version import VERSION

__version__ = VERSION
__all__ = [
    "AdapterBadRequest",
    "AdapterInternal",
    "AdapterUnauthorized",
    "AmountTooLow",
    "AsyncRhumbline",
    "EndpointMissing",
    "Expired",
    "InvalidSignature",
    "KeyRefused",
    "NoAvailableQuotes",
    "NotFound",
    "QuoteParameters",
    "RateLimited",
    "RecordChange",
    "Retries",
    "Reverted",
    "Rhumbline",
    "RhumblineError",
    "SendError",
    "SendRefused",
    "SendUncertain",
    "Sent",
    "ServiceError",
    "SlippageExceeded",
    "StatusChange",
    "TimedOut",
    "UnexpectedAnswer",
    "Unreachable",
    "ValidationFailed",
    "WrongAddress",
    "WrongChain",
    "WrongWallet",
    "permitted",
    "webhooks",
]
