"""create_app(): builds the web application from the settings."""

from flask import Flask

from referee.api import (
    audits,
    docs,
    events,
    games,
    guides,
    log,
    moves,
    operation,
    pages,
    players,
    problems,
    receipts,
    rulesets,
    table,
)
from referee.api.aside import Thread
from referee.api.context import EXTENSION, Context
from referee.api.cors import Cors
from referee.api.gate import Policies, RateGate
from referee.api.readiness import Readiness
from referee.api.streams import StreamMiddleware, Streams
from referee.ops.logs import set_up_logs
from referee.service.broadcast import Broadcast
from referee.service.inbox import Inboxes
from referee.service.limits import Limiter, RateLimit, Slots
from referee.service.players import Keyring
from referee.settings import Settings, read_settings
from referee.store.feed import Feed
from referee.store.quotas import Quotas
from referee.store.releases import Releases
from referee.wiring import connect, make_hosts, make_public_log, make_receipts, make_repository
from workers.nudger import Nudger


def create_app(settings: Settings | None = None) -> Flask:
    """The web application."""
    settings = settings or read_settings()
    set_up_logs(settings.log_level, settings.log_format)
    redis = connect(settings.redis_url)
    repository = make_repository(settings, redis, Nudger(connect(settings.queue_url)).nudge)
    repository.aside = Thread()
    hosts = make_hosts(connect(settings.queue_url))
    repository.rules_for_new = hosts.for_new_games
    feed = Feed(redis)
    broadcast = Broadcast(repository, feed)
    quotas = Quotas(connect(settings.queue_url))
    slots = Slots(quotas, settings.heartbeat_seconds)
    rate_gate = RateGate(policies_of(settings), Limiter(quotas), slots, settings.proxies)
    streams = Streams(broadcast, Inboxes(repository, feed), slots, settings.heartbeat_seconds, operation.STREAMS.set)
    app = Flask("referee", static_folder=None)
    app.url_map.merge_slashes = False
    context = app.extensions[EXTENSION] = Context(
        repository=repository,
        keyring=Keyring(repository, settings.key_cache_seconds),
        streams=streams,
        cors=Cors(settings.cors_origins),
        rate_gate=rate_gate,
        readiness=Readiness(repository.directory.probe),
        releases=Releases(connect(settings.queue_url)),
        log=make_public_log(settings, redis, repository.finished),
        receipts=make_receipts(settings, redis),
        hosts=hosts,
        drain_seconds=settings.drain_seconds,
        open_registration=settings.open_registration,
        body_bytes_max=settings.body_bytes_max,
        wait_seconds_max=settings.wait_seconds_max,
    )
    problems.install(app)
    operation.install(app)
    for part in (rulesets, players, games, table, moves, events, receipts, audits, log, docs, pages, guides):
        app.register_blueprint(part.blueprint)
    setattr(app, "wsgi_app", moves.MoveMiddleware(StreamMiddleware(app.wsgi_app, streams), context))
    return app


def policies_of(settings: Settings) -> Policies:
    """The rate limits from the settings."""
    return Policies(
        player=RateLimit("player", settings.rate_player),
        address=RateLimit("address", settings.rate_address),
        registration=RateLimit("registration", settings.rate_registrations),
        player_streams=RateLimit("player-streams", settings.streams_player),
        address_streams=RateLimit("address-streams", settings.streams_address),
    )
