"""The command `referee`: play, watch, replay, judge and audit games in a terminal."""
