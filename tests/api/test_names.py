"""Names over HTTP: accepted names are shown unchanged, and refusals name the reason."""

import pytest

from tests.service import Client, Service


def test_a_name_is_normalised_wherever_it_is_shown(service: Service, bob: Client) -> None:
    zoe = service.player("  Zoe\u0308  ")
    assert zoe.player["name"] == "Zoë"
    assert zoe.get("/me").json()["player"]["name"] == "Zoë"
    assert bob.game(zoe.create("me", "open")["id"])["seats"][0]["player"]["name"] == "Zoë"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("ada\u202e", "U+202E is a format character"),
        ("\u3164", "U+3164 is blank"),
        ("a\u0000", "U+0000 is a control character"),
        ("\u2029", "U+2029 is a paragraph separator"),
        ("\ue000", "U+E000 is a private character"),
        ("\u0301", "The text is invisible"),
        ("   ", "between 1 and 40"),
    ],
)
def test_a_name_with_invisible_characters_is_refused(
    nobody: Client, ada: Client, admin: Client, name: str, why: str
) -> None:
    answer = nobody.post("/players", {"name": name})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid-request")
    assert why in answer.json()["errors"]["name"][0]
    game = ada.started("me", "me")["id"]
    assert admin.post(f"/games/{game}/administration", {"action": "pause", "reason": name}).status_code == 422
    if name.strip():
        assert ada.post("/keys", {"label": name}).status_code == 422
    if "U+" in why:
        refused = ada.post("/games", {"ruleset": "catham-city", "seats": ["me", "me"], "nonce": name})
        assert (refused.status_code, list(refused.json()["errors"])) == (422, ["nonce"])


def test_a_label_is_normalised(ada: Client) -> None:
    assert ada.post("/keys", {"label": " Zoe\u0308s   phone "}).json()["label"] == "Zoës phone"
