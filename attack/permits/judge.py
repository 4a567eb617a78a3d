"""What a permit brought: what was bought, nothing at all, or a theft."""

from dataclasses import dataclass
from fractions import Fraction

from attack.judge import DUST, Outcome, Verdict
from attack.lies import Lie
from attack.permits.claims import GENEROUS, HONEST, Claim
from attack.permits.signed import SignedPermit, beyond_the_order, signed_permit
from attack.permits.thief import Strike, again, alterations, other_spenders, phishing, struck, submitting
from attack.purse import Change, Sent, fund, holdings, standing, unstated, worth
from attack.scene import Honest, Scene
from rhumbline.devnet.evm.operator import encoded
from rhumbline.domain.route import RouteAnswer
from rhumbline.gateways.nodes.evm.rpc import RpcError, quantity


@dataclass(frozen=True)
class Trial:
    """One lie about one question: ``strikes`` says what is done with the signature, ``claim`` what a token claims."""

    scene: Scene
    honest: Honest
    lie: Lie
    strikes: str
    claim: Claim = HONEST
    token_lies: bool = False

    def outcome(self, verdict: Verdict, why: str, missing: Fraction = Fraction(0), beyond: float = 0.0) -> Outcome:
        return Outcome(self.lie, verdict, float(missing), why, beyond)

    def lost(self, why: str, missing: Fraction | None = None) -> Outcome:
        return self.outcome(Verdict.LOST, why, self.scene.value() if missing is None else missing)


async def judged(trial: Trial, answer: RouteAnswer | None) -> Outcome:
    """Sign the answer's permit, strike with the signature, send, and strike again. Wallets without one approve."""
    scene, signer = trial.scene, trial.scene.pair.signer
    if answer is None or signer is None:
        return trial.outcome(Verdict.REFUSED, "not answered")
    signed = signed_permit(answer, signer)
    if signed is None:
        return trial.outcome(Verdict.REFUSED, "no permit offered")
    if words := beyond_the_order(scene, answer, signed):
        return trial.lost(f"what is signed is not what was answered: {words}")
    await fund(scene.service, scene.pair, scene.tokens[0], answer.request.amount)
    before = _before(trial, signed)
    if words := await _taken(trial, before):
        return trial.lost(f"before the wallet sent anything: {words}")
    try:
        sent, result = await scene.executed(answer, int(trial.honest.minimum * (1 - DUST)))
    except RpcError as error:
        return trial.outcome(Verdict.REFUSED, f"the node does not take it: {error}")
    found = _brought(trial, answer, sent, result)
    if found.verdict is Verdict.LOST:
        return found
    await fund(scene.service, scene.pair, scene.tokens[0], answer.request.amount)
    if words := await _taken(trial, [*before, *_afterwards(trial, signed)]):
        return trial.lost(f"after the wallet's transaction: {words}")
    if words := await _others_chain(trial, signed):
        return trial.lost(words)
    if sent.ok and trial.claim.mode != GENEROUS and (left := await _allowed(signed, scene)):
        return trial.lost(f"an allowance of {left} is left")
    return found


def _before(trial: Trial, signed: SignedPermit) -> list[Strike]:
    """Return what is tried before the wallet's own transaction."""
    match trial.strikes:
        case "phish":
            return list(phishing(signed))
        case "alter":
            return list(alterations(signed))
        case "spender":
            return list(other_spenders(signed))
        case "replay":
            return list(submitting(signed))
    return []


def _afterwards(trial: Trial, signed: SignedPermit) -> list[Strike]:
    """Return what is tried with a signature that was of use already, or never was.

    Where the token itself has left an allowance, the wallet's own second call is good, as with any approval.
    """
    own = [] if trial.claim.mode == GENEROUS else again(signed)
    return [*own, *phishing(signed), *other_spenders(signed)]


async def _taken(trial: Trial, strikes: list[Strike]) -> str:
    """Make these calls; say which of them took something from the wallet, or succeeded as an order."""
    scene = trial.scene
    for strike in strikes:
        had = await _held(scene)
        sent = await struck(scene, strike)
        if (less := had - await _held(scene)) > 0:
            return f"{less} taken by a call of {strike.sender} to {strike.to}: {strike.data[:4].hex()}"
        if sent.ok and strike.sender == scene.pair.sender:
            return f"the call {strike.data[:4].hex()} of an order that was not signed succeeds"
    return ""


async def _held(scene: Scene) -> int:
    """Return what the wallet has of the input, which is all that a permit is about."""
    sold = scene.tokens[0]
    return (await holdings(scene.service, scene.pair))[(sold.chain_id, sold.address, scene.pair.sender)]


async def _others_chain(trial: Trial, signed: SignedPermit) -> str:
    """Make the same call on the other chain, where the wallet has the same contracts before it."""
    if trial.strikes != "replay":
        return ""
    other = next(key for key in ("sbxa", "sbxb") if key != trial.scene.ask.origin)
    strike = Strike(signed.owner, signed.call.to, signed.data(), signed.call.value)
    sent = await struck(trial.scene, strike, other)
    return "the same call succeeds on the other chain" if sent.ok and sent.logs else ""


async def _allowed(signed: SignedPermit, scene: Scene) -> int:
    """Return what the wallet still allows the Diamond."""
    data = encoded("allowance(address,address)", signed.owner, signed.call.to)
    answer = await scene.service.rpcs[scene.service.chain(scene.ask.origin).id].eth_call(signed.token, data)
    return quantity("0x" + answer.hex())


def _brought(trial: Trial, answer: RouteAnswer, sent: Sent, result: Change) -> Outcome:
    scene, honest = trial.scene, trial.honest
    if not sent.ok:
        fee = worth(scene.service, answer.request.origin.id, answer.request.origin.native.address, sent.cost)
        if result.spent > 0:
            return trial.lost(f"it reverts, and {result.spent} are gone")
        if trial.claim.visible and answer.permit is not None and answer.permit.kind.value == "EIP2612":
            return trial.lost("a permit was offered that fails for everybody", fee)
        if not trial.token_lies and trial.strikes != "node":
            return trial.lost("the wallet's own transaction is stopped by a stranger", fee)
        return trial.outcome(Verdict.REFUSED, "reverts when it is sent")
    beyond = float(unstated(scene.service, answer, result.left))
    missing = scene.lacking(honest, result)
    words = f"honest at least {honest.minimum}; spent {result.spent}, arrived {result.gained}"
    if missing <= scene.value() * DUST:
        return trial.outcome(Verdict.DELIVERED, words, beyond=beyond)
    held = standing(scene.service, scene.pair, sent, scene.upstreams.emulator)
    if result.gained == 0 < held and missing - held <= scene.value() * DUST:
        return trial.outcome(Verdict.RETURNED, words, missing, beyond)
    openly = answer.output_amount < honest.output and result.gained >= answer.min_output_amount
    return trial.outcome(Verdict.TOLD if openly else Verdict.LOST, words, missing, beyond)
