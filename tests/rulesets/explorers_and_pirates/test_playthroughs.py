"""Playthroughs beside the whole game: the beginning of each scenario."""

from referee.rulesets.explorers_and_pirates import EXPLORERS_AND_PIRATES
from referee.rulesets.explorers_and_pirates.scenarios import SCENARIOS
from tests.playthrough import files_of, read_sections, replayed


def test_the_first_round_of_every_scenario_is_on_record() -> None:
    shown = set()
    for file in files_of(EXPLORERS_AND_PIRATES):
        for section in read_sections(EXPLORERS_AND_PIRATES, file):
            *_, last = replayed(EXPLORERS_AND_PIRATES, section.start, section.moves)
            if section.start.position.phase == "setup" and last.after.this_turn.number > section.start.seats:
                shown.add(section.start.options.scenario)
    assert shown == set(SCENARIOS)
