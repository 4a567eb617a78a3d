"""Sends what was quoted on Solana with a keypair of solders: ``pip install rhumbline-client[solana]``."""

from rhumbline_client._async.solana import AsyncSolanaSender
from rhumbline_client._sync.solana import SolanaSender
from rhumbline_client.co_signers import co_signed

__all__ = ["AsyncSolanaSender", "SolanaSender", "co_signed"]
