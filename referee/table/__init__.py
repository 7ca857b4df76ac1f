"""What happens around any game, whatever is played: terms, clocks, pauses, undo, and the record of all of it. Pure."""
