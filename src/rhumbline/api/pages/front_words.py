"""The front page's own words, in the languages that its element speaks: ``web/src/language.ts`` names the same."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

_LONGEST_HEADER = 1000
_RANGE = re.compile(r"([A-Za-z]{2,8})(?:-[A-Za-z0-9]{1,8})*(?:\s*;\s*q=([01](?:\.[0-9]{0,3})?))?", re.ASCII)


@dataclass(frozen=True)
class FrontWords:
    """Every word of the front page around its element, in one language."""

    language: str
    title: str
    heading: str
    skip: str
    site: str
    swap: str
    portal: str
    reference: str
    without_script: str
    """What the page needs, up to the call that does without it."""
    holds_nothing: str
    nothing_elsewhere: str
    over_relay: str
    """Said where the operator has set up WalletConnect."""
    status: str


ENGLISH = FrontWords(
    language="en",
    title="swap and transfer tokens on a straight course",
    heading="A straight course between two tokens",
    skip="Skip to content",
    site="Site",
    swap="Swap",
    portal="Portal",
    reference="API reference",
    without_script="Swapping here needs JavaScript. Without it, there is",
    holds_nothing="holds no funds and no keys of yours.",
    nothing_elsewhere="Nothing on this page is loaded from another host; balances, and what becomes of what you send, "
    "are read from the chains’ public nodes.",
    over_relay="If you choose WalletConnect, your wallet is reached over its relay.",
    status="Service status",
)
_GERMAN = FrontWords(
    language="de",
    title="Token auf geradem Kurs tauschen und transferieren",
    heading="Auf geradem Kurs von Token zu Token",
    skip="Zum Inhalt springen",
    site="Website",
    swap="Tauschen",
    portal="Portal",
    reference="API-Referenz",
    without_script="Das Tauschen hier braucht JavaScript. Ohne JavaScript geht es mit",
    holds_nothing="verwahrt weder Ihr Guthaben noch Ihre Schlüssel.",
    nothing_elsewhere="Diese Seite lädt nichts von anderen Hosts; Guthaben und der Verlauf Ihrer Transfers werden von "
    "den öffentlichen Nodes der Netzwerke gelesen.",
    over_relay="Wenn Sie WalletConnect wählen, wird Ihre Wallet über dessen Relay erreicht.",
    status="Status des Dienstes",
)
_SPANISH = FrontWords(
    language="es",
    title="intercambia y transfiere tokens con rumbo directo",
    heading="Rumbo directo entre dos tokens",
    skip="Saltar al contenido",
    site="Sitio",
    swap="Intercambiar",
    portal="Portal",
    reference="Referencia de la API",
    without_script="Para intercambiar aquí hace falta JavaScript. Sin él, se puede usar",
    holds_nothing="no guarda tus fondos ni tus claves.",
    nothing_elsewhere="Esta página no carga nada de otros servidores; los saldos y el destino de lo que envías se leen "
    "de los nodos públicos de las redes.",
    over_relay="Si eliges WalletConnect, se llega a tu billetera a través de su relé.",
    status="Estado del servicio",
)
_FRENCH = FrontWords(
    language="fr",
    title="échangez et transférez des tokens en droite ligne",
    heading="En droite ligne d’un token à l’autre",
    skip="Aller au contenu",
    site="Site",
    swap="Échanger",
    portal="Portail",
    reference="Référence de l’API",
    without_script="Échanger ici nécessite JavaScript. Sans lui, utilisez",
    holds_nothing="ne détient ni vos fonds ni vos clés.",
    nothing_elsewhere="Cette page ne charge rien d’un autre hôte ; les soldes et le suivi de vos envois sont lus sur "
    "les nœuds publics des réseaux.",
    over_relay="Si vous choisissez WalletConnect, votre portefeuille est joint par son relais.",
    status="État du service",
)
_JAPANESE = FrontWords(
    language="ja",
    title="最短の航路でトークンをスワップ・転送",
    heading="2つのトークンを結ぶ最短の航路",
    skip="本文へ移動",
    site="サイト",
    swap="スワップ",
    portal="ポータル",
    reference="APIリファレンス",
    without_script="ここでのスワップにはJavaScriptが必要です。使えない場合:",
    holds_nothing="は、お客様の資金も鍵も預かりません。",
    nothing_elsewhere="このページは他のホストから何も読み込みません。残高と送信後の状況は、各ネットワークの公開ノードから読み取ります。",
    over_relay="WalletConnectを選ぶと、ウォレットとはそのリレー経由で通信します。",
    status="サービスの状態",
)
_CHINESE = FrontWords(
    language="zh",
    title="以直达航线兑换和转移代币",
    heading="两种代币之间的直达航线",
    skip="跳到正文",
    site="网站",
    swap="兑换",
    portal="门户",
    reference="API 参考",
    without_script="在此兑换需要 JavaScript。没有它时请使用",
    holds_nothing="不持有您的资金，也不持有您的密钥。",
    nothing_elsewhere="本页不从其他主机加载任何内容；余额以及您所发送内容的后续情况均从各网络的公共节点读取。",
    over_relay="如果您选择 WalletConnect，则通过其中继连接您的钱包。",
    status="服务状态",
)
LANGUAGES: Mapping[str, FrontWords] = MappingProxyType(
    {words.language: words for words in (ENGLISH, _GERMAN, _SPANISH, _FRENCH, _JAPANESE, _CHINESE)}
)


def front_words(accept_language: str | None) -> FrontWords:
    """Return the words in the language that a browser likes best of those there are; English where it likes none."""
    liked: list[tuple[float, str]] = []
    for part in (accept_language or "")[:_LONGEST_HEADER].split(","):
        found = _RANGE.fullmatch(part.strip())
        if found is not None and found[1].lower() in LANGUAGES:
            liked.append((float(found[2] or 1), found[1].lower()))
    best = max(liked, key=lambda each: each[0], default=(0.0, ENGLISH.language))
    return LANGUAGES[best[1]] if best[0] > 0 else ENGLISH
