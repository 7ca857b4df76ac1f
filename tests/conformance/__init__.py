"""What every ruleset must pass. It runs over the list of titles, the toy, and every edition in their `editions/`.

A ruleset adds nothing here but itself; its recorded files (`tags/`, `counts/`, `tests/playthroughs/`, the list of tests
by clause) are written by `make record`, or for one title by `python -m tests.record <slug>`.

    test_messages       1, 2    JSON and back; each kind of message declared once; no type lost
    test_setup          3       each number of seats, each option
    test_elsewhere      4       another process, another order of sets
    test_log            5, 6    folding, snapshots, nothing changed in place
    test_legality       7 to 10, 13
                                what is listed is accepted, what is not is refused with a clause
    test_flow           11, 12, 17
                                somebody is awaited until the end; safe defaults; the ranking
    test_secrets        14, 15  no reader learns what it may not know
    test_positions      16      sound positions, and damaged ones
    test_playthroughs   18      games as text
    test_counts         19      counts of legal sequences
    test_machine        20      a state machine
    test_judge          21      the judge and the live game
    test_budgets        22      time
    test_suite, test_suite_secrets
                                a toy that is broken in one place fails the point that is about it

The seed of a test is its name; it is printed when the test fails. `CONFORMANCE_SEED=another` gives other games and
other samples, `HYPOTHESIS_PROFILE=long` a longer search of the state machine.
"""
