"""What every ruleset must pass. It runs over the list of titles, the toy, and every edition in their `editions/`.

A new ruleset needs no code here. `make record` writes its recorded files (`tags/`, `counts/`, `tests/playthroughs/`,
the list of tests by clause); `python -m tests.record <slug>` writes those of one title.

    test_messages       1, 2    JSON and back; each kind of message is declared once; no type is lost
    test_setup          3       each number of seats, each option
    test_elsewhere      4       another process, another order of sets
    test_log            5, 6    folding, snapshots, nothing changed in place
    test_legality       7 to 10, 13
                                listed moves are accepted, all others are refused with a clause
    test_flow           11, 12, 17
                                a seat is awaited until the end; safe defaults; the ranking
    test_secrets        14, 15  no reader learns what it may not know
    test_positions      16      sound positions, and damaged ones
    test_playthroughs   18      games as text
    test_counts         19      counts of legal sequences
    test_machine        20      a state machine
    test_judge          21      the judge and the live game
    test_budgets        22      time
    test_advice                 advice for bots: legal, better than chance, independent of what is hidden
    test_editions               every edition is read, and a misspelt one is refused
    test_suite, test_suite_secrets
                                a toy that is broken in one place fails the point that covers it

The seed of a test is its name; it is printed when the test fails. `CONFORMANCE_SEED=another` gives other games and
other samples, `HYPOTHESIS_PROFILE=long` a longer search of the state machine.
"""
