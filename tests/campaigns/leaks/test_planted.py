"""The campaign finds leaks that are planted in a ruleset or on the way to the caller."""

import random
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from referee.api import audits, events
from referee.kernel.attempt import Attempt
from referee.kernel.canon import canonical
from referee.kernel.rejection import Rejection
from referee.kernel.ruleset import Case
from referee.rulesets import LATEST, RULESETS
from referee.service import broadcast, views
from referee.service.problems import Problem
from referee.service.receipts import Judged, Receipts
from referee.service.sentences import Teller
from tests.api.world import World
from tests.campaigns.leaks.__main__ import ORIGIN
from tests.campaigns.leaks.campaign import Campaign, Effort
from tests.campaigns.leaks.carriers import Answer, Ask, InProcess, Person
from tests.campaigns.leaks.comparison import Difference
from tests.parts import with_functions
from tests.redis_server import RedisServer

SLUG = "catham-city"
SOUND = LATEST[SLUG]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    server = RedisServer(tmp_path_factory.mktemp("planted")).start()
    yield World(server, log_origin=ORIGIN, log_dir=str(tmp_path_factory.mktemp("log")))
    server.stop()


def found(carrier: InProcess, readers: int = 1, commits: int = 0, positions: int = 8) -> list[Difference]:
    effort = Effort(positions=positions, readers=readers, commits=commits)
    return Campaign(carrier, random.Random("planted")).run([LATEST[SLUG]], effort).differences


