"""Limits for each visitor, so that nobody can take all of what the server has for everybody.

A visitor is known by a cookie and by a network address: whoever throws the cookie away still has the address. Of
everything that is limited, one address may have half, and one visitor a quarter.
"""

from __future__ import annotations

import functools
import ipaddress
import time
from collections.abc import Collection, Iterator
from typing import NamedTuple

_OF_ADDRESS, _OF_VISITOR = 2, 4  # they may have the total divided by this, but at least one
_MANY_BUCKETS = 1000  # above this, those that are full again are dropped
_IPV6_NETWORK = 64  # bits that tell one network from another; within it anybody can take any address


class Visitor(NamedTuple):
    """Who asks for something: the network address, and the owner id that is made from the visitor's cookie."""

    address: str = ""
    owner: str = ""


NOBODY = Visitor()


@functools.lru_cache(maxsize=1000)
def network_address(host: str) -> str:
    """The address by which a visitor is counted, made from an IP address.

    Of IPv6 it is the network, since its owner has all addresses in it.
    """
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:  # no address, as in tests or behind a Unix socket
        return host
    if isinstance(address, ipaddress.IPv4Address) or address.ipv4_mapped:
        return host
    return str(ipaddress.ip_network((address, _IPV6_NETWORK), strict=False))


def may_have_one(visitor: Visitor, held: Collection[Visitor], most: int) -> bool:
    """Whether a visitor may have one more of something of which there are at most ``most``.

    ``held`` has a visitor for each that is in use now. A visitor without a cookie is only counted by its address.
    """
    if len(held) < max(most // _OF_VISITOR, 1):  # nearly always
        return most > 0
    of_address = sum(other.address == visitor.address for other in held)
    of_visitor = sum(other == visitor for other in held) if visitor.owner else 0
    return len(held) < most and of_address < max(most // _OF_ADDRESS, 1) and of_visitor < max(most // _OF_VISITOR, 1)


class TokenBucket:
    """A rate limit: on average ``per_second`` uses a second, and up to ``burst`` at once."""

    def __init__(self, per_second: float, burst: float) -> None:
        """Start with all of ``burst`` uses allowed."""
        self.per_second, self.burst = per_second, burst
        self._left, self._at = burst, time.monotonic()

    @property
    def left(self) -> float:
        """How many uses are allowed now; a fraction while the next one is being earned."""
        now = time.monotonic()
        self._left = min(self.burst, self._left + (now - self._at) * self.per_second)
        self._at = now
        return self._left

    def take(self) -> bool:
        """Use it once if that is allowed now, and return whether it was."""
        if self.left < 1:
            return False
        self._left -= 1
        return True


class SharedRate:
    """A rate limit for the whole server, of which one address and one visitor may use their part."""

    def __init__(self, per_second: float, burst: float) -> None:
        """Allow all visitors together ``per_second`` uses a second and up to ``burst`` at once."""
        self.per_second, self.burst = per_second, burst
        self._buckets: dict[Visitor, TokenBucket] = {}

    def allows(self, visitor: Visitor) -> bool:
        """Whether the visitor may use it once now; nothing is used."""
        return all(bucket.left >= 1 for bucket in self._buckets_of(visitor))

    def take(self, visitor: Visitor) -> bool:
        """Use it once if the visitor may, and return whether that is so. Who may not takes nothing from others."""
        is_allowed = self.allows(visitor)
        if is_allowed:
            for bucket in self._buckets_of(visitor):
                bucket.take()
        return is_allowed

    def _buckets_of(self, visitor: Visitor) -> Iterator[TokenBucket]:
        """Yield the buckets of the server, of the visitor's address and of the visitor.

        Each is made when it is first needed.
        """
        if len(self._buckets) > _MANY_BUCKETS:  # a full bucket is like a new one
            self._buckets = {key: bucket for key, bucket in self._buckets.items() if bucket.left < bucket.burst}
        for key, part in {NOBODY: 1, Visitor(visitor.address): _OF_ADDRESS, visitor: _OF_VISITOR}.items():
            if key not in self._buckets:
                self._buckets[key] = TokenBucket(self.per_second / part, max(self.burst / part, 1))
            yield self._buckets[key]
