"""The section of one chain in the settings: its facts, and the operator's own endpoints."""

import re
from typing import Annotated

from pydantic import Field, SecretStr, ValidationInfo, field_validator

from rhumbline.catalog.known import ChainChange
from rhumbline.domain.chain import ChainType
from rhumbline.gateways.chain_types.addresses import is_address


class ChainSettings(ChainChange):
    """What the operator says about one chain. With ``rpc``, an endpoint that is never shown, the chain is served.

    ``ws``, as secret, is a websocket of the same node, or of another on the same chain, that announces new heads (on
    Solana slots). ``genesis`` is the hash of a Solana chain's first block, by which its node is known.
    """

    rpc: SecretStr | None = None
    ws: SecretStr | None = None
    start_block: Annotated[int, Field(ge=0)] | None = None
    genesis: str | None = None

    @field_validator("rpc")
    @classmethod
    def _url(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not re.match(r"https?://[^/\s]+", value.get_secret_value()):
            raise ValueError("must be an http:// or https:// URL")
        return value

    @field_validator("genesis")
    @classmethod
    def _first_block(cls, value: str | None) -> str | None:
        if value is not None and not is_address(ChainType.SVM, value):
            raise ValueError("must be the hash of the first block in base58, as getGenesisHash tells it")
        return value

    @field_validator("ws")
    @classmethod
    def _socket(cls, value: SecretStr | None, info: ValidationInfo) -> SecretStr | None:
        if value is not None and not re.match(r"wss?://[^/\s]+", value.get_secret_value()):
            raise ValueError("must be a ws:// or wss:// URL")
        if value is not None and info.data.get("rpc", value) is None:
            raise ValueError("needs rpc beside it: heads are announced here, and everything else is asked for there")
        return value
