"""What nodes answer beside quotes: to tracking, for tokens, and for signatures of contract wallets."""

from typing import Any

from fuzz.conversations import recorded
from fuzz.decoder import Decoder
from rhumbline.api.portal.evm.contract_wallets import contract_verdict
from rhumbline.catalog.evm.token_reader import EvmTokenReader
from rhumbline.catalog.svm.token_reader import SvmTokenReader
from rhumbline.domain.chain import Chain, ChainType
from rhumbline.domain.errors import NodeRefused, NodeUnavailable, NotFound
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.nodes.svm.blocks import is_absent
from rhumbline.gateways.nodes.svm.moment import Moment
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.transactions import FetchedTransaction
from rhumbline.tracking.evm.destinations import EvmDestinations
from rhumbline.tracking.evm.log_reader import LogReader, RangeRefused
from rhumbline.tracking.evm.receipts import EvmFees
from tests.adapters.conformance.adapter_fixture import AdapterFixture
from tests.clocks import leaping

NODE_ERRORS = (NodeUnavailable, NodeRefused)


async def of_nodes(fixture: AdapterFixture) -> list[Decoder]:
    """Ask the nodes of each chain of a fixture."""
    found: list[Decoder] = []
    for chain in fixture.chains.values():
        if chain.type is ChainType.SVM:
            found += await _svm_node(fixture, chain)
        else:
            found += await _evm_node(fixture, chain)
    return found


async def _evm_node(fixture: AdapterFixture, chain: Chain) -> list[Decoder]:
    old, token = fixture.rpcs[chain.id], fixture.token(chain.key, "USDC")
    newest = await old.block_number()
    last = await EvmRpc(old.url, old.http, old.name).call("eth_getBlockByNumber", [hex(newest), True])
    assert isinstance(last, dict)
    hashes = [each["hash"] for each in last["transactions"]]

    def rpc() -> EvmRpc:
        return EvmRpc(old.url, old.http, old.name, old.timeout_s)

    async def events() -> Any:
        reader = LogReader(chain, rpc())
        read = await reader.read(max(1, newest - 5), newest, None)
        longer = await reader.read(1, newest, None)
        return reader.decoded(read.logs, read.headers), reader.decoded(longer.logs, longer.headers)

    async def receipts() -> Any:
        return await EvmFees(rpc()).paid(hashes), await EvmDestinations({chain.id: rpc()}).receipt(
            chain.id, hashes[0], None
        )

    async def tokens() -> Any:
        return await EvmTokenReader(rpc()).read(chain, token.address)

    async def wallets() -> Any:
        return await contract_verdict(rpc(), str(chain.diamond), "text", "0x" + "ab" * 65)

    return [
        await recorded(f"{chain.key}, events", events, (*NODE_ERRORS, RangeRefused)),
        await recorded(f"{chain.key}, receipts", receipts, NODE_ERRORS),
        await recorded(f"{chain.key}, tokens", tokens, (*NODE_ERRORS, NotFound)),
        await recorded(f"{chain.key}, contract wallets", wallets, NODE_ERRORS),
    ]


async def _svm_node(fixture: AdapterFixture, chain: Chain) -> list[Decoder]:
    old, token = fixture.svm_rpcs[chain.id], fixture.token(chain.key, "USDC")
    wallet = fixture.sender(chain)
    page = await old.signatures(wallet, limit=20)

    def rpc() -> SvmRpc:
        return SvmRpc(old.url, old.http, old.name, old.timeout_s, moment=Moment(leaping()))

    async def state() -> Any:
        node = rpc()
        hashed = await node.latest_blockhash()
        return (
            await node.slot(), await node.block_height(), await node.epoch(), await node.rent(), hashed,
            await node.slot_of_validity(hashed.value), await node.priority_fees([wallet]),
            await node.genesis_hash(),
        )  # fmt: skip

    async def history() -> Any:
        node = rpc()
        listed = await node.signatures(wallet, limit=20)
        names = [each.signature for each in page]
        fetched = [each for each in await node.fetch_several(names) if isinstance(each, FetchedTransaction)]
        executed = [each.read() for each in fetched]
        return listed, await node.statuses(names), executed, await node.transaction(names[0])

    async def accounts() -> Any:
        node = rpc()
        return await node.account(wallet), await node.accounts([wallet, token.address])

    async def absence() -> Any:
        return await is_absent(rpc(), page[0].signature, page[0].slot)

    async def tokens() -> Any:
        return await SvmTokenReader(rpc()).read(chain, token.address)

    return [
        await recorded(f"{chain.key}, state", state, NODE_ERRORS),
        await recorded(f"{chain.key}, history", history, (*NODE_ERRORS, ValueError)),
        await recorded(f"{chain.key}, accounts", accounts, NODE_ERRORS),
        await recorded(f"{chain.key}, absence", absence, NODE_ERRORS),
        await recorded(f"{chain.key}, tokens", tokens, (*NODE_ERRORS, NotFound)),
    ]
