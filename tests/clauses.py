"""`@clause("CC-17")`: the clauses and rulings that a test shows."""

import pytest

clause = pytest.mark.clause
