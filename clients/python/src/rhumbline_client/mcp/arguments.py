"""What tools take: types, bounds and words for agents. What is not named here is refused."""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictInt, StrictStr, WithJsonSchema

LONGEST_WAIT_S = 50
MOST_LISTED = 100
MOST_DAYS = 90


def _name_of(given: object) -> object:
    """Take an ID as a number too."""
    return str(given) if isinstance(given, int) and not isinstance(given, bool) else given


Words = Annotated[StrictStr, Field(min_length=1, max_length=128)]
ChainName = Annotated[Words, BeforeValidator(_name_of), WithJsonSchema({"type": ["string", "integer"]})]
Written = Annotated[StrictStr, Field(min_length=1, max_length=128)]


class Arguments(BaseModel):
    """Arguments of one tool."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class NoArguments(Arguments):
    """A tool that takes nothing."""


class TokenSearch(Arguments):
    """What tokens are looked for."""

    chain: ChainName | None = None
    """Only this chain: its key (`base`), name or ID. Without it, all chains."""
    search: Words | None = None
    """A symbol (`USDC`), part of a name, or an address; that needs `chain` and finds unlisted tokens too."""
    limit: Annotated[StrictInt, Field(ge=1, le=MOST_LISTED)] = 20
    """How many tokens are answered."""


class TokenName(Arguments):
    """A token of a chain."""

    chain: ChainName
    """The token's chain: its key (`base`), name or ID, as `chains` lists them."""
    token: Words
    """The token's symbol, if only one listed token of the chain has it, or its address."""


class Asked(Arguments):
    """A trade that is asked for."""

    from_chain: ChainName
    """The chain that is paid from: its key (`base`), name or ID. It must be `served`."""
    from_token: Words
    """The token that is spent: its symbol, if only one listed token of the chain has it, or its address."""
    amount: Written
    """How much is spent, before all fees: text with a decimal number of whole tokens, such as "1.5" (not wei)."""
    amount_of: Literal["from_token", "to_token"] = "from_token"
    """With `to_token` the amount is what the receiver gets at least; `input` of the answer is what has to be spent."""
    to_token: Words
    """The token that is wanted: its symbol, if only one listed token of its chain has it, or its address."""
    to_chain: ChainName | None = None
    """The chain of `to_token`; without it the same as `from_chain`."""
    sender: Words | None = None
    """Address of the wallet that signs, on `from_chain`. Without it the answer only shows prices: nothing to sign."""
    receiver: Words | None = None
    """Address that receives, on `to_chain`; the sender by default. Needed from EVM to Solana and back."""
    refund_to: Words | None = None
    """Address on `from_chain` that gets the tokens back if a bridge fails. Leave it out unless the person names one:
    only bridges that can be held to it are asked then. Not for trades on one chain."""
    slippage_percent: Written | None = None
    """Largest loss against the estimate, in percent as text: "0.5" is half a percent. The service's default is good."""
    order: Literal["RECOMMENDED", "CHEAPEST", "FASTEST"] | None = None
    """What is best; RECOMMENDED by default."""
    include_tools: Annotated[list[Words], Field(min_length=1, max_length=20)] | None = None
    """Ask only these exchanges or bridges, by key, such as `ACROSS`."""
    exclude_tools: Annotated[list[Words], Field(min_length=1, max_length=20)] | None = None
    """Do not ask these exchanges or bridges, by key."""


class StepAsked(Arguments):
    """A step whose turn has come."""

    step_id: Words
    """The step's `step_id` from `routes`."""
    received_amount: Written | None = None
    """What the step before really delivered, in whole tokens of this step's `input`, as text. Needed where the step has
    `needs_received_amount`; `status` of the step before has it as `received`."""


class StatusAsked(Arguments):
    """A transaction that is followed."""

    transaction_id: Annotated[StrictStr, Field(pattern=r"^0x[0-9a-fA-F]{64}$")]
    """The `transaction_id` of a quote or step: 0x and 64 digits. A hash of a chain is something else."""
    wait_seconds: Annotated[StrictInt, Field(ge=0, le=LONGEST_WAIT_S)] = 0
    """Answer later, as soon as the transaction has ended or this time is over: fewer calls than asking often."""


class ExplainAsked(Arguments):
    """A request whose answer is to be explained."""

    request_id: Annotated[StrictStr, Field(pattern=r"^[A-Za-z0-9._-]{1,66}$")]
    """The `transaction_id` of a quote or step, or the ID that an error was told with."""


class ScoresAsked(Arguments):
    """Whose track record is looked at."""

    tools: Annotated[list[Words], Field(min_length=1, max_length=20)] | None = None
    """Only these exchanges or bridges, by key, such as `ACROSS`."""
    from_chain: ChainName | None = None
    """Only from this chain: its key (`base`), name or ID."""
    to_chain: ChainName | None = None
    """Only to this chain; for swaps the same as `from_chain`."""
    days: Annotated[StrictInt, Field(ge=1, le=MOST_DAYS)] = 7
    """How many days, today included."""
    limit: Annotated[StrictInt, Field(ge=1, le=MOST_LISTED)] = 20
    """How many scorecards are answered, those with most transactions first."""


class RecordsAsked(Arguments):
    """Which of the integrator's transactions are listed."""

    lookup: Words | None = None
    """Only the transaction with this `transaction_id`, or with this hash on either chain; alone, without filters."""
    status: (
        Literal["success", "recovered", "bridge_pending", "refund_pending", "refunded", "bridge_failed", "unknown"]
        | None
    ) = None
    """Only those of this status."""
    from_chain: ChainName | None = None
    """Only those that were sent on this chain: key, name or ID."""
    to_chain: ChainName | None = None
    """Only those that were to arrive on this chain."""
    sender: Words | None = None
    """Only those of this wallet."""
    limit: Annotated[StrictInt, Field(ge=1, le=MOST_LISTED)] = 20
    """How many are answered, the newest first."""
    cursor: Annotated[StrictStr, Field(min_length=1, max_length=2000)] | None = None
    """`next_cursor` of the page before, with the same filters."""
