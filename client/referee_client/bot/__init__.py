"""The runner of bots: it plays for a program, in any language, that only chooses moves."""
