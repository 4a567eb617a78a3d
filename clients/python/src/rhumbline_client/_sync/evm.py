"""Made of clients/python/src/rhumbline_client/_async/evm.py by clients/generate.py."""

import time
from typing import Any, Protocol, cast

from rhumbline_client._sync.json_rpc import NodeError
from rhumbline_client._sync.sender import ASKS, Sender
from rhumbline_client.errors import Reverted, SendUncertain, Unreachable, WrongChain
from rhumbline_client.models import GasEstimation, PermitOffer, QuoteResponse, Step
from rhumbline_client.sending import Call, Executable, Sent, Signed, executable, permitted, send_failure


class EvmAccount(Protocol):
    """What signs: an account of eth-account, or anything that has its form, such as a client of a remote signer.

    One that has ``sign_typed_data`` too, as eth-account's, signs permits.
    """

    @property
    def address(self) -> Any:
        """The account's address, with a checksum."""

    def sign_transaction(self, transaction_dict: Any, /) -> Any:
        """Return an object with ``raw_transaction`` and ``hash``, both bytes."""


class EvmSender(Sender):
    """Signs with an account, sends to a node, and waits until it is mined.

    The hash is known before anything is sent. If a send has no clear answer, the node is asked for that hash. Of one
    quote each transaction is signed once: ``execute`` with the same quote again goes on where it was, and can only
    repeat the same bytes, which a chain executes once.

    Args:
        rpc_url: a node of the chain.
        account: signs; its key stays with it.
        chain_id: the chain; a node of another one is refused.
        patience: seconds to wait until a transaction is mined, and until a node that broke off knows of it.
        poll: seconds between two questions.

    """

    def __init__(
        self, rpc_url: str, account: EvmAccount, chain_id: int, *, patience: float = 180.0, poll: float = 1.0
    ) -> None:
        super().__init__(rpc_url, patience, poll)
        self._account = account
        self._chain_id = chain_id
        self._is_checked = False

    def execute(self, answer: QuoteResponse | Step) -> Sent:
        """Send a quote's or step's approvals, each after the one before, and then its transaction.

        With a permit in the answer, and an account that signs typed data, one transaction is all that is sent.

        Raises:
            Expired: the quote's time is over, and its transaction was not signed.
            SendRefused: the node did not take a transaction; ``execute`` again would send the same bytes.
            SendUncertain: whether it is on the chain, or will be, is not known.
            Reverted: it was mined and failed.
            WrongChain: the node or the quote is one of another chain.

        """
        wanted = executable(answer)
        self._check_chain(wanted)
        if wanted.permit is not None and hasattr(self._account, "sign_typed_data"):
            call = self._permitted(wanted, wanted.permit)
            return self._delivered(wanted.transaction_id, call, wanted, limit=wanted.permit.gas_limit)
        for number, approval in enumerate(wanted.approvals):
            self._delivered(f"{wanted.transaction_id} {number}", approval, wanted, limit=None)
        limit = wanted.gas.gas_limit if wanted.gas else None
        return self._delivered(wanted.transaction_id, wanted.call, wanted, limit=limit)

    def _permitted(self, wanted: Executable, permit: PermitOffer) -> Call:
        """Return the call with the account's signature; it is signed no more once the call was."""
        if self._signed.of(wanted.transaction_id) is not None:
            return wanted.call
        wanted.check_time()
        signed = cast(Any, self._account).sign_typed_data(full_message=permit.typed_data)
        return permitted(permit, bytes(signed.signature))

    def _check_chain(self, wanted: Executable) -> None:
        if wanted.chain_id != self._chain_id:
            raise WrongChain(f"the quote is one of chain {wanted.chain_id}, and this sender of {self._chain_id}")
        if not self._is_checked:
            found = int(self._node.read("eth_chainId", []), 16)
            if found != self._chain_id:
                raise WrongChain(f"the node is one of chain {found}, not of {self._chain_id}")
            self._is_checked = True

    def _delivered(self, name: str, call: Call, wanted: Executable, limit: int | None) -> Sent:
        signed = self._signed.of(name)
        if signed is None:
            wanted.check_time()
            signed = self._sign(call, wanted.gas, limit)
            self._signed.keep(name, signed)
            self._send(signed)
        elif not self._is_known(signed.hash):
            self._send(signed)
        return self._mined(signed.hash)

    def _sign(self, call: Call, gas: GasEstimation | None, limit: int | None) -> Signed:
        address = str(self._account.address)
        asked = {"from": address, "to": call.to, "value": hex(call.value), "data": call.data}
        if limit is None:
            limit = int(self._node.read("eth_estimateGas", [asked]), 16)
        transaction: dict[str, Any] = {
            "chainId": self._chain_id,
            "nonce": int(self._node.read("eth_getTransactionCount", [address, "pending"]), 16),
            "to": call.to,
            "value": call.value,
            "data": call.data,
            "gas": limit,
        }
        if gas is not None and gas.max_fee_per_gas is not None:
            transaction["maxFeePerGas"] = gas.max_fee_per_gas
            transaction["maxPriorityFeePerGas"] = gas.max_priority_fee_per_gas or 0
        elif gas is not None and gas.gas_price is not None:
            transaction["gasPrice"] = gas.gas_price
        else:
            transaction["gasPrice"] = int(self._node.read("eth_gasPrice", []), 16)
        signed = self._account.sign_transaction(transaction)
        return Signed("0x" + bytes(signed.hash).hex(), "0x" + bytes(signed.raw_transaction).hex())

    def _send(self, signed: Signed) -> None:
        """Send once; where the answer is not a clear yes, the node is asked for the hash."""
        try:
            self._node.once("eth_sendRawTransaction", [signed.raw])
        except (NodeError, Unreachable) as error:
            for _ in range(ASKS):
                if self._is_known(signed.hash):
                    return
                time.sleep(self._poll)
            raise send_failure(error, signed.hash) from error

    def _is_known(self, transaction_hash: str) -> bool:
        try:
            return self._node.read("eth_getTransactionByHash", [transaction_hash]) is not None
        except (NodeError, Unreachable):
            return False

    def _mined(self, transaction_hash: str) -> Sent:
        ends_at = time.monotonic() + self._patience
        while True:
            try:
                receipt = self._node.read("eth_getTransactionReceipt", [transaction_hash])
            except (NodeError, Unreachable):
                receipt = None
            if isinstance(receipt, dict) and receipt.get("transactionHash") == transaction_hash:
                if receipt.get("status") != "0x1":
                    raise Reverted("the transaction was reverted", transaction_hash)
                return Sent(transaction_hash, receipt)
            if time.monotonic() >= ends_at:
                raise SendUncertain("the transaction was not mined in time", transaction_hash)
            time.sleep(self._poll)
