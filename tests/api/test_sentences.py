"""The log in words over HTTP: pages, JSON Lines, streams; legal moves with the newest commit, and in words."""

import json

import pytest

from tests.api.test_events import play
from tests.service import Client, Service

EVERYTHING = {"with": "view,legal,text"}
HOSTILE = "<b>Eve</b>"
HEBREW = "\u05d0\u05d3\u05d4"


def texts(commit: dict) -> list[str]:
    return [sentence["text"] for sentence in commit["text"]["events"]]


def test_a_page_tells_each_commit_in_words_with_the_names_of_the_players(ada: Client, bob: Client) -> None:
    id = ada.started("me", bob, options={"first_seat": 0})["id"]
    move = next(each for each in ada.legal(id)["moves"] if each["type"] == "take_cards")
    assert ada.move(id, move).status_code == 201
    answer = bob.get(f"/games/{id}/events", params={"with": "text"})
    set_up, taken = answer.json()["commits"]
    assert set_up["text"]["move"]["text"] == "Shuffle, deal the hands and lay out the market."
    assert taken["text"]["move"]["text"].startswith("Take ")
    assert texts(taken)[0].startswith("ada takes ") and texts(taken)[-1] == "It is bob's turn."
    assert taken["text"]["events"][0]["clauses"] == ["CC-19"]
    assert [len(commit["text"]["events"]) for commit in (set_up, taken)] == [
        len(commit["events"]) for commit in (set_up, taken)
    ]
    assert answer.headers["Content-Language"] == "en" and "Accept-Language" in answer.headers["Vary"]
    assert "view" not in taken and "legal" not in taken


def test_only_the_newest_commit_of_a_page_has_the_legal_moves_of_ones_own_seats(ada: Client, bob: Client) -> None:
    id = ada.started("me", bob, "me", options={"first_seat": 0})["id"]
    play(ada, id, 1)
    for reader, seats in ((ada, []), (bob, [1])):
        first, newest = reader.get(f"/games/{id}/events", params=EVERYTHING).json()["commits"]
        assert "legal" not in first
        assert [legal["seat"] for legal in newest["legal"]] == seats
        assert newest["view"] == reader.game(id)["view"]
        for legal in newest["legal"]:
            plain = reader.legal(id)
            assert {**legal, "text": None} == {**plain, "text": None}
            assert len(legal["text"]["moves"]) == len(legal["moves"]) and legal["text"]["default"]
            told = reader.get(f"/games/{id}/legal-moves", params={"with": "text"})
            assert told.json() == legal and told.headers["Content-Language"] == "en"
        (page,) = reader.get(f"/games/{id}/events", params={**EVERYTHING, "limit": 1}).json()["commits"]
        assert "legal" not in page, "this commit is not the newest"


def test_a_spectator_gets_sentences_and_no_legal_moves(ada: Client, nobody: Client) -> None:
    id = ada.started("me", "me")["id"]
    (commit,) = nobody.get(f"/games/{id}/events", params=EVERYTHING).json()["commits"]
    assert commit["legal"] == [] and commit["text"]["events"]
    assert commit["view"] == nobody.game(id)["view"]


def test_json_lines_and_pages_say_the_same(ada: Client) -> None:
    id = ada.started("me", "me")["id"]
    play(ada, id, 3)
    page = ada.get(f"/games/{id}/events", params=EVERYTHING).json()["commits"]
    lines = ada.get(f"/games/{id}/events", params=EVERYTHING, headers={"Accept": "application/jsonl"})
    assert [json.loads(line) for line in lines.text.splitlines()] == page
    assert [commit["version"] for commit in page if "legal" in commit] == [4]


def test_a_stream_has_all_sentences_but_only_the_newest_view_and_legal_moves(ada: Client) -> None:
    id = ada.started("me", "me")["id"]
    play(ada, id, 3)
    stream = ada.stream(f"/games/{id}/events?with=view,legal,text")
    commits = [message["data"] for message in stream.await_messages(4)]
    page = ada.get(f"/games/{id}/events", params=EVERYTHING).json()["commits"]
    assert [commit["text"] for commit in commits] == [commit["text"] for commit in page]
    assert [commit["version"] for commit in commits if "view" in commit] == [4]
    assert commits[-1] == page[-1]
    play(ada, id, 1)
    newest = stream.await_messages(5)[-1]["data"]
    assert newest == ada.get(f"/games/{id}/events", params={**EVERYTHING, "after": 4}).json()["commits"][0]
    assert newest["legal"] and newest["view"] == ada.game(id)["view"]
    stream.close()


def test_streams_of_one_game_each_get_what_they_asked_for(ada: Client, bob: Client) -> None:
    id = ada.started("me", bob)["id"]
    plain, told, bobs = (
        ada.stream(f"/games/{id}/events"),
        ada.stream(f"/games/{id}/events?with=text"),
        bob.stream(f"/games/{id}/events?with=legal"),
    )
    first = [stream.await_messages(1)[0]["data"] for stream in (plain, told, bobs)]
    assert [("text" in commit, "legal" in commit) for commit in first] == [(False, False), (True, False), (False, True)]
    for stream in (plain, told, bobs):
        stream.close()


