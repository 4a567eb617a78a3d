"""What was done to an integrator, as its log of changes shows it."""

from collections.abc import Mapping
from types import MappingProxyType

from rhumbline.accounts.audit_log import Action
from rhumbline.domain.sentence import Sentence

ACTIONS: Mapping[str, Sentence] = MappingProxyType({
    Action.REGISTERED: Sentence("integrator registered"),
    Action.WALLET_SET: Sentence("fee wallet set"),
    Action.RULE_SET: Sentence("fee rule set"),
    Action.KEY_CREATED: Sentence("key created"),
    Action.KEY_NAMED: Sentence("key named"),
    Action.KEY_TERMS_SET: Sentence("key restricted"),
    Action.KEY_ROTATED: Sentence("key rotated"),
    Action.KEY_REVOKED: Sentence("key revoked"),
    Action.KEY_LIMITS_SET: Sentence("key limits set"),
    Action.KEY_RULE_SET: Sentence("key fee rule set"),
    Action.MEMBER_ADDED: Sentence("member added"),
    Action.ROLE_SET: Sentence("role set"),
    Action.MEMBER_REMOVED: Sentence("member removed"),
    Action.MEMBER_LEFT: Sentence("member left"),
    Action.INVITED: Sentence("invitation made"),
    Action.INVITATION_WITHDRAWN: Sentence("invitation withdrawn"),
    Action.INVITATION_USED: Sentence("invitation used"),
    Action.WEBHOOK_ADDED: Sentence("webhook added"),
    Action.WEBHOOK_ROTATED: Sentence("webhook secret replaced"),
    Action.WEBHOOK_REMOVED: Sentence("webhook removed"),
    Action.WEBHOOK_ON: Sentence("webhook switched on"),
    Action.WEBHOOK_OFF: Sentence("webhook switched off"),
    Action.WEBHOOK_TESTED: Sentence("webhook tested"),
    Action.WEBHOOK_RESENT: Sentence("webhook delivery repeated"),
})  # fmt: skip
