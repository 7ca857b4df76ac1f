"""Finished games that are stored for ever; every test run replays and audits each of them.

`python -m tests.corpus` (`make corpus`) adds games until everything that a ruleset declares occurs in one, and never
touches a game that is stored.
"""
