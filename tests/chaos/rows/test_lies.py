"""What an attack's judge finds makes the row bad."""

import pytest

from attack.campaign import Report
from attack.judge import Outcome, Verdict
from attack.lies import Lie
from chaos.rows.lies import judged

LIE = Lie("OKX", 0, "call", 1)


@pytest.mark.parametrize(
    ("outcome", "lost", "wrong"),
    [
        (Outcome(LIE, Verdict.REFUSED), 0, 0),
        (Outcome(LIE, Verdict.DELIVERED), 0, 0),
        (Outcome(LIE, Verdict.LOST, 5.0), 1, 0),
        (Outcome(LIE, Verdict.DELIVERED, beyond=1.0), 1, 0),
        (Outcome(LIE, Verdict.INFLATED), 0, 1),
    ],
)
def test_a_loss_and_an_inflated_promise_are_told(outcome: Outcome, lost: int, wrong: int) -> None:
    result = judged(Report([outcome], [], 2), 1)
    assert (len(result.lost), len(result.wrong), result.is_good) == (lost, wrong, not lost + wrong)


def test_an_honest_answer_that_fails_or_no_lie_at_all_is_bad() -> None:
    assert not judged(Report([Outcome(LIE, Verdict.REFUSED)], ["OKX: not answered"], 2), 1).is_good
    assert judged(Report([], [], 2), 1).undone == ["lies"]
