"""What wallets send as version 1 is found and recorded as what was handed out."""

from solders.message import TransactionConfig
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.gateways.svm.instructions import SystemTransfer
from rhumbline.gateways.svm.tracking_instruction import reference_key
from rhumbline.tracking.svm.destinations import SvmDestinations
from tests.gateways.svm.versions import signed_v1
from tests.tracking.conftest import KEY, kept
from tests.tracking.svm.conftest import catch_up, chain_indexer, keep
from tests.tracking.svm.solana_orders import SENDER, SOLANA, STRANGER, USER, SolanaOrders, dust
from tests.tracking.svm.test_destinations import transfer

BUDGET = TransactionConfig(priority_fee=7_000, compute_unit_limit=300_000, loaded_accounts_data_size_limit=2**20)


async def test_a_wallet_that_writes_it_anew_as_version_1_has_its_record(
    solana: SolanaOrders, store_engine: AsyncEngine
) -> None:
    order = solana.swap()
    await keep(store_engine, order)
    solana.chain.advance()
    sent = signed_v1(USER, order.calls, str(solana.chain.blockhash()), BUDGET)
    signature = await solana.rpc.send(sent, preflight=False)
    foreign = await solana.rpc.send(signed_v1(STRANGER, [dust(1)], str(solana.chain.blockhash())))
    solana.chain.advance()
    listed = await solana.rpc.signatures(reference_key(KEY))
    assert [each.signature for each in listed] == [foreign, signature]
    await catch_up(chain_indexer(solana, store_engine))
    [record] = await kept(store_engine)
    assert record.input is not None
    assert (record.origin_tx_hash, record.input.raw) == (signature, order.issued.input_amount)
    assert record.output is not None
    assert record.output.raw > 0


async def test_a_delivery_in_version_1_is_read(solana: SolanaOrders) -> None:
    pays = SystemTransfer(SENDER, str(STRANGER.pubkey()), 10**9).encode()
    solana.chain.advance()
    signature = await solana.rpc.send(signed_v1(USER, [pays], str(solana.chain.blockhash()), BUDGET))
    solana.chain.advance()
    receipt = await SvmDestinations({SOLANA.id: solana.rpc}).receipt(SOLANA.id, signature, transfer(NATIVE_SVM))
    assert receipt is not None
    assert (receipt.succeeded, receipt.gained) == (True, 10**9)
