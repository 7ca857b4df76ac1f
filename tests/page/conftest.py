"""One service and one browser for all tests of the page; each test has windows of its own."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from tests.page.chromium import find_chromium
from tests.run_times import HOW_TO_GET_ONE, NO_BROWSER
from tests.service import Service
from tests.waiting import eventually

REPORT_VIOLATIONS = """
addEventListener("securitypolicyviolation", (e) => console.error(`policy: ${e.violatedDirective} ${e.blockedURI}`));
"""
LONG = 400
Faults = list[str]
Windows = Callable[..., Page]


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The whole service, started once."""
    running = Service(tmp_path_factory.mktemp("page")).start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real Chromium. Only root needs to switch its sandbox off."""
    found = find_chromium()
    assert found is not None, f"{NO_BROWSER}; {HOW_TO_GET_ONE}"
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=found.path,
            args=["--no-sandbox"] if os.geteuid() == 0 else [],
            env={**os.environ, **found.environment},
        )
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def finished(service: Service) -> str:
    """A game that two bots have played."""
    ada = service.player("ada")
    bots = [{"bot": "greedy"}, {"bot": "random"}]
    id = ada.create(*bots, ruleset="hund-und-katz")["id"]
    eventually(lambda: ada.game(id)["status"] == "finished", 60)
    return id


@pytest.fixture(scope="session")
def beginning_of_a_long_game(service: Service) -> str:
    """A game that bots play while other tests run."""
    bots = [{"bot": "random"}] * 3
    return str(service.player("ada").create(*bots, ruleset="explorers-and-pirates")["id"])


@pytest.fixture(scope="session", autouse=True)
def begun_early(request: pytest.FixtureRequest) -> None:
    """Start the long game with the first test if any test needs it later."""
    if any("long_game" in item.fixturenames for item in request.session.items if isinstance(item, pytest.Function)):
        request.getfixturevalue("beginning_of_a_long_game")


@pytest.fixture
def long_game(service: Service, beginning_of_a_long_game: str) -> str:
    """A game of at least 400 commits that is over."""
    admin, id = service.admin(), beginning_of_a_long_game
    eventually(lambda: admin.game(id)["version"] >= LONG or admin.game(id)["status"] == "finished", 60, 0.25)
    if admin.game(id)["status"] == "running":
        admin.post(f"/games/{id}/administration", {"action": "annul", "reason": "Long enough."}).raise_for_status()
    return id


@pytest.fixture
def expected_faults() -> Faults:
    """Parts of console errors that a test provokes."""
    return []


@pytest.fixture
def faults(expected_faults: Faults) -> Iterator[Faults]:
    """What went wrong in any window; a test fails if anything did."""
    found: Faults = []
    yield found
    assert not [fault for fault in found if not any(expected in fault for expected in expected_faults)]


@pytest.fixture
def contexts(browser: Browser, service: Service, faults: Faults) -> Iterator[Callable[..., BrowserContext]]:
    """Makes browser profiles without anything in them."""
    made: list[BrowserContext] = []

    def new_context(**options: object) -> BrowserContext:
        usual = {"base_url": service.url, "reduced_motion": "reduce", "viewport": {"width": 1280, "height": 720}}
        context = browser.new_context(**{**usual, **options})
        context.set_default_timeout(8000)
        context.add_init_script(REPORT_VIOLATIONS)
        made.append(context)
        return context

    yield new_context
    for context in made:
        for page in context.pages:
            page.unroute_all(behavior="ignoreErrors")
        context.close()


@pytest.fixture
def watched(faults: Faults) -> Callable[[Page], Page]:
    """Notes what goes wrong in a window."""

    def watch(page: Page) -> Page:
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: note(message, faults))
        return page

    return watch


def note(message: ConsoleMessage, faults: Faults) -> None:
    """Problems of the API are answers, not faults: the browser reports them as failed resources."""
    if message.type == "error" and "Failed to load resource" not in message.text:
        faults.append(message.text)


@pytest.fixture
def window(contexts: Callable[..., BrowserContext], watched: Callable[[Page], Page]) -> Windows:
    """Opens a window of somebody whom nobody knows yet."""
    return lambda **options: watched(contexts(**options).new_page())


@pytest.fixture
def player_window(window: Windows, service: Service) -> Windows:
    """Opens a window of a player."""

    def open_window(name: str = "ada", **options: object) -> Page:
        page = window(**options)
        key = service.player(name).key
        page.add_init_script(f"localStorage.getItem('referee.key') ?? localStorage.setItem('referee.key', '\"{key}\"')")
        return page

    return open_window


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests with a browser share one worker; without a browser they are left out, but not where CI says so."""
    here = [item for item in items if Path(__file__).parent in item.path.parents and "browser" in item.fixturenames]
    for item in here:
        item.add_marker(pytest.mark.xdist_group("page"))
        if find_chromium() is None and os.environ.get("CI") != "true":
            item.add_marker(pytest.mark.skip(NO_BROWSER))
