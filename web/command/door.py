"""What `vivant serve` lets in: keys, tokens, webhooks, and from where it may be reached."""

import ipaddress
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING

from web.command.outcome import note, usage

if TYPE_CHECKING:
    from pipeline.configuration import Configuration, WebhookSettings
    from transport.access.access import Access
    from transport.webhooks import Webhooks


@dataclass(frozen=True, slots=True)
class Door:
    """Who is let in, and who is told of it."""

    access: "Access"
    webhooks: "Webhooks | None"


def open_door(configuration: "Configuration") -> Door:
    """Read the keys, the secrets and the webhook of a configuration.

    Raises:
        ConfigurationError: a file or a setting is not accepted.
    """
    from pipeline.configuration import secret
    from transport.access.access import open_access
    from transport.access.audit import Audit

    settings = configuration.access
    webhooks = open_webhooks(configuration.webhooks)
    access = open_access(
        settings.keys_file,
        settings.secret_file,
        single=secret(settings.key_variable),
        audit=Audit(settings.audit_file),
        observer=webhooks.post if webhooks else None,
    )
    return Door(access, webhooks)


def open_webhooks(settings: "WebhookSettings") -> "Webhooks | None":
    """Return what tells events, or None where no URL is set.

    Raises:
        ConfigurationError: the URL, an event's name or the secret is not accepted.
    """
    from pipeline.configuration import secret
    from transport.outward import Poster
    from transport.webhooks import Webhooks, read_webhook_secret

    if not settings.url:
        return None
    poster = Poster(settings.url, settings.allowed_hosts)
    key = read_webhook_secret(secret(settings.secret_variable), settings.secret_variable)
    return Webhooks(poster, key, settings.events)


def check_reach(listener: socket.socket, access: "Access", *, tls: bool) -> None:
    """Check that a server which other machines can reach asks for a key.

    Raises:
        CommandError: it asks for none.
    """
    address = str(listener.getsockname()[0]).partition("%")[0]
    if ipaddress.ip_address(address).is_loopback:
        return
    if not access.required:
        raise usage(
            f"other machines can reach {address}, and there is no key. Make one "
            "(vivant keys create NAME) or set VIVANT_API_KEY; or stay at --host 127.0.0.1, "
            "which needs none"
        )
    if not tls:
        note(
            "keys, speech and pictures of the page travel in the clear: give --certificate and "
            "--key, or put a proxy with TLS in front"
        )
