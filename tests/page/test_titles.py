"""Every title to its end: by mouse, by keyboard, on a touch screen, without its board; and a title that nobody knew."""

import random
import re
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from referee.kernel.ruleset import Ruleset
from referee.rulesets import TITLES
from tests.docs.listings import LIST_OF_TITLES, listings_read, registered
from tests.page import hands
from tests.page.conftest import Windows
from tests.page.endings import ending_of
from tests.page.moments import seated
from tests.page.playing import Act, card, client_of, make_move, move_by_clicks, play_by_clicks, settled, slug_of, start
from tests.service import Service
from tests.subjects import ROOT
from tests.toy import TOY

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SLUGS = {TOY.slug: "pond"}
"""What a title is called in its copy."""
MOVES = 20
LEFT_OUT = shutil.ignore_patterns("__pycache__", "board.js")

WAYS: dict[str, tuple[dict[str, object], Act]] = {
    "mouse": ({}, Locator.click),
    "keyboard": ({}, lambda target: target.press("Enter")),
    "touch": (PHONE, Locator.tap),
}
every_title = pytest.mark.parametrize("rules", [pytest.param(rules, id=rules.slug) for rules in TITLES])


def play_to_the_end(page: Page, service: Service, rules: Ruleset, act: Act = Locator.click) -> None:
    """Make the last move of a game that is nearly over, at a table where one holds all seats."""
    page.goto("/")
    ending = ending_of(rules)
    slug = SLUGS.get(rules.slug, rules.slug)
    seats, position = ["me"] * len(ending.position["seats"]), {**ending.position, "ruleset": slug}
    game = client_of(page, service).create(*seats, ruleset=slug, position=position)
    page.goto(f"/games/{game['id']}")
    make_move(page, ending.move, act)
    expect(page.locator(".result")).to_be_visible()


@every_title
@pytest.mark.parametrize("way", WAYS)
def test_each_of_the_titles_can_be_played_to_its_end_with_the_mouse_only_the_keyboard_only_and_on_a_touch_screen(
    player_window: Windows, service: Service, rules: Ruleset, way: str
) -> None:
    """Moves from the middle of each, and its end; a whole game is played elsewhere, and by `make campaign-page`."""
    options, act = WAYS[way]
    page = player_window(**options)
    play_to_the_end(page, service, rules, act)
    page.goto(f"/games/{seated(client_of(page, service), rules.slug, other='me')}")
    made, _ = hands.play(page, hands.WAYS[way], random.Random(f"{rules.slug} {way}"), MOVES)
    assert made == MOVES or page.locator(".result").count()


@pytest.fixture(scope="module")
def sixth_title(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service with a sixth title, one package and one line in the list of titles, and without any board."""
    root = tmp_path_factory.mktemp("sixth")
    for part in ("referee", "schemas", "workers", "docs"):
        shutil.copytree(ROOT / part, root / part, ignore=LEFT_OUT)
    shutil.copy(ROOT / "wsgi.py", root)
    for name, text in listings_read().items():
        file = root / "referee" / "rulesets" / "pond" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    titles = root / LIST_OF_TITLES.relative_to(ROOT)
    titles.write_text(registered(titles.read_text(encoding="utf-8")), encoding="utf-8")
    running = Service(tmp_path_factory.mktemp("sixth-service"), root).start()
    yield running
    running.stop()


@pytest.fixture
def guest(window: Windows, sixth_title: Service) -> Page:
    """A player of the service with the sixth title."""
    page = window(base_url=sixth_title.url)
    key = sixth_title.player("ada").key
    page.add_init_script(f"localStorage.getItem('referee.key') ?? localStorage.setItem('referee.key', '\"{key}\"')")
    return page


def test_copy_the_toy_as_a_sixth_title_and_it_can_be_played_replayed_and_audited_in_the_page(
    guest: Page, sixth_title: Service
) -> None:
    guest.goto("/")
    card(guest, "Pond").get_by_role("button", name="Play now").click()
    settled(guest)
    play_by_clicks(guest, 2)
    play_to_the_end(guest, sixth_title, TOY)
    guest.goto(f"/games/{slug_of(guest)}?at=1")
    expect(guest.locator(".count")).to_have_text(re.compile(r"^1/\d+"))
    expect(guest.locator("#board .stall").first).to_be_visible()
    guest.goto(f"/games/{slug_of(guest)}/audit")
    expect(guest.locator(".audit-column").first).to_have_attribute("data-verdict", "follows")


@every_title
def test_delete_every_board_and_every_title_can_still_be_played_to_its_end(
    guest: Page, sixth_title: Service, rules: Ruleset
) -> None:
    play_to_the_end(guest, sixth_title, rules)
    assert client_of(guest, sixth_title).get(f"/rulesets/{rules.slug}").json()["board"] is None
    expect(guest.locator("#board .stall").first).to_be_visible()


def test_kill_the_service_start_it_the_page_goes_on_by_itself_within_10_seconds(
    guest: Page, sixth_title: Service
) -> None:
    """Here, because it needs a service of its own."""
    start(guest, "Catham City")
    sixth_title.kill()
    expect(guest.locator(".bar")).to_contain_text("No connection")
    sixth_title.start()
    expect(guest.locator(".bar")).to_have_count(0, timeout=10_000)
    before = guest.locator(".entry").count()
    move_by_clicks(guest)
    expect(guest.locator(".entry")).not_to_have_count(before)
