"""Connections that end when the other side is silent, does not read or sends without end: what uvicorn leaves open.

uvicorn ends idle HTTP connections and WebSockets that do not answer its pings. It has no time limit for a request that
arrives slowly, none for an answer that nobody reads, no limit of connections for an address, and counts no frames. Its
protocols are classes that its settings may replace, so these limits are added here, with the methods that asyncio calls
for every connection. ``LIMITS`` are the arguments of `uvicorn.Config` that `serve` passes on.
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame

from ludens.web.limit import TokenBucket, Visitor, may_have_one, network_address

MOST_CONNECTIONS = 800  # each is an open file, of which Linux usually allows 1024
REQUEST_SECONDS = 20.0  # for a whole request: the largest file then needs 13 kB/s
UNREAD_SECONDS = 30.0  # for reading what was sent, before more is sent
KEEP_ALIVE_SECONDS = 5  # for the next request on the same connection
PING_SECONDS = 20.0  # between pings of a WebSocket, and for the answer
MOST_HEAD = 16 * 1024  # bytes of the first line and the headers of a request
MOST_MESSAGE = 16 * 1024  # bytes of a WebSocket message; a longer one closes the connection before it is read
MOST_AT_ONCE = 16 * 1024  # bytes that the system keeps of what has arrived: they are handled without a pause
_FRAMES_PER_SECOND, _FRAMES_AT_ONCE = 20, 40  # pings, pongs and parts of messages; browsers send hardly any
_FULL = b"the server has too many connections: close some pages, or try again in a few minutes"
_FULL_ANSWER = (
    b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: %d\r\n\r\n%s"
) % (len(_FULL), _FULL)


class _Connection(asyncio.Protocol):
    """Ends a connection whose other side does not read what was sent, also if it is being closed."""

    transport: asyncio.Transport
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Have asyncio call `pause_writing` as soon as anything is not read by the other side.

        Called for a new connection.
        """
        assert isinstance(transport, asyncio.Transport)
        transport.set_write_buffer_limits(0)  # so that anything unread pauses writing
        super().connection_made(transport)

    def pause_writing(self) -> None:
        """Start the time limit for reading: asyncio calls this when what was sent before has not been read."""
        super().pause_writing()
        if self._unread is None:
            self._unread = asyncio.get_running_loop().call_later(UNREAD_SECONDS, self._end_unread)

    def resume_writing(self) -> None:
        """Stop the time limit for reading: asyncio calls this when everything was sent."""
        super().resume_writing()
        _cancel(self._unread)
        self._unread = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the time limit when the connection has ended; called by asyncio."""
        _cancel(self._unread)
        super().connection_lost(exc)

    def _end_unread(self) -> None:
        """End the connection when the time limit is over and what was sent is still unread."""
        if self.transport.get_write_buffer_size():  # else it was read when the connection had become a WebSocket
            self.transport.abort()


class HttpConnection(_Connection, H11Protocol):
    """An HTTP connection: refused if there are too many; ended if a request does not arrive in time."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Refuse a new connection if there are too many, else start the time limit for its request.

        Called by asyncio.
        """
        assert isinstance(transport, asyncio.Transport)
        others = [Visitor(_address(getattr(other, "client", None))) for other in self.connections]
        if not may_have_one(Visitor(_address(transport.get_extra_info("peername"))), others, MOST_CONNECTIONS):
            _turn_away(transport)
            return
        super().connection_made(transport)
        self._wait_for_request()

    def data_received(self, data: bytes) -> None:
        """Pass arrived bytes on to uvicorn, and stop the time limit if the request is complete; called by asyncio."""
        super().data_received(data)
        self._wait_for_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the time limits when the connection has ended; called by asyncio."""
        _cancel(self._late)
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Answer a request that cannot be read on with status 400 and ``msg``; called by uvicorn.

        If an answer has begun, the connection is closed instead. The app, which may have the request's head already,
        answers it no more.
        """
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:  # an answer has begun
            self.transport.close()

    def _wait_for_request(self) -> None:
        """Start the time limit while a request is not complete, and stop it when it is.

        Called after anything arrives.
        """
        if not self._is_request_incomplete:
            _cancel(self._late)
            self._late = None
        elif self._late is None:
            self._late = self.loop.call_later(REQUEST_SECONDS, self._end_late)

    @property
    def _is_request_incomplete(self) -> bool:
        """Whether (more of) a request is still to come; False once the connection is a WebSocket."""
        is_http = self.transport.get_protocol() is self  # else it has become a WebSocket
        return is_http and self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    def _end_late(self) -> None:
        """End the connection when the time limit is over and the request is still not complete."""
        if self._is_request_incomplete:
            self.transport.abort()


class SocketConnection(_Connection, WebSocketsSansIOProtocol):
    """A WebSocket: reads nothing while its answers are not read, and ends if small frames come without end."""

    def __init__(self, *args: Any, **options: Any) -> None:
        """Start with a full allowance of frames; the arguments are uvicorn's."""
        super().__init__(*args, **options)
        self._frames = TokenBucket(_FRAMES_PER_SECOND, _FRAMES_AT_ONCE)

    def pause_writing(self) -> None:
        """Read nothing more while the other side does not read: asyncio calls this when what was sent is unread."""
        super().pause_writing()
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        """Read again: asyncio calls this when everything was sent."""
        super().resume_writing()
        if not self.read_paused:  # else uvicorn resumes it when the app has taken the message
            self.transport.resume_reading()

    def handle_ping(self) -> None:
        """Handle a ping as uvicorn does, unless too many frames have come: then the connection ends."""
        if self._may_have_frame():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Handle a pong as uvicorn does, unless too many frames have come: then the connection ends."""
        if self._may_have_frame():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        """Handle a further part of a message as uvicorn does; if too many frames have come, the connection ends."""
        if self._may_have_frame():
            super().handle_cont(event)

    def _may_have_frame(self) -> bool:
        """Count a frame that is no message, and return whether it is accepted; if not, the connection is ended."""
        is_allowed = self._frames.take()
        if not is_allowed:
            self.transport.abort()
        return is_allowed

    def send_receive_event_to_app(self) -> None:
        """Pass a complete message on to the app; one that is no UTF-8 closes the connection.

        Called by uvicorn, which would itself print an error.
        """
        if self.curr_msg_data_type == "text" and not _is_text(b"".join(self.frames)):
            self.conn.send_close(CloseCode.INVALID_DATA)
            self.handle_parser_exception()
            return
        super().send_receive_event_to_app()


LIMITS: dict[str, Any] = {
    "http": HttpConnection,
    "ws": SocketConnection,
    "h11_max_incomplete_event_size": MOST_HEAD,
    "timeout_keep_alive": KEEP_ALIVE_SECONDS,
    "ws_max_size": MOST_MESSAGE,
    "ws_ping_interval": PING_SECONDS,
    "ws_ping_timeout": PING_SECONDS,
    "proxy_headers": False,  # else anybody on this computer could take any address, by a header
}


def _address(peer: Any) -> str:
    """The network address of the other side as limits count it; ``peer`` is (host, port), or None: ''."""
    return network_address(str(peer[0])) if peer else ""


def _turn_away(transport: asyncio.Transport) -> None:
    """Answer on a new connection that there are too many, and close it."""
    transport.set_protocol(asyncio.Protocol())  # uvicorn never knows of it
    transport.write(_FULL_ANSWER)
    transport.close()


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    """Cancel a timer, if there is one."""
    if timer is not None:
        timer.cancel()


def _is_text(data: bytes) -> bool:
    """Whether bytes are valid UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
