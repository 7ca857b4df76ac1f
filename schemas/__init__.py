"""The shapes of requests and answers: marshmallow schemas, and what is derived from the rulesets."""
