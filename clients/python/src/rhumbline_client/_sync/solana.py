"""Made of clients/python/src/rhumbline_client/_async/solana.py by clients/generate.py."""

import time
from typing import Any

from solders.keypair import Keypair

from rhumbline_client._sync.json_rpc import NodeError
from rhumbline_client._sync.sender import ASKS, Sender
from rhumbline_client.co_signers import signed_by
from rhumbline_client.errors import Expired, Reverted, SendUncertain, Unreachable
from rhumbline_client.models import QuoteResponse, Step
from rhumbline_client.sending import Executable, Sent, Signed, executable, send_failure

REACHED = frozenset({"confirmed", "finalized"})


class SolanaSender(Sender):
    """Adds the wallet's signature, sends to a node, and waits until the transaction is confirmed.

    The signature is known before anything is sent. If a send has no clear answer, the node is asked for that signature,
    until it is known or the chain's block height says that it never will be. Of one quote the transaction is signed
    once.

    Args:
        rpc_url: a node of the chain.
        keypair: signs; its key stays with it.
        fee_payer: signs too, where a quote was asked for with its address as ``fee_payer``; None where somebody else
            does, by ``rhumbline_client.solana.co_signed``, or nobody has to.
        patience: seconds to wait until a transaction is confirmed.
        poll: seconds between two questions.

    """

    def __init__(
        self,
        rpc_url: str,
        keypair: Keypair,
        *,
        fee_payer: Keypair | None = None,
        patience: float = 180.0,
        poll: float = 1.0,
    ) -> None:
        super().__init__(rpc_url, patience, poll)
        self._keypair = keypair
        self._fee_payer = fee_payer

    def execute(self, answer: QuoteResponse | Step) -> Sent:
        """Sign and send a quote's or step's transaction.

        Raises:
            Expired: it can never be executed any more: ask for a new quote.
            SendRefused: the node did not take it, mostly because its simulation failed.
            SendUncertain: whether it is on the chain, or will be, is not known.
            Reverted: it was executed and failed.
            WrongWallet: the transaction has no place for this wallet's signature, or lacks another one's.

        """
        wanted = executable(answer)
        signed = self._signed.of(wanted.transaction_id)
        if signed is None:
            if self._is_over(wanted):
                raise Expired("the chain's block height is beyond the quote's last one: ask for a new quote")
            signed = signed_by(wanted.call.data, self._keypair, self._fee_payer)
            self._signed.keep(wanted.transaction_id, signed)
            self._send(signed)
        elif self._state(signed.hash) is None and not self._is_over(wanted):
            self._send(signed)
        return self._confirmed(signed.hash, wanted)

    def _send(self, signed: Signed) -> None:
        """Send once; where the answer is not a clear yes, the node is asked for the signature."""
        try:
            self._node.once("sendTransaction", [signed.raw, {"encoding": "base64"}])
        except Unreachable:
            # It may be there: whoever waits for it sees it, or sees that its time is over.
            return
        except NodeError as error:
            for _ in range(ASKS):
                if self._state(signed.hash) is not None:
                    return
                time.sleep(self._poll)
            raise send_failure(error, signed.hash) from error

    def _confirmed(self, signature: str, wanted: Executable) -> Sent:
        ends_at = time.monotonic() + self._patience
        while True:
            # In this order: what is unknown after the chain was beyond it never comes.
            is_over = self._is_over(wanted)
            state = self._state(signature)
            if state is not None and state.get("err") is not None:
                raise Reverted(f"the transaction failed: {state['err']}", signature)
            if state is not None and state.get("confirmationStatus") in REACHED:
                return Sent(signature, state)
            if state is None and is_over:
                raise Expired(f"{signature} was not executed and never will be: ask for a new quote")
            if time.monotonic() >= ends_at:
                raise SendUncertain("the transaction was not confirmed in time", signature)
            time.sleep(self._poll)

    def _state(self, signature: str) -> dict[str, Any] | None:
        try:
            found = self._node.read("getSignatureStatuses", [[signature], {"searchTransactionHistory": True}])
            state = found["value"][0]
        except (NodeError, Unreachable, KeyError, IndexError, TypeError):
            return None
        return state if isinstance(state, dict) else None

    def _is_over(self, wanted: Executable) -> bool:
        if wanted.last_valid_block_height is None:
            return False
        try:
            height = self._node.read("getBlockHeight", [{"commitment": "confirmed"}])
        except (NodeError, Unreachable):
            return False
        return isinstance(height, int) and height > wanted.last_valid_block_height
