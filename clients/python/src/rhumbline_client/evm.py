"""Sends what was quoted on EVM chains with an account of eth-account: ``pip install rhumbline-client[evm]``."""

from rhumbline_client._async.evm import AsyncEvmSender, EvmAccount
from rhumbline_client._sync.evm import EvmSender

__all__ = ["AsyncEvmSender", "EvmAccount", "EvmSender"]
