"""The contracts of Symbiosis by chain.

Sources, read 2026-11-21: the vendor's SDK (js-sdk 3.11.60 of 2026-06-17: chains, pools, tokens and their synthetic
representations; the unwrappers), and its successor's table of newer entries, at which approving and calling are one
address. Which of both entries an answer names depends on the partner, so either pair is accepted. Only tokens that
cross by themselves are here, those of the pools of dollars and of ether, on chains whose wrapped native token is among
them or not: what needs a swap before or after cannot be verified from the calldata.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rhumbline.domain.chain import NATIVE_EVM

HOST_CHAIN = 13863860
_USD = "0xC3255E317481B95A3e61844c274dE8BAF8eDF397"
_ETH = "0x2d877Fe148dBCB056Bf71ED5232E8d580195c0f1"
ETH_POOL = _ETH
"""The pool of ether; the other one is of dollars."""


@dataclass(frozen=True, slots=True)
class Deployment:
    """One chain. ``entries`` are pairs of the called contract and the approved one.

    ``transit`` are the tokens that cross: address here, pool on the host chain, synthetic token there, and its index in
    the pool. ``wrapped`` is the wrapped native token if it is among them and can be paid as the native asset;
    ``unwrapper`` pays out the native asset for it. Empty: there is none. ``host_…`` describe the chain of the pools:
    its ID at Symbiosis, and the contracts there; ``host_routers`` may hold the tokens during the swap. ``reverters``
    may revert a stuck transfer, beside the wallet; a reverted transfer goes to the wallet in either case.
    """

    entries: tuple[tuple[str, str], ...]
    portal: str
    bridge: str
    transit: tuple[tuple[str, str, str, int], ...]
    wrapped: str = ""
    unwrapper: str = ""
    host_chain: int = HOST_CHAIN
    host_synthesis: str = "0x45CFd6FB7999328F189aaD2739Fba4Be6C45E5bf"
    host_bridge: str = "0x1a039cE63AE35a67Bf0E9F6DbFaE969639D59eC8"
    host_multicall: str = "0xBbAD2fe9558e55EbfA04b3B5Bff0b6c4E2ffDD2C"
    host_routers: tuple[str, ...] = (
        "0x2b7Aa8bDc40B6d3d19d0dE7480c4db8d5B6495e2",
        "0x98782169093795D8F9a93E445b98A90D42C88Aa3",
    )
    reverters: tuple[str, ...] = (
        "0xd99ac0681b904991169a4f398B9043781ADbe0C3",
        "0x67f9b3E561383493B3f874fEAE0c53c2cD23851D",
    )


@dataclass(frozen=True, slots=True)
class Transit:
    """A token that can be transferred; for the native asset, its wrapped token."""

    token: str
    pool: str
    synthetic: str
    index: int
    native: bool


def transit_of(deployment: Deployment, address: str) -> Transit | None:
    """Return how a token, or the native asset, crosses; None if it is no transit token."""
    native = address == NATIVE_EVM
    token = deployment.wrapped if native else address
    found = next((each for each in deployment.transit if each[0] == token), None)
    return None if found is None else Transit(*found, native=native)


def _chain(
    entry: str,
    older: tuple[str, str],
    portal: str,
    bridge: str,
    *transit: tuple[str, str, str, int],
    unwrapper: str = "",
) -> Deployment:
    """Return a chain with its entry, which is approved too, and the older pair; ``unwrapper`` is for its wrapped ether.

    Where there is one, ether is the native asset.
    """
    wrapped = next(token for token, pool, _, _ in transit if pool == _ETH) if unwrapper else ""
    return Deployment(((entry, entry), older), portal, bridge, transit, wrapped, unwrapper)


_USUAL = "0x292fC50e4eB66C3f6514b9E402dBc25961824D62", "0x5523985926Aa12BA58DC5Ad00DDca99678D7227E"
"""Portal and bridge on most chains, and after their older pair those of the newest."""
_NEWER = ("0xcE8f24A58D85eD5c5A6824f7be1F8d4711A0eb4C", "0xAdB2d3b711Bb8d8Ea92ff70292c466140432c278"), *_USUAL

DEPLOYMENTS: Mapping[int, Deployment] = MappingProxyType(
    {
        1: _chain(
            "0xB4769e9c5bE31199a25ecD1B0C6609183fa72521",
            ("0xf621Fb08BBE51aF70e7E0F4EA63496894166Ff7F", "0xfCEF2Fe72413b65d3F393d278A714caD87512bcd"),
            "0xb8f275fBf7A959F4BCE59999A2EF122A099e81A8",
            "0x5523985926Aa12BA58DC5Ad00DDca99678D7227E",
            ("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", _USD, "0xFAEb87361cB1925aFdd1967BD896F0c8FeacB890", 0),
            ("0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", _ETH, "0x7477490b64b64d9d014D4003AfB053cBf62689e1", 7),
            unwrapper="0x5ad095DE83693ba063941f2f2C5A0dF02383B651",
        ),
        10: _chain(
            "0xA9A96Ee51dD54B9f51d46b1fbD2A19c1295Ec75b",
            ("0x0f91052dc5B4baE53d0FeA5DAe561A117268f5d2", "0x200a0fe876421DC49A26508e3Efd0a1008fD12B5"),
            *_USUAL,
            ("0x7F5c764cBc14f9669B88837ca1490cCa17c31607", _USD, "0xf17b21B78C1422afaC2cA88886463b4C28d3D520", 8),
            ("0x4200000000000000000000000000000000000006", _ETH, "0x7a74C122831E1221b32162569f95Ff1d01e099dE", 5),
            unwrapper="0x88139ad1199e8c78a0804d4bEBF4FbAD89EF9D89",
        ),
        56: _chain(
            "0x851B43189de721dD94AbA767AAd9E6F6d6a95CCA",
            ("0x44487a445a7595446309464A82244B4bD4e325D5", "0x5c97D726bf5130AE15408cE32bc764e458320D2f"),
            "0x5Aa5f7f84eD0E5db0a4a85C3947eA16B53352FD4",
            "0xb8f275fBf7A959F4BCE59999A2EF122A099e81A8",
            ("0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d", _USD, "0x076Cb7BEee7D1507DE7B964c29cbC849acaD5022", 5),
            ("0x2170Ed0880ac9A755fd29B2688956BD959F933F8", _ETH, "0x3c4454B723C0144f9E30eF7cc2F419cc88051D45", 4),
        ),
        100: _chain(
            "0xf85FC807D05d3Ab2309364226970aAc57b4e1ea4",
            *_NEWER,
            ("0x2a22f9c3b484c3629090FeED35F17Ff8F88f76F0", _USD, "0xcfe415238cb13029B9D574BdF635D7d7D6571e63", 33),
            ("0x6A023CCd1ff6F2045C3309768eAd9E68F978f6e1", _ETH, "0x97B1c455D59373059f8fa92DEa00e7399FF3F5cC", 21),
        ),
        130: _chain(
            "0xf39D9A9ABb98593ceaC395D7A37c572Da48fCfD5",
            *_NEWER,
            ("0x4200000000000000000000000000000000000006", _ETH, "0x73Bbd1031ac1265eb1b2Db33372d58444B6F63e3", 23),
            unwrapper="0x6AEb9b27590387b8Fd0560C52f6B968C59C10Fab",
        ),
        137: _chain(
            "0x2eE9559387b806E88fd46b9DA160D64A29CE7Da0",
            ("0xa260E3732593E4EcF9DdC144fD6C4c5fe7077978", "0xAb83653fd41511D638b69229afBf998Eb9B0F30c"),
            "0xb8f275fBf7A959F4BCE59999A2EF122A099e81A8",
            "0x5523985926Aa12BA58DC5Ad00DDca99678D7227E",
            ("0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174", _USD, "0xAf11A323741fc0670a6De095794f61eE9c52B622", 3),
            ("0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619", _ETH, "0xb1691B61e8369B79e4d9fd6deC55AC31E34009ba", 3),
        ),
        143: _chain(
            "0x81aB74A9f9d7457fF47dfD102e78A340cF72EC39",
            *_NEWER,
            ("0x754704Bc059F8C67012fEd69BC8A327a5aafb603", _USD, "0xCB4d1Cd7b9f8ff6Cf54e15eb5079EdF1587c2857", 40),
        ),
        146: _chain(
            "0x6148FD6C649866596C3d8a971fC313E5eCE84882",
            ("0xda8057acB94905eb6025120cB2c38415Fd81BfEB", "0xb7aF032a0C8d350705eD7E4E3802377731a0cA07"),
            "0xE75C7E85FE6ADd07077467064aD15847E6ba9877",
            "0xb8f275fBf7A959F4BCE59999A2EF122A099e81A8",
            ("0x50c42dEAcD8Fc9773493ED674b675bE577f2634b", _ETH, "0x9F2f60BaDE978BbEA32E4e2f282C86C0c2874fF5", 19),
        ),
        5000: _chain(
            "0x8097f0B9f06C27AF9579F75762F971D745bb222F",
            ("0xca506793A420E901BbCa8066be5661E3C52c84c2", "0xd92Ca299F1C2518E78E48C207b64591BA6E9b9a8"),
            *_USUAL,
            ("0x09Bc4E0D864854c6aFB6eB9A9cdF58aC190D0dF9", _USD, "0xf87516b6665553D700E67a158d68bc627408Dc08", 13),
            ("0xdEAddEaDdeadDEadDEADDEAddEADDEAddead1111", _ETH, "0x0C16952C588f859e797C7c9497304db0F5239c51", 9),
        ),
        8453: _chain(
            "0xa18348e793E77239EC68CAa51b74c5Cdc82c8a9d",
            ("0x691df9C4561d95a4a726313089c8536dd682b946", "0x41Ae964d0F61Bb5F5e253141A462aD6F3b625B92"),
            "0xEE981B2459331AD268cc63CE6167b446AF4161f8",
            "0x8097f0B9f06C27AF9579F75762F971D745bb222F",
            ("0x4200000000000000000000000000000000000006", _ETH, "0x7B7aD875f336ffD27A3872b243c025E60A028732", 10),
            ("0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA", _USD, "0xFBe80e8C3FbFf0bC314b33d1C6185230aC319309", 15),
            unwrapper="0x8e1d36F9da8CFe842bCf8670A12ACd51c26d195D",
        ),
        42161: _chain(
            "0x3743c756b64ECd0770f1d4f47696A73d2A46dcbe",
            ("0xf7e96217347667064DEE8f20DB747B1C7df45DDe", "0x80ddDDa846e779cceE463bDC0BCc2Ae296feDaF9"),
            "0x01A3c8E513B758EBB011F7AFaf6C37616c9C24d9",
            "0x5523985926Aa12BA58DC5Ad00DDca99678D7227E",
            ("0xaf88d065e77c8cC2239327C5EDb3A432268e5831", _USD, "0xc317169a336b484f65B0AB4A794bBe66a7491E83", 11),
            ("0x82aF49447D8a07e3bd95BD0d56f35241523fBab1", _ETH, "0xb8d63Ff43B72C481c8cCD77d5c03092B63C81B34", 2),
            unwrapper="0x5Eb4ED9F745531221FAE41906e11d37642B15da6",
        ),
        43114: _chain(
            "0xfeC09BE39F82b13471D2e0E7d72e6ee589c631c6",
            ("0x6F0f6393e45fE0E7215906B6f9cfeFf53EA139cf", "0x4cfA66497Fa84D739a0f785FBcEe9196f1C64e4a"),
            "0xE75C7E85FE6ADd07077467064aD15847E6ba9877",
            "0x292fC50e4eB66C3f6514b9E402dBc25961824D62",
            ("0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E", _USD, "0xD67c69aBAE457729fE2c03649A7F83a2DD8eb885", 12),
        ),
        59144: _chain(
            "0xEbD15fCa7aB58470C40653ecB60f10fa08322F67",
            ("0x9A31bAC4b3B958C835C243800B474818D04393dd", "0x83f71AabdDBb9F0E3B6462Cc7635b6fFAD0f2f2e"),
            *_USUAL,
            ("0xe5D7C2a44FfDDf6b295A15c148167daaAf5Cf34f", _ETH, "0x840531DA82E31B4Ff535Bc8F3A16f6f0C48B3861", 8),
            ("0x176211869cA2b568f2A7D4EE941E073a821EE1ff", _USD, "0x6e8AE8b7735Ff7eb4145Ad881087Dc14fB494d45", 16),
            unwrapper="0xF5b0861e787706195c98E2F0d2D6EFBDAC1D1e08",
        ),
        80094: _chain(
            "0x5B1baB64961cF72822817Ef32950fF7FCaB28b62",
            *_NEWER,
            ("0x2F6F07CDcf3588944Bf4C42aC74ff24bF56e7590", _ETH, "0x3c210C8b287CFdbc71c1CcF06Ee84c7926276835", 22),
        ),
        81457: _chain(
            "0x6148FD6C649866596C3d8a971fC313E5eCE84882",
            ("0x7057aB3fB2BeE9c18e0cDe4240DE4ff7f159E365", "0xa0079829B9F1Edc5DD0DE3eC104f281745C4bD81"),
            "0x5Aa5f7f84eD0E5db0a4a85C3947eA16B53352FD4",
            "0xda8057acB94905eb6025120cB2c38415Fd81BfEB",
            ("0x4300000000000000000000000000000000000004", _ETH, "0x5DE7bb0E90E4D3860762B1E90758B839b056130F", 15),
            unwrapper="0x2b7Aa8bDc40B6d3d19d0dE7480c4db8d5B6495e2",
        ),
        534352: _chain(
            "0x3338BE49A5f60e2593337919F9aD7098e9a7Dd7E",
            ("0x624FFe62eBa13e6057878bCA1D7A9E35651E1D9c", "0x49952ff32FcBc3408D447E1E91Da2b44BD2D1AFE"),
            "0x5Aa5f7f84eD0E5db0a4a85C3947eA16B53352FD4",
            "0x5523985926Aa12BA58DC5Ad00DDca99678D7227E",
            ("0x5300000000000000000000000000000000000004", _ETH, "0x7792FC1975f324fd3A4Cc4Ca8186087D73ffB9fc", 11),
            ("0x06eFdBFf2a14a7c8E15944D1F4A48F9F95F663A4", _USD, "0x23A8a10664068012C5046F32925083B5aC25aAc3", 19),
            unwrapper="0x42Cd64f48496dDdfEfF8F3704df9175dbe20d325",
        ),
    }
)
