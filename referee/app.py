"""create_app(): settings, log, blueprints; the only wiring of the web."""

from flask import Flask

from referee.api import audits, docs, events, games, moves, operation, players, problems, rulesets, table
from referee.api.aside import Thread
from referee.api.browsers import Browsers
from referee.api.context import EXTENSION, Context
from referee.api.gate import Gate, Policies
from referee.api.readiness import Readiness
from referee.api.streams import StreamMiddleware, Streams
from referee.log.feed import Feed
from referee.log.quotas import Quotas
from referee.logs import set_up_logs
from referee.service.broadcast import Broadcast
from referee.service.inbox import Inboxes
from referee.service.limits import Limiter, Places, Policy
from referee.service.players import Keyring
from referee.settings import Settings, read_settings
from referee.wiring import connect, make_desk
from workers.packing import Nudger


def create_app(settings: Settings | None = None) -> Flask:
    """The web application."""
    settings = settings or read_settings()
    set_up_logs(settings.log_level)
    redis = connect(settings.redis_url)
    desk = make_desk(settings, redis, Nudger(connect(settings.queue_url)).nudge)
    desk.aside = Thread()
    feed = Feed(redis)
    broadcast = Broadcast(desk, feed)
    quotas = Quotas(connect(settings.queue_url))
    places = Places(quotas, settings.heartbeat_seconds)
    gate = Gate(policies_of(settings), Limiter(quotas), places, settings.proxies)
    streams = Streams(broadcast, Inboxes(desk, feed), places, settings.heartbeat_seconds, operation.STREAMS.set)
    app = Flask("referee", static_folder=None)
    app.url_map.merge_slashes = False
    parts = app.extensions[EXTENSION] = Context(
        desk=desk,
        keyring=Keyring(desk, settings.key_cache_seconds),
        streams=streams,
        browsers=Browsers(settings.cors_origins),
        gate=gate,
        readiness=Readiness(desk.directory.ping),
        open_registration=settings.open_registration,
        body_bytes_max=settings.body_bytes_max,
        wait_seconds_max=settings.wait_seconds_max,
    )
    problems.install(app)
    operation.install(app)
    for part in (rulesets, players, games, table, moves, events, audits, docs):
        app.register_blueprint(part.blueprint)
    setattr(app, "wsgi_app", moves.ShortCut(StreamMiddleware(app.wsgi_app, streams), parts))
    return app


def policies_of(settings: Settings) -> Policies:
    """The limits that the settings name."""
    return Policies(
        player=Policy("player", settings.rate_player),
        address=Policy("address", settings.rate_address),
        registration=Policy("registration", settings.rate_registrations),
        player_streams=Policy("player-streams", settings.streams_player),
        address_streams=Policy("address-streams", settings.streams_address),
    )
