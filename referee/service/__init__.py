"""What the referee does with rulesets and a log: create games, judge moves, show views, do what is due."""
