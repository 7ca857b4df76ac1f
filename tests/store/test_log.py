"""The tests that every log must pass."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from referee.kernel.canon import digest
from referee.store.log import (
    ENTRIES_MAX,
    Behind,
    Conflict,
    GameExists,
    Head,
    IdempotencyKey,
    Log,
    Race,
    Repeated,
    Written,
)
from tests.store.entries import GAME, entries, entry


def fill(log: Log, count: int, game: str = GAME) -> None:
    """Append the first entries of a game."""
    for each in entries(count):
        assert log.append(game, each, None, None) == Written()


class TestAppends:
    def test_appended_entries_are_read_byte_for_byte(self, log: Log) -> None:
        fill(log, 3)
        assert tuple(log.read(GAME, 0)) == entries(3)

    def test_an_unknown_game_has_no_entries(self, log: Log) -> None:
        assert tuple(log.read("g_none", 0)) == ()
        assert tuple(log.read("g_none", 7)) == ()

    def test_only_newer_entries_are_read(self, log: Log) -> None:
        fill(log, 12)
        assert tuple(log.read(GAME, 9)) == entries(12)[9:]
        assert tuple(log.read(GAME, 12)) == ()
        assert tuple(log.read(GAME, 99)) == ()

    def test_a_long_log_is_read_in_parts(self, log: Log) -> None:
        fill(log, 12)
        assert tuple(log.read(GAME, 2, limit=3)) == entries(5)[2:]

    def test_each_game_has_its_own_log(self, log: Log) -> None:
        fill(log, 2, "g_one")
        fill(log, 3, "g_two")
        assert len(log.read("g_one", 0)) == 2
        assert len(log.read("g_two", 0)) == 3

    def test_appending_a_taken_version_returns_the_newer_entries(self, log: Log) -> None:
        fill(log, 5)
        assert log.append(GAME, entry(4, "late"), None, None) == Behind(entries(5)[3:])
        assert tuple(log.read(GAME, 0)) == entries(5)

    def test_appending_a_version_too_far_ahead_returns_no_entries(self, log: Log) -> None:
        fill(log, 5)
        assert log.append(GAME, entry(7), None, None) == Behind(())
        assert tuple(log.read(GAME, 0)) == entries(5)

    def test_the_first_version_of_a_log_is_one(self, log: Log) -> None:
        assert log.append(GAME, entry(2), None, None) == Behind(())
        assert tuple(log.read(GAME, 0)) == ()

    def test_a_writer_far_behind_gets_at_most_one_read_of_entries(self, log: Log) -> None:
        fill(log, ENTRIES_MAX + 5)
        answer = log.append(GAME, entry(3, "late"), None, None)
        assert answer == Behind(entries(ENTRIES_MAX + 2)[2:])
        assert tuple(log.read(GAME, 0)) == entries(ENTRIES_MAX)


class TestThoughts:
    def test_a_race_takes_the_first_move_of_each_seat_until_its_time_and_wakes_the_game(self, log: Log) -> None:
        assert log.race(GAME) is None
        assert log.enter_race(GAME, 1, b"one", 100, 400, 300) == (True, 400)
        assert log.enter_race(GAME, 2, b"two", 250, 550, 550) == (True, 400)
        assert log.enter_race(GAME, 1, b"again", 260, 560, 560) == (True, 400)
        assert log.enter_race(GAME, 3, b"late", 301, 601, 601) == (False, 400)
        race = log.race(GAME)
        assert race is not None and (race.closes, sorted(race.moves)) == (400, [b"one", b"two"])
        assert dict(log.due_games(400, 10))[GAME] == 400
        assert log.race("g_other") is None

    def test_a_race_wakes_the_game_no_later_than_it_would_wake_anyway(self, log: Log) -> None:
        log.wake(GAME, 300)
        log.enter_race(GAME, 1, b"one", 100, 400, 400)
        assert dict(log.due_games(400, 10))[GAME] == 300

    def test_a_race_is_ended_once_and_the_next_one_is_another(self, log: Log) -> None:
        log.enter_race(GAME, 1, b"one", 100, 400, 400)
        log.end_race(GAME, 399)
        assert log.race(GAME) is not None
        log.end_race(GAME, 400)
        assert log.race(GAME) is None
        assert log.enter_race(GAME, 1, b"one", 500, 800, 800) == (True, 800)

    def test_a_thought_is_stored_for_each_game_and_replaced(self, log: Log) -> None:
        assert log.thought(GAME) is None
        log.keep_thought(GAME, b"one", 60_000)
        log.keep_thought("g_other", b"two", 60_000)
        assert (log.thought(GAME), log.thought("g_other")) == (b"one", b"two")
        log.keep_thought(GAME, b"three", 60_000)
        assert log.thought(GAME) == b"three"


class TestRemoving:
    def test_removing_a_game_deletes_everything_of_it_and_nothing_of_others(self, log: Log) -> None:
        for game in (GAME, "g_other"):
            log.create(Head(game, 1, b"body"), 5)
            log.append(game, entry(1), IdempotencyKey("0:key", "f" * 64), 7)
            log.keep_thought(game, b"thought", 60_000)
            log.enter_race(game, 1, b"move", 8, 9, 9)
        log.remove(GAME)
        log.remove(GAME)
        assert (log.head(GAME), tuple(log.read(GAME, 0)), log.thought(GAME)) == (None, (), None)
        assert (log.race(GAME), log.race("g_other")) == (None, Race(9, (b"move",)))
        assert log.repeated(GAME, "0:key") is None
        assert log.due_games(2**52, 10) == [("g_other", 7)]
        assert log.head("g_other") == Head("g_other", 1, b"body")
        assert (len(log.read("g_other", 0)), log.thought("g_other")) == (1, b"thought")
        log.create(Head(GAME, 1, b"anew"))
        assert log.head(GAME) == Head(GAME, 1, b"anew")


class TestIdempotencyKeys:
    KEY = IdempotencyKey("0:key one", "f" * 64, b'{"note": "of any bytes \xff"}')

    def test_a_used_key_returns_what_it_was_used_for(self, log: Log) -> None:
        assert log.append(GAME, entry(1), self.KEY, None) == Written()
        assert log.append(GAME, entry(2), self.KEY, None) == Repeated(1, self.KEY.fingerprint, self.KEY.note)
        assert log.append(GAME, entry(1), self.KEY, None) == Repeated(1, self.KEY.fingerprint, self.KEY.note)
        assert tuple(log.read(GAME, 0)) == entries(1)

    def test_the_first_fingerprint_stays(self, log: Log) -> None:
        log.append(GAME, entry(1), self.KEY, None)
        other = IdempotencyKey(self.KEY.key, "0" * 64)
        assert log.append(GAME, entry(2), other, None) == Repeated(1, self.KEY.fingerprint, self.KEY.note)

    def test_a_used_key_is_found_however_old_it_is(self, log: Log) -> None:
        log.append(GAME, entry(1), self.KEY, None)
        for version in range(2, 30):
            log.append(GAME, entry(version), IdempotencyKey(f"key {version}", "a"), None)
        assert log.repeated(GAME, self.KEY.key) == Repeated(1, self.KEY.fingerprint, self.KEY.note)
        assert log.append(GAME, entry(30), IdempotencyKey("key 7", "a"), None) == Repeated(7, "a")

    def test_a_move_that_lost_the_race_does_not_use_its_key(self, log: Log) -> None:
        fill(log, 2)
        assert isinstance(log.append(GAME, entry(2, "late"), self.KEY, None), Behind)
        assert log.repeated(GAME, self.KEY.key) is None
        assert log.append(GAME, entry(3), self.KEY, None) == Written()
        assert log.repeated(GAME, self.KEY.key) == Repeated(3, self.KEY.fingerprint, self.KEY.note)

    def test_a_key_belongs_to_one_game(self, log: Log) -> None:
        log.append("g_one", entry(1), self.KEY, None)
        assert log.repeated("g_two", self.KEY.key) is None
        assert log.append("g_two", entry(1), self.KEY, None) == Written()

    def test_an_unknown_key_was_used_for_nothing(self, log: Log) -> None:
        assert log.repeated(GAME, "never used") is None

    @pytest.mark.parametrize("key", ["0:", "ключ 🎲", "a b\n\x00", "x" * 255])
    def test_any_text_can_be_a_key(self, log: Log, key: str) -> None:
        assert log.append(GAME, entry(1), IdempotencyKey(key, "a"), None) == Written()
        assert log.repeated(GAME, key) == Repeated(1, "a")


class TestRaces:
    RACERS = 8

    def test_of_two_moves_for_one_version_one_wins(self, log: Log) -> None:
        rounds = 20
        barrier = Barrier(self.RACERS)

        def race(racer: int) -> list[object]:
            answers = []
            for version in range(1, rounds + 1):
                barrier.wait(timeout=10)
                answers.append(log.append(GAME, entry(version, f"racer {racer}"), None, None))
            return answers

        with ThreadPoolExecutor(self.RACERS) as racers:
            answers = list(racers.map(race, range(self.RACERS)))
        written = log.read(GAME, 0)
        assert [each.version for each in written] == list(range(1, rounds + 1))
        for version, answered in enumerate(zip(*answers, strict=True), 1):
            winners = [racer for racer, answer in enumerate(answered) if answer == Written()]
            assert len(winners) == 1
            assert written[version - 1] == entry(version, f"racer {winners[0]}")
            losers = [answer for answer in answered if answer != Written()]
            assert all(isinstance(answer, Behind) and answer.entries[0] == written[version - 1] for answer in losers)

    def test_one_key_sent_many_times_at_once_is_one_move(self, log: Log) -> None:
        barrier = Barrier(self.RACERS)

        def send(racer: int) -> object:
            barrier.wait(timeout=10)
            for version in range(1, self.RACERS + 1):
                answer = log.append(GAME, entry(version, f"racer {racer}"), IdempotencyKey("the key", "a"), None)
                if not isinstance(answer, Behind):
                    return answer
            return None

        with ThreadPoolExecutor(self.RACERS) as racers:
            answers = list(racers.map(send, range(self.RACERS)))
        assert answers.count(Written()) == 1
        assert answers.count(Repeated(1, "a")) == self.RACERS - 1
        assert len(log.read(GAME, 0)) == 1

    def test_every_writer_that_retries_from_the_newer_entries_succeeds(self, log: Log) -> None:
        each_writes = 10

        def write(racer: int) -> None:
            version = 1
            for number in range(each_writes):
                while isinstance(answer := log.append(GAME, entry(version, f"{racer} {number}"), None, None), Behind):
                    version = answer.entries[-1].version + 1
                version += 1

        with ThreadPoolExecutor(self.RACERS) as racers:
            list(racers.map(write, range(self.RACERS)))
        written = log.read(GAME, 0)
        assert [each.version for each in written] == list(range(1, self.RACERS * each_writes + 1))
        assert len({each.body.partition(b'"text":')[2] for each in written}) == self.RACERS * each_writes

    def test_a_torn_write_is_never_read(self, log: Log) -> None:
        count = 200

        def watch() -> int:
            seen = 0
            while seen < count:
                newer = log.read(GAME, seen)
                assert [each.version for each in newer] == list(range(seen + 1, seen + 1 + len(newer)))
                assert all(digest(each.body) == each.hash for each in newer)
                seen += len(newer)
            return seen

        with ThreadPoolExecutor(3) as pool:
            watchers = [pool.submit(watch) for _ in range(2)]
            fill(log, count)
            assert [watcher.result(timeout=30) for watcher in watchers] == [count, count]


class TestHeads:
    HEAD = Head(GAME, 1, b'{"seats":[]}\x00\xff')

    def test_a_head_is_stored_byte_for_byte(self, log: Log) -> None:
        log.create(self.HEAD)
        assert log.head(GAME) == self.HEAD

    def test_an_unknown_game_has_no_head(self, log: Log) -> None:
        assert log.head("g_none") is None

    def test_a_game_is_created_once(self, log: Log) -> None:
        log.create(self.HEAD)
        with pytest.raises(GameExists):
            log.create(Head(GAME, 1, b"other"))
        assert log.head(GAME) == self.HEAD

    def test_a_head_is_replaced_by_its_next_revision(self, log: Log) -> None:
        log.create(self.HEAD)
        for revision in range(2, 13):
            log.change_head(Head(GAME, revision, f"revision {revision}".encode()))
        assert log.head(GAME) == Head(GAME, 12, b"revision 12")

    @pytest.mark.parametrize("revision", [0, 1, 3, 12])
    def test_a_head_is_not_replaced_by_another_revision(self, log: Log, revision: int) -> None:
        log.create(self.HEAD)
        with pytest.raises(Conflict):
            log.change_head(Head(GAME, revision, b"other"))
        assert log.head(GAME) == self.HEAD

    def test_the_head_of_an_unknown_game_is_not_replaced(self, log: Log) -> None:
        with pytest.raises(Conflict):
            log.change_head(Head("g_none", 1, b"other"))
        assert log.head("g_none") is None

    def test_of_two_writers_that_replace_a_head_one_wins(self, log: Log) -> None:
        log.create(self.HEAD)
        barrier = Barrier(8)

        def change(racer: int) -> bool:
            barrier.wait(timeout=10)
            try:
                log.change_head(Head(GAME, 2, str(racer).encode()))
            except Conflict:
                return False
            return True

        with ThreadPoolExecutor(8) as racers:
            won = list(racers.map(change, range(8)))
        assert won.count(True) == 1
        assert log.head(GAME) == Head(GAME, 2, str(won.index(True)).encode())

    def test_of_two_writers_that_create_a_game_one_wins(self, log: Log) -> None:
        barrier = Barrier(8)

        def create(racer: int) -> bool:
            barrier.wait(timeout=10)
            try:
                log.create(Head(GAME, 1, str(racer).encode()))
            except GameExists:
                return False
            return True

        with ThreadPoolExecutor(8) as racers:
            won = list(racers.map(create, range(8)))
        assert won.count(True) == 1
        assert log.head(GAME) == Head(GAME, 1, str(won.index(True)).encode())


def test_an_entry_follows_the_last_one_that_the_log_has(log: Log) -> None:
    """A process may remember an entry that the log has lost; what follows that one belongs to no chain."""
    lost, kept = entry(2, "lost"), entry(2)
    log.append(GAME, entry(1), None, None)
    assert log.append(GAME, kept, None, None, entry(1).hash) == Written()
    assert log.append(GAME, entry(3), None, None, lost.hash) == Behind(())
    assert log.append(GAME, entry(3), None, None, kept.hash) == Written()
    assert tuple(log.read(GAME, 0)) == entries(3)


class TestWaking:
    NOW = 1_763_280_000_000

    def test_games_are_woken_earliest_first(self, log: Log) -> None:
        games = [f"g_{number}" for number in range(100)]
        for number, game in enumerate(games):
            log.wake(game, self.NOW + (number * 37) % 100)
        woken = log.due_games(self.NOW + 49, 1000)
        assert [at for _, at in woken] == list(range(self.NOW, self.NOW + 50))
        assert dict(woken) == {
            game: self.NOW + (number * 37) % 100 for number, game in enumerate(games) if (number * 37) % 100 < 50
        }

    def test_at_most_the_requested_number_of_games_is_woken(self, log: Log) -> None:
        for number in range(100):
            log.wake(f"g_{number}", self.NOW + number)
        assert log.due_games(self.NOW + 1000, 3) == [(f"g_{number}", self.NOW + number) for number in range(3)]

    def test_no_game_is_woken_before_its_time(self, log: Log) -> None:
        log.wake(GAME, self.NOW)
        assert log.due_games(self.NOW - 1, 10) == []
        assert log.due_games(self.NOW, 10) == [(GAME, self.NOW)]

    def test_an_append_sets_when_to_wake_the_game(self, log: Log) -> None:
        log.append(GAME, entry(1), None, self.NOW)
        assert log.due_games(self.NOW, 10) == [(GAME, self.NOW)]
        log.append(GAME, entry(2), None, self.NOW + 5)
        assert log.due_games(self.NOW + 9, 10) == [(GAME, self.NOW + 5)]

    def test_an_append_without_a_time_lets_a_game_sleep(self, log: Log) -> None:
        log.wake(GAME, self.NOW)
        log.append(GAME, entry(1), None, None)
        assert log.due_games(self.NOW, 10) == []

    def test_an_append_that_is_not_written_sets_no_time_to_wake(self, log: Log) -> None:
        log.append(GAME, entry(1), IdempotencyKey("the key", "a"), self.NOW)
        log.append(GAME, entry(1, "late"), None, self.NOW + 1)
        log.append(GAME, entry(2), IdempotencyKey("the key", "a"), None)
        assert log.due_games(self.NOW + 9, 10) == [(GAME, self.NOW)]

    def test_a_game_goes_back_to_sleep(self, log: Log) -> None:
        log.wake(GAME, self.NOW)
        log.wake(GAME, None)
        log.wake("g_other", None)
        assert log.due_games(self.NOW, 10) == []

    def test_reading_the_due_games_leaves_them_due(self, log: Log) -> None:
        log.wake(GAME, self.NOW)
        assert log.due_games(self.NOW, 10) == log.due_games(self.NOW, 10) != []


def test_a_worker_with_an_old_version_does_not_overwrite_the_time_of_a_newer_entry(log: Log) -> None:
    log.append(GAME, entry(1), None, None)
    log.append(GAME, entry(2), None, 500)
    log.wake(GAME, None, version=1)
    assert log.due_games(1000, 10) == [(GAME, 500)]
    log.wake(GAME, 700, version=1)
    assert log.due_games(1000, 10) == [(GAME, 500)]
    log.wake(GAME, None, version=2)
    assert log.due_games(1000, 10) == []


class TestAudits:
    NOW = 1_000_000

    def test_an_audit_is_stored_and_no_other_begins(self, log: Log) -> None:
        assert log.audit(GAME) is None
        assert log.begin_audit(GAME, self.NOW, self.NOW + 10) == 1
        assert log.luck(GAME) is None
        log.end_audit(GAME, b"proved", b"drawings")
        assert (log.audit(GAME), log.luck(GAME)) == (b"proved", b"drawings")
        assert log.begin_audit(GAME, self.NOW + 99, self.NOW + 999) == 0
        assert log.audit("g_other") is None

    def test_one_attempt_is_made_at_a_time(self, log: Log) -> None:
        assert log.begin_audit(GAME, self.NOW, self.NOW + 10) == 1
        assert log.begin_audit(GAME, self.NOW + 9, self.NOW + 20) == 0
        log.go_on_with_audit(GAME, self.NOW + 30)
        assert log.begin_audit(GAME, self.NOW + 29, self.NOW + 40) == 0
        assert log.begin_audit(GAME, self.NOW + 30, self.NOW + 40) == 2

    def test_a_failed_attempt_counts_and_the_next_one_may_begin_at_once(self, log: Log) -> None:
        for attempt in (1, 2, 3):
            assert log.begin_audit(GAME, self.NOW, self.NOW + 10) == attempt
            log.end_audit(GAME, None)
        assert log.audit(GAME) is None

    def test_of_many_processes_that_begin_an_audit_at_once_one_does(self, log: Log) -> None:
        with ThreadPoolExecutor(8) as racers:
            begun = racers.map(lambda _: log.begin_audit(GAME, self.NOW, self.NOW + 10), range(8))
        assert sorted(begun) == [0] * 7 + [1]


def test_the_length_of_a_log_is_its_newest_version(log: Log) -> None:
    assert log.length(GAME) == 0
    for version in (1, 2, 3):
        log.append(GAME, entry(version), None, None)
        assert log.length(GAME) == version
