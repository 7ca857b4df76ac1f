"""Point 18: playthroughs replay line by line and show everything."""

from itertools import zip_longest

from tests.conformance.showing import must_be_shown, shown_by_section
from tests.playthrough import as_lines, files_of, read_sections, replayed
from tests.subjects import Subject, every_ruleset


@every_ruleset
def test_playthroughs_replay_line_by_line(subject: Subject) -> None:
    """`python -m tests.record` writes them again; the diff shows the effect of a changed rule."""
    files = files_of(subject.ruleset)
    assert files, "there are none: run `python -m tests.record`"
    for file in files:
        for section in read_sections(subject.ruleset, file):
            commits = replayed(subject.ruleset, section.start, section.moves)
            lines = as_lines(subject.ruleset, section.title, section.start, commits)
            for number, (now, recorded) in enumerate(zip_longest(lines, section.lines), 1):
                assert now == recorded, f"{file.name}, {section.title!r}, line {number}"


@every_ruleset
def test_playthroughs_show_each_event_and_each_way_to_end(subject: Subject) -> None:
    ruleset = subject.ruleset
    sections = [section for file in files_of(ruleset) for section in read_sections(ruleset, file)]
    shown = frozenset[str]().union(*(shown_by_section(ruleset, section) for section in sections))
    assert must_be_shown(subject) <= shown


@every_ruleset
def test_a_whole_game_is_recorded(subject: Subject) -> None:
    (file,) = (file for file in files_of(subject.ruleset) if file.stem == "game")
    (section,) = read_sections(subject.ruleset, file)
    commits = list(replayed(subject.ruleset, section.start, section.moves))
    assert commits[0].before.phase == "setup"
    assert commits[-1].after.phase == "finished"
