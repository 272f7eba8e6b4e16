"""Limits for visitors: how rates and numbers are shared out, and how addresses are counted."""

from __future__ import annotations

import pytest

from ludens.web import limit
from ludens.web.limit import NOBODY, SharedRate, TokenBucket, Visitor, may_have_one, network_address

ANNA, BEN = Visitor("10.0.0.1", "anna"), Visitor("10.0.0.1", "ben")
FAR = Visitor("10.0.0.2", "far")


class Clock:
    now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(limit, "time", clock)
    return clock


def test_a_bucket_allows_bursts_and_then_its_rate(clock: Clock) -> None:
    bucket = TokenBucket(2.0, 3.0)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    clock.now += 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]
    clock.now += 1000  # no more than a burst is saved up
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_a_visitor_has_a_quarter_and_an_address_half_of_a_rate(clock: Clock) -> None:
    rate = SharedRate(4.0, 8.0)
    assert [rate.take(ANNA) for _ in range(3)] == [True, True, False]
    assert [rate.take(BEN) for _ in range(3)] == [True, True, False]
    assert not rate.take(Visitor("10.0.0.1", "who threw the cookie away"))
    assert [rate.take(FAR) for _ in range(3)] == [True, True, False]
    assert rate.take(Visitor("10.0.0.3", "x"))
    clock.now += 1.0  # 4 for all, 2 for the address, 1 for a visitor
    assert [rate.take(ANNA) for _ in range(2)] == [True, False]
    assert [rate.allows(BEN) for _ in range(2)] == [True, True]


def test_what_is_refused_to_one_is_not_taken_from_others(clock: Clock) -> None:
    rate = SharedRate(0.0, 8.0)
    for _ in range(100):
        rate.take(ANNA)
    assert [rate.take(FAR) for _ in range(2)] == [True, True]
    assert [rate.take(BEN) for _ in range(2)] == [True, True]


def test_even_a_small_rate_lets_everybody_do_something(clock: Clock) -> None:
    assert SharedRate(0.0, 1.0).take(ANNA)


def test_visitors_without_end_take_no_memory_without_end(clock: Clock) -> None:
    rate = SharedRate(1000.0, 1000.0)
    for number in range(5000):
        clock.now += 0.01
        assert rate.take(Visitor(f"10.0.{number // 250}.{number % 250}", str(number)))
    assert len(rate._buckets) < 1100


def test_a_visitor_has_a_quarter_and_an_address_half_of_a_number() -> None:
    held: list[Visitor] = []
    for visitor in (ANNA, BEN, Visitor("10.0.0.1", "c"), FAR, Visitor("10.0.0.3", "d")):
        while may_have_one(visitor, held, 8):
            held.append(visitor)
    assert [visitor.owner for visitor in held] == ["anna", "anna", "ben", "ben", "far", "far", "d", "d"]
    assert not may_have_one(Visitor("10.0.0.9", "e"), held, 8)


def test_without_a_cookie_only_the_address_counts() -> None:
    stranger = Visitor("10.0.0.1")
    assert may_have_one(stranger, [stranger] * 3, 8)
    assert not may_have_one(stranger, [stranger] * 4, 8)
    assert may_have_one(NOBODY, [stranger] * 4, 8)


@pytest.mark.parametrize(
    ("host", "counted"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:10.0.0.1", "::ffff:10.0.0.1"),
        ("testclient", "testclient"),
        ("", ""),
    ],
)
def test_an_address_is_counted_as_a_network(host: str, counted: str) -> None:
    assert network_address(host) == counted
