"""Whoever came last is on duty."""

from rhumbline.devnet.duty_roster import DutyRoster


def test_the_last_who_came_is_on_duty_until_it_leaves() -> None:
    posts = DutyRoster()
    with posts.held("a") as first, posts.held("b") as apart:
        assert first()
        assert apart()
        with posts.held("a") as second:
            assert (first(), second(), apart()) == (False, True, True)
        assert (first(), second()) == (True, False)