def test_what_is_hidden_from_a_reader_is_in_none_of_the_readers_sentences(ada: Client, bob: Client) -> None:
    game = ada.started("me", bob, ruleset="hund-und-katz")
    commits = {
        reader: reader.get(f"/games/{game['id']}/events", params={"with": "text"}).json() for reader in (ada, bob)
    }
    mine, theirs = (" ".join(texts(commits[reader]["commits"][0])) for reader in (ada, bob))
    assert "ada gets 6 pawns and the action cards" in mine and "bob gets 6 pawns and three action cards" in mine
    assert "ada gets 6 pawns and three action cards" in theirs and "bob gets 6 pawns and the action cards" in theirs


def test_a_secret_move_has_no_sentence_for_others(ada: Client, bob: Client) -> None:
    game = ada.started("me", bob, "me", ruleset="fangfrisch", options={"first_seat": 0, "pace": "turn"})
    assert ada.move(game["id"], {"type": "sell_fish", "lots": []}, 0).status_code == 201
    assert bob.move(game["id"], {"type": "pass"}).status_code == 201
    mine, theirs = (
        reader.get(f"/games/{game['id']}/events", params={"with": "text", "after": 2}).json()["commits"][0]
        for reader in (bob, ada)
    )
    assert mine["text"]["move"]["text"] == "Let this card go by." and texts(mine) == ["bob lets it go by."]
    assert theirs["move"] is None and theirs["text"]["move"] is None and texts(theirs) == ["bob has answered."]


@pytest.mark.parametrize("name", [HOSTILE, "{seat}", "{", "a" * 40])
def test_a_name_is_only_a_name_in_a_sentence(service: Service, name: str) -> None:
    eve = service.player(name)
    id = eve.started("me", {"bot": "random"}, options={"first_seat": 0})["id"]
    commit = eve.get(f"/games/{id}/events", params={"with": "text"}).json()["commits"][0]
    assert texts(commit)[0].endswith(f" {name} begins.")


def test_a_right_to_left_name_cannot_turn_the_sentence_around_it(service: Service) -> None:
    ada = service.player(HEBREW)
    id = ada.started("me", {"bot": "random"}, options={"first_seat": 0})["id"]
    commit = ada.get(f"/games/{id}/events", params={"with": "text"}).json()["commits"][0]
    assert f"\u2068{HEBREW}\u2069 begins." in texts(commit)[0]


def test_players_of_the_same_name_are_told_apart(ada: Client) -> None:
    id = ada.started("me", "me", options={"first_seat": 1})["id"]
    commit = ada.get(f"/games/{id}/events", params={"with": "text"}).json()["commits"][0]
    assert texts(commit)[0].endswith("ada 2 begins.")


def test_what_happens_at_the_table_is_told_as_well(ada: Client, bob: Client) -> None:
    id = ada.started("me", bob, "me")["id"]
    assert bob.post(f"/games/{id}/pause", {"agreed": True}).status_code == 201
    commit = ada.get(f"/games/{id}/events", params={"with": "text", "after": 1}).json()["commits"][0]
    assert texts(commit) == ["bob would like a pause."]


SAID = {
    "de": "Mischen, Karten austeilen und den Markt auslegen.",
    "fr": "Mélanger, distribuer les cartes et garnir le marché.",
}


@pytest.mark.parametrize(
    ("accepted", "language"),
    [("de", "de"), ("de-AT, en;q=0.9", "de"), ("fr-CH, en;q=0.1", "fr"), ("es, FR;q=0.5", "fr"), ("fr;q=0, de", "de")],
)
def test_sentences_are_told_in_the_language_that_is_accepted_best(ada: Client, accepted: str, language: str) -> None:
    id = ada.started("me", "me", options={"first_seat": 0})["id"]
    headers = {"Accept-Language": accepted}
    answer = ada.get(f"/games/{id}/events", params=EVERYTHING, headers=headers)
    (commit,) = answer.json()["commits"]
    assert answer.headers["Content-Language"] == language and "Accept-Language" in answer.headers["Vary"]
    assert commit["text"]["move"]["text"] == SAID[language]
    legal = ada.get(f"/games/{id}/legal-moves", params={"with": "text"}, headers=headers)
    assert legal.json()["text"] == commit["legal"][0]["text"] and legal.headers["Content-Language"] == language
    english = ada.get(f"/games/{id}/events", params=EVERYTHING).json()["commits"][0]
    assert [each["clauses"] for each in commit["text"]["events"]] == [
        each["clauses"] for each in english["text"]["events"]
    ]
    assert {**commit, "text": None, "legal": None} == {**english, "text": None, "legal": None}


@pytest.mark.parametrize("accepted", ["es", "en-GB, fr;q=0.9", "*", "es, *;q=0.1", "x" * 500, "en;q=nonsense", ""])
def test_english_is_told_where_no_other_language_is_there(ada: Client, accepted: str) -> None:
    id = ada.started("me", "me")["id"]
    answer = ada.get(f"/games/{id}/events", params={"with": "text"}, headers={"Accept-Language": accepted})
    assert answer.status_code == 200 and answer.headers["Content-Language"] == "en"
