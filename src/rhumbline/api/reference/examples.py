"""Examples of the OpenAPI document; a test holds each against its own schema."""

from collections.abc import Mapping
from types import MappingProxyType

_USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
_WETH = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"
_NATIVE = "0x0000000000000000000000000000000000000000"
_WALLET = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"
_DIAMOND = "0x1111111254EEB25477B68fb85Ed929f73A960582"
_ID = "0x" + "9c5f6d4b3a29180796857463524130f1" * 2
_HASH = "0x" + "5c504ed432cb51138bcf09aa5e8a410d" * 2
_FEE: Mapping[str, object] = MappingProxyType(
    {"amount": "1000", "currencySymbol": "USDC", "currencyAddress": _USDC, "chainId": 1, "decimals": 6}
)
_RESULT: Mapping[str, object] = MappingProxyType(
    {
        "source": "RPC",
        "executionStatus": "SUCCESS",
        "outputValidation": "VERIFIED",
        "simulatedOutputAmount": "249870000000000",
        "deviation": {"absolute": "0", "bps": 0.0, "percent": "+0.0000%"},
        "gasUsed": "184210",
        "latencyMs": 41,
    }
)
_CALL: Mapping[str, object] = MappingProxyType({"to": _DIAMOND, "value": "0x0", "data": "0x1f6d3b0a"})
_APPROVAL: Mapping[str, object] = MappingProxyType(
    {
        "to": _USDC,
        "value": "0x0",
        "data": f"0x095ea7b3{_DIAMOND[2:].lower():0>64}{1_000_000:064x}",
    }
)
_MISSING = "senderAddress is missing: give the wallet on the origin chain that signs the transaction"
_MOMENT = "2026-01-31T12:00:00.000Z"

EXAMPLES: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        "StandardError": {
            "statusCode": 400,
            "code": "VALIDATION_ERROR",
            "message": f"Invalid request parameters: {_MISSING}",
            "details": {"message": [_MISSING]},
            "timestamp": _MOMENT,
            "path": "/v1/quotes",
        },
        "QuoteResponse": {
            "inputAmount": "1000000",
            "outputAmount": "249870000000000",
            "minOutputAmount": "248620650000000",
            "adapter": "ONCHAIN",
            "transactionId": _ID,
            "calldata": dict(_CALL),
            "fees": {"total": dict(_FEE), "breakdown": [{**_FEE, "type": "app", "included": True}]},
            "gas": {"maxFeePerGas": "0x77359400", "maxPriorityFeePerGas": "0x3b9aca00", "gasLimit": "0x38270"},
            "approvalAddress": _DIAMOND,
            "expiresAt": _MOMENT,
            "approvals": [dict(_APPROVAL)],
            "calls": [dict(_APPROVAL), dict(_CALL)],
            "priceImpact": "0.0012",
            "simulation": {**_RESULT, "advertisedOutputAmount": "249870000000000", "providerResults": [dict(_RESULT)]},
            "liquidity": {
                "block": {"number": 25_000_000, "hash": _HASH},
                "inputAmount": "999000",
                "outputAmount": "249870000000000",
                "netOutputAmount": "232870000000000",
                "bound": {"amount": "249870000000012", "gapBps": 0.0001},
                "netBound": {"amount": "232870000000031", "gapBps": 0.0001},
                "hops": [
                    {
                        "source": "UNISWAP_V3",
                        "kind": "v3",
                        "pool": "0x88e6A0c2dDD26FEEb64F039a2c41296FcB3f5640",
                        "fee": "0.0005",
                        "tokenIn": {"address": _USDC, "symbol": "USDC", "decimals": 6},
                        "tokenOut": {"address": _WETH, "symbol": "WETH", "decimals": 18},
                        "amountIn": "999000",
                        "amountOut": "249870000000000",
                        "share": "1",
                    }
                ],
            },
        },
        "Chain": {
            "key": "eth",
            "name": "Ethereum",
            "chainType": "EVM",
            "id": 1,
            "idHex": "0x1",
            "mainnet": True,
            "logoURI": "https://rhumbline.example/logos/Ethe/eth.svg",
            "multicallAddress": "0xcA11bde05977b3631167028862bE2a173976CA11",
            "rpcUrls": [],
            "nativeToken": {
                "address": _NATIVE,
                "decimals": 18,
                "symbol": "ETH",
                "chainId": 1,
                "coinKey": "ETH",
                "name": "Ether",
                "logoURI": "https://rhumbline.example/logos/ETH/ETH.svg",
            },
            "served": True,
            "ServiceDiamond": _DIAMOND,
        },
        "Token": {
            "address": _USDC,
            "symbol": "USDC",
            "decimals": 6,
            "chainId": 1,
            "name": "USD Coin",
            "coinKey": "USDC",
            "priceStale": True,
            "priceTier": "cold",
            "logoURI": "https://rhumbline.example/logos/USDC/USDC.svg",
        },
        "TrackedTransaction": {
            "id": "1-5c504ed4-7",
            "transactionId": _ID,
            "sourceTxHash": _HASH,
            "destTxHash": _HASH,
            "sourceBlockNumber": 24000000,
            "sourceLogIndex": 7,
            "sourceChainId": 1,
            "destChainId": 1,
            "canonicalSourceChainId": 1,
            "canonicalDestChainId": 1,
            "protocolRawSourceChainId": None,
            "protocolRawDestChainId": None,
            "sourceNetwork": "Ethereum",
            "destNetwork": "Ethereum",
            "date": _MOMENT,
            "sourceBlockTimestamp": _MOMENT,
            "destinationBlockTimestamp": _MOMENT,
            "sender": _WALLET,
            "receiver": _WALLET,
            "integrator": "acme",
            "protocol": "GENERIC_SWAP",
            "routeType": "swap",
            "hasDestCall": False,
            "inputToken": {
                "chainId": 1,
                "address": _USDC,
                "symbol": "USDC",
                "amountRaw": "1000000",
                "amountFormatted": "1",
                "decimals": 6,
                "amountUsd": "1",
            },
            "outputToken": None,
            "sourceGasFee": None,
            "destinationGasFee": None,
            "integratorFee": {
                "token": "USDC",
                "amountRaw": "1000",
                "amountFormatted": "0.001",
                "decimals": 6,
                "amountUsd": "0.001",
            },
            "serviceFee": None,
            "status": "success",
            "substatus": None,
            "statusSource": "analytics",
            "bridgeScanUrl": None,
            "rawBridgeStatus": None,
            "lastReceiptCheckedAt": None,
            "lastBridgeCheckedAt": None,
            "lastBridgeSuccessCheckedAt": None,
            "createdAt": _MOMENT,
            "updatedAt": _MOMENT,
        },
    }
)
