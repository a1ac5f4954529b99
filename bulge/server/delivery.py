"""How a notice reaches somebody: by push to a browser, by e-mail, by webhook. Strangers say where to."""

from __future__ import annotations

import asyncio
import json
import smtplib
from dataclasses import dataclass
from email.message import EmailMessage
from importlib.util import find_spec
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec

from bulge.core.errors import BulgeError
from bulge.server.settings import Settings

PUSH, EMAIL, WEBHOOK = "push", "email", "webhook"
HOOK_HOSTS = ("discord.com", "discordapp.com", "hooks.slack.com")
PUSH_HOSTS = (
    "fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com", ".notify.windows.com",
)  # fmt: skip
"""Where browsers fetch their pushes from. Nobody can make us knock at doors of our own network."""
PATIENCE = 10
"""Seconds for a delivery."""
KEPT_FOR = 24 * 3600
"""So long a push waits for a browser that is not running."""


class Undelivered(Exception):
    """With words for whoever was to be told."""


class Gone(Undelivered):
    """That browser will never fetch anything there again."""


@dataclass(frozen=True)
class Notice:
    event: str
    title: str
    words: str
    address: str
    """Where a click leads."""


class Keys(msgspec.Struct, frozen=True):
    p256dh: str
    auth: str


class Subscription(msgspec.Struct, frozen=True):
    """As a browser gives it."""

    endpoint: str
    keys: Keys


class Delivery:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.push_key = ""
        """Our private key for pushes; set once the database is open."""

    @property
    def kinds(self) -> list[str]:
        """By which ways this server can tell."""
        mail = [EMAIL] if self._settings.mail and self._settings.mail_from else []
        return [*([PUSH] if has_push() else []), *mail, WEBHOOK]

    def check(self, kind: str, target: str) -> str:
        """A target as it is kept, or why nothing is sent there."""
        if kind not in self.kinds:
            raise BulgeError(f"this server tells by {', '.join(self.kinds)}, not by {kind!r}")
        if kind == EMAIL:
            return target
        if kind == WEBHOOK:
            self._check_host(target, HOOK_HOSTS)
            return target
        try:
            subscription = msgspec.json.decode(target, type=Subscription)
        except (msgspec.DecodeError, UnicodeError):
            raise BulgeError("that is not what a browser says when it subscribes") from None
        self._check_host(subscription.endpoint, PUSH_HOSTS)
        return msgspec.json.encode(subscription).decode()

    def _check_host(self, address: str, usual: tuple[str, ...]) -> None:
        if not (address.isascii() and address.isprintable()):
            raise BulgeError("an address has no such signs")
        try:
            parts = urlsplit(address)
            host, place = parts.hostname or "", parts.netloc
        except ValueError:
            raise BulgeError("that is no address") from None
        if place in self._settings.deliver_to and parts.scheme in ("http", "https"):
            return
        known = any(host == each or (each.startswith(".") and host.endswith(each)) for each in usual)
        if parts.scheme != "https" or place != host or not known:
            allowed = ", ".join((*usual, *self._settings.deliver_to))
            raise BulgeError(f"such addresses begin with https:// and one of these hosts: {allowed}")

    async def send(self, kind: str, target: str, notice: Notice) -> None:
        self.check(kind, target)
        if kind == EMAIL:
            await asyncio.to_thread(self._mail, target, notice)
        elif kind == PUSH:
            await asyncio.to_thread(self._push, target, notice)
        else:
            await self._hook(target, notice)

    # ------------------------------------------------------------------ the three ways

    def _mail(self, to: str, notice: Notice) -> None:
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self._settings.mail_from, to, notice.title
        message["Auto-Submitted"] = "auto-generated"
        message.set_content("\n\n".join(part for part in (notice.words, notice.address) if part))
        parts = urlsplit(self._settings.mail)
        kind = smtplib.SMTP_SSL if parts.scheme == "smtps" else smtplib.SMTP
        try:
            with kind(parts.hostname or "", parts.port or 0, timeout=PATIENCE) as server:
                if kind is smtplib.SMTP and server.has_extn("starttls"):
                    server.starttls()
                if parts.username:
                    server.login(unquote(parts.username), unquote(parts.password or ""))
                server.send_message(message)
        except (smtplib.SMTPException, OSError) as error:
            raise Undelivered(f"the mail server refused it ({type(error).__name__})") from None

    def _push(self, target: str, notice: Notice) -> None:
        from pywebpush import WebPushException, webpush
        from requests import RequestException

        said = {"title": notice.title, "words": notice.words, "address": notice.address}
        whose = f"mailto:{self._settings.mail_from or 'nobody@localhost'}"
        try:
            webpush(
                json.loads(target),
                json.dumps(said),
                vapid_private_key=self.push_key,
                vapid_claims={"sub": whose},
                ttl=KEPT_FOR,
                timeout=PATIENCE,
            )
        except WebPushException as error:
            status = error.response.status_code if error.response is not None else 0
            raise (Gone if status in (404, 410) else Undelivered)(f"the push service said {status}") from None
        except (RequestException, ValueError, IndexError) as error:  # the last for keys that are too short
            raise Undelivered(f"the push service is out of reach ({type(error).__name__})") from None

    async def _hook(self, address: str, notice: Notice) -> None:
        import httpx

        try:
            async with httpx.AsyncClient(timeout=PATIENCE, follow_redirects=False) as client:
                answer = await client.post(address, json=_hook_body(address, notice))
        except httpx.HTTPError as error:
            raise Undelivered(f"the webhook is out of reach ({type(error).__name__})") from None
        if not answer.is_success:
            raise Undelivered(f"the webhook said {answer.status_code}")


def _hook_body(address: str, notice: Notice) -> dict[str, Any]:
    """As Discord or Slack want it; anybody else gets both, and the event."""
    text = "\n".join(part for part in (f"{notice.title}", notice.words, notice.address) if part)
    host = urlsplit(address).hostname or ""
    if host.startswith("discord"):
        return {"content": text, "allowed_mentions": {"parse": []}}
    if host == "hooks.slack.com":
        return {"text": text}
    return {"content": text, "text": text, "event": notice.event, "address": notice.address}


def has_push() -> bool:
    """Whether what pushes need is installed: `pip install bulge[notices]`."""
    return find_spec("pywebpush") is not None


def new_push_key() -> str:
    """A private key, as the library that uses it wants it."""
    from py_vapid import Vapid02, b64urlencode

    key = Vapid02()
    key.generate_keys()
    return str(b64urlencode(key.private_key.private_numbers().private_value.to_bytes(32, "big")))


def public_part(key: str) -> str:
    """What browsers must know of it."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
    from py_vapid import Vapid02, b64urlencode

    point = Vapid02.from_raw(key.encode()).public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return str(b64urlencode(point))
