"""The call of a crossing, written field by field, so that tests can write every other one."""

from dataclasses import dataclass

from rhumbline.adapters.symbiosis import calldata

NOBODY = "0x" + "00" * 20
WALLET = "0x5B38Da6a701c568545dCfcB03FcB875f56beddC4"
RECEIVER = "0xAb8483F64d9C6d1EcF9b849Ae677dD3315835cb2"
EXECUTOR = "0xdD870fA1b7C4700F2BD7f44238821C26f7392148"
USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
WETH = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"
HOST_SYNTHESIS = "0x45CFd6FB7999328F189aaD2739Fba4Be6C45E5bf"
HOST_ROUTER = "0x2b7Aa8bDc40B6d3d19d0dE7480c4db8d5B6495e2"
HOST_MULTICALL = "0xBbAD2fe9558e55EbfA04b3B5Bff0b6c4E2ffDD2C"
UNWRAPPER = "0x5Eb4ED9F745531221FAE41906e11d37642B15da6"
DEADLINE = 1_795_264_200


@dataclass(frozen=True)
class Call:
    """500 USDC from Ethereum to Arbitrum, as the service writes it."""

    first_call: bytes = b""
    second_call: bytes = b""
    approved: tuple[str, ...] = (USDC, USDC)
    first_router: str = NOBODY
    amount: int = 500_000_000
    native: bool = False
    portal: str = "0xb8f275fBf7A959F4BCE59999A2EF122A099e81A8"
    fee: int = 250_000
    locked: int = 500_000_000
    token: str = USDC
    to: str = RECEIVER
    receive_side: str = HOST_SYNTHESIS
    bridge: str = "0x1a039cE63AE35a67Bf0E9F6DbFaE969639D59eC8"
    caller: str = WALLET
    chain: int = 13863860
    swapped: tuple[str, ...] = (
        "0xFAEb87361cB1925aFdd1967BD896F0c8FeacB890",
        "0xc317169a336b484f65B0AB4A794bBe66a7491E83",
    )
    swapper: str = HOST_MULTICALL
    burner: str = HOST_SYNTHESIS
    burn_at: int = 100
    revertable: str = WALLET
    calls: int = 1
    pool: str = "0xC3255E317481B95A3e61844c274dE8BAF8eDF397"
    path: tuple[str, ...] = (
        "0xFAEb87361cB1925aFdd1967BD896F0c8FeacB890",
        "0xc317169a336b484f65B0AB4A794bBe66a7491E83",
    )
    swap_at: int = 100
    holder: str = HOST_ROUTER
    from_index: int = 0
    to_index: int = 11
    minimum: int = 496_900_000
    swap_to: str = HOST_MULTICALL
    deadline: int = DEADLINE
    burn_fee: int = 300_000
    burn_caller: str = HOST_ROUTER
    burnt: str = "0xc317169a336b484f65B0AB4A794bBe66a7491E83"
    final_side: str = NOBODY
    final_call: bytes = b""
    final_at: int = 0
    burn_to: str = RECEIVER
    burn_portal: str = "0x01A3c8E513B758EBB011F7AFaf6C37616c9C24d9"
    burn_bridge: str = "0x5523985926Aa12BA58DC5Ad00DDca99678D7227E"
    burn_revertable: str = WALLET
    burn_chain: int = 42161
    second_router: str = HOST_MULTICALL
    calls_guess: int = 500_000_000
    swap_guess: int = 499_750_000
    burn_guess: int = 499_400_000
    cross_id: bytes = bytes(32)
    client: bytes = b"a partner".ljust(32, b"\x00")

    def encode(self) -> bytes:
        burn = calldata.META_BURN.encode(
            (
                self.burn_fee, self.burn_guess, self.cross_id, self.burn_caller, self.final_side, self.burnt,
                self.final_call,
                self.final_at, self.burn_to, self.burn_portal, self.burn_bridge, self.burn_revertable, self.burn_chain,
                self.client,
            )
        )  # fmt: skip
        swap = calldata.POOL_SWAP.encode(
            self.from_index, self.to_index, self.swap_guess, self.minimum, self.swap_to, self.deadline
        )
        calls = calldata.MULTICALL.encode(
            self.calls_guess, [swap] * self.calls, [self.pool] * self.calls, self.path, [self.swap_at] * self.calls,
            self.holder,
        )  # fmt: skip
        lock = calldata.META_SYNTHESIZE.encode(
            (
                self.fee, self.locked, self.token, self.to, self.receive_side, self.bridge, self.caller, self.chain,
                self.swapped, self.swapper, calls, self.burner, burn, self.burn_at, self.revertable,
                self.client,
            )
        )  # fmt: skip
        return calldata.META_ROUTE.encode(
            (
                self.first_call, self.second_call, self.approved, self.first_router, self.second_router, self.amount,
                self.native, self.portal, lock,
            )
        )  # fmt: skip


ETHER = Call(
    first_call=calldata.DEPOSIT.encode(),
    approved=(NOBODY, WETH),
    first_router=WETH,
    native=True,
    token=WETH,
    swapped=("0x7477490b64b64d9d014D4003AfB053cBf62689e1", "0xb8d63Ff43B72C481c8cCD77d5c03092B63C81B34"),
    path=("0x7477490b64b64d9d014D4003AfB053cBf62689e1", "0xb8d63Ff43B72C481c8cCD77d5c03092B63C81B34"),
    pool="0x2d877Fe148dBCB056Bf71ED5232E8d580195c0f1",
    from_index=7,
    to_index=2,
    burnt="0xb8d63Ff43B72C481c8cCD77d5c03092B63C81B34",
    final_side=UNWRAPPER,
    final_call=calldata.UNWRAP.encode(496_600_000, RECEIVER),
    final_at=36,
)
"""The same numbers, of wei: ether in, ether out."""