@pytest.fixture
def doctored(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A function that replaces a title by one with other functions."""

    def plant(**functions: Any) -> None:
        ruleset = with_functions(SOUND, **functions)
        monkeypatch.setitem(LATEST, SLUG, ruleset)
        monkeypatch.setitem(RULESETS, (SLUG, SOUND.version), ruleset)

    return plant


def first_hidden(position: Any) -> str:
    """The first card of a hidden pile."""
    return str(position.draw_pile[0]) if position.draw_pile else ""


def test_the_sound_ruleset_leaks_nothing(world: World) -> None:
    assert found(InProcess(world)) == []


def test_a_view_that_reveals_a_hidden_card_is_found(world: World, doctored: Callable[..., None]) -> None:
    def leaky_view(position: Any, seat: Any, edition: Any) -> Any:
        view = SOUND.view(position, seat)
        return msgspec.structs.replace(view, draw_pile_count=len(first_hidden(position)))

    doctored(view=leaky_view)
    leaks = found(InProcess(world))
    assert leaks and all(leak.ask.method in ("GET", "HEAD", "POST") for leak in leaks)
    assert any(leak.what == "body" and leak.ask.path == "/v1/games/{game}" for leak in leaks)


def test_a_refusal_that_names_a_hidden_card_is_found(world: World, doctored: Callable[..., None]) -> None:
    def leaky_before(case: Case[Any, Any], attempt: Attempt) -> None:
        try:
            SOUND.contract.before(case, attempt)
        except Rejection as rejection:
            raise Rejection(rejection.clause, f"{rejection.message} {first_hidden(case.position)}") from None

    doctored(before=leaky_before)
    leaks = found(InProcess(world))
    assert leaks and all("/moves" in leak.ask.path for leak in leaks)


def test_legal_moves_that_depend_on_a_hidden_card_are_found(world: World, doctored: Callable[..., None]) -> None:
    def leaky_candidates(position: Any, seat: Any, edition: Any) -> Any:
        parity = len(first_hidden(position)) % 2
        return [move for at, move in enumerate(SOUND.candidates(position, seat)) if at % 2 != parity]

    doctored(candidates=leaky_candidates)
    leaks = found(InProcess(world), readers=6)  # only a seat that is awaited has legal moves
    assert leaks and {leak.ask.path for leak in leaks} & {"/v1/games/{game}/legal-moves"}


def test_a_seat_that_sees_its_cards_before_the_start_is_found(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.service.views.eyes", lambda game, reader: reader)
    leaks = found(InProcess(world))
    assert leaks and all("seats" in leak.ask.path or leak.ask.method == "GET" for leak in leaks)


def only_by_sentences(leaks: list[Difference]) -> bool:
    """Whether there are leaks, and each is in an answer with sentences."""
    return bool(leaks) and all("with=" in leak.ask.path and "text" in leak.ask.path for leak in leaks)


def test_a_sentence_that_is_made_of_the_whole_event_is_found(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The events and the move stay redacted: only the sentences tell what a seat answered in secret."""
    sound = views.commit_view

    def leaky(game: Any, commit: Any, hash: str, reader: Any, text_of: Any, teller: Any = None) -> Any:
        seen = sound(game, commit, hash, reader, text_of)
        return seen if teller is None else replace(seen, text=teller.commit(commit.move, commit.events))

    for module in (events, broadcast):
        monkeypatch.setattr(module, "commit_view", leaky)
    assert only_by_sentences(found(InProcess(world), readers=6, commits=3, positions=12))


def test_a_sentence_whose_length_tells_a_secret_is_found(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    sound = Teller.legal

    def leaky(self: Teller, moves: tuple[Any, ...], default: Any) -> Any:
        text = sound(self, moves, default)
        return replace(text, default=text.default and text.default + " " * secret[0])

    secret = [0]

    class Telling(InProcess):
        """Sets what the sentences leak to something that depends on the whole position."""

        def ask(self, ask: Ask, game: str, person: Person) -> Answer:
            if game:
                position = self.repository.newest(self.repository.game(game)).position
                secret[0] = len(first_hidden(position))
            return super().ask(ask, game, person)

    monkeypatch.setattr(Teller, "legal", leaky)
    assert only_by_sentences(found(Telling(world), readers=6))


def test_legal_moves_of_another_seat_are_found(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    sound = views.legal_views
    monkeypatch.setattr(
        events,
        "legal_views",
        lambda game, state, seats, teller: sound(game, state, tuple(range(len(game.seats))), teller),
    )
    leaks = found(InProcess(world), readers=6, commits=1, positions=12)
    assert leaks and all("with=view,legal,text" in leak.ask.path for leak in leaks)


def test_a_list_of_luck_before_the_end_is_found(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def early(log: Any, game: str) -> bytes:
        repository = world.repository
        return canonical({"drawings": [first_hidden(repository.newest(repository.game(game)).position)]})

    monkeypatch.setattr(audits, "require_over", lambda game, state: None)
    monkeypatch.setattr(type(world.repository.log), "luck", early)
    assert "/v1/games/{game}/luck" in {leak.ask.path for leak in found(InProcess(world))}


class Leaky(InProcess):
    """A carrier that adds something to answers that depends on the whole position."""

    def __init__(self, world: World, add: Callable[[Answer, bytes], Answer]) -> None:
        super().__init__(world)
        self._add = add

    def ask(self, ask: Ask, game: str, person: Person) -> Answer:
        answer = super().ask(ask, game, person)
        if not game:
            return answer
        position = canonical(self.repository.newest(self.repository.game(game)).position)
        return self._add(answer, position)


def _with_tag(answer: Answer, position: bytes) -> Answer:
    headers = [(name, value) for name, value in answer.headers if name != "ETag"]
    return answer._replace(headers=(*headers, ("ETag", sha256(position).hexdigest()[:8])))


def _with_header(answer: Answer, position: bytes) -> Answer:
    return answer._replace(headers=(*answer.headers, *[("X-Odd", "1")] * (sha256(position).digest()[0] % 2)))


def _with_blanks(answer: Answer, position: bytes) -> Answer:
    return answer._replace(body=answer.body + b" " * (sha256(position).digest()[0] % 2))


def _with_status(answer: Answer, position: bytes) -> Answer:
    return answer._replace(status=answer.status + sha256(position).digest()[0] % 2)


@pytest.mark.parametrize(
    ("add", "what"),
    [(_with_tag, "headers"), (_with_header, "headers"), (_with_blanks, "size"), (_with_status, "status")],
)
def test_an_answer_that_depends_on_the_whole_position_is_found(
    world: World, add: Callable[[Answer, bytes], Answer], what: str
) -> None:
    assert what in {leak.what for leak in found(Leaky(world, add))}


def test_a_receipt_that_names_a_hidden_card_is_found(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    sound = Receipts.refused

    def leaky(receipts: Receipts, judged: Judged, problem: Problem) -> str | None:
        hidden = sha256(first_hidden(judged.state.position).encode()).digest()
        return sound(receipts, replace(judged, body=hidden), problem)

    monkeypatch.setattr(Receipts, "refused", leaky)
    leaks = found(InProcess(world))
    assert leaks and all(dict(leak.ask.headers).get("Prefer") == "receipt" for leak in leaks)
