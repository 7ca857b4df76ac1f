"""The invariants of every position (section 12)."""

from typing import cast

from msgspec import UNSET

from referee.kernel.changes import replace
from referee.kernel.rejection import Rejection, ensure
from referee.kernel.seat import Seat
from referee.rulesets.catham_city.answers import legal_answers
from referee.rulesets.catham_city.cards import (
    CountMap,
    copies,
    counted,
    each,
    in_order,
    listed,
    minus,
    number_of,
    total,
)
from referee.rulesets.catham_city.edition import Edition
from referee.rulesets.catham_city.names import Cards
from referee.rulesets.catham_city.position import (
    Answer,
    Position,
    active,
    answers_of,
    given_cards,
    hand_of,
    hand_size,
    taken_cards,
)
from referee.rulesets.catham_city.questions import is_asked, is_question_open
from referee.rulesets.catham_city.setup import require_options


def check(position: Position, edition: Edition) -> None:
    """Raise Malformed, naming the first invariant that is broken."""
    check_options(position, edition)
    check_shape(position)
    check_cards(position, edition)
    check_hands(position, edition)
    check_influence(position, edition)
    check_pending(position)
    check_table(position, edition)
    check_answers(position, edition)
    actions_max = edition.actions_per_turn(position.options.expert)
    ensure(1 <= position.actions_left <= actions_max, f"Invariant 7: 1 to {actions_max} actions are left.")
    check_cash_in(position)
    check_revealed(position)


def check_options(position: Position, edition: Edition) -> None:
    """Invariant 0: the options are possible, the factions in the canonical order."""
    try:
        require_options(position.options, len(position.seats), edition)
    except Rejection as rejection:
        ensure(False, f"Invariant 0 ({rejection.clause}): {rejection.message}")
    factions = position.options.factions
    ensure(factions == in_order(cast(Cards, factions)), "Invariant 0: the factions are in the canonical order.")


def check_shape(position: Position) -> None:
    """Count maps have exactly the factions in play, piles no other cards, and somebody is active."""
    heaps = {"the market": position.market, "the discard pile": position.discard_pile, "the table": position.table}
    heaps |= {f"the hand of seat {seat}": state.hand for seat, state in enumerate(position.seats)}
    if position.pending is not None and isinstance(position.pending.given, CountMap):
        heaps["what was given"] = position.pending.given
    for name, counts in heaps.items():
        keys = tuple(faction for faction, _ in each(counts))
        ensure(keys == position.options.factions, f"Count maps: {name} has exactly the factions in play as keys.")
        ensure(all(number >= 0 for _, number in each(counts)), f"Count maps: no number of {name} is negative.")
    strange = [card for card in position.draw_pile if card not in position.options.factions]
    ensure(not strange, "The draw pile has only cards of the factions in play.")
    seat = position.active_seat
    ensure(seat is not None and 0 <= seat < len(position.seats), "The active seat is a seat of the game.")


def check_cards(position: Position, edition: Edition) -> None:
    """Invariants 1 and 2: no card is lost or added; the market is full."""
    heaps = [position.market, position.discard_pile, position.table, *(state.hand for state in position.seats)]
    for faction, in_pile in each(counted(position.options.factions, position.draw_pile)):
        number = in_pile + sum(number_of(heap, faction) for heap in heaps)
        ensure(
            number == edition.copies_per_faction,
            f"Invariant 1: there are {edition.copies_per_faction} {faction} cards, not {number}.",
        )
    ensure(total(position.market) == edition.market_size, f"Invariant 2: the market sums to {edition.market_size}.")


def check_hands(position: Position, edition: Edition) -> None:
    """Invariant 3: no hand exceeds the limit, except the active one in some phases."""
    limit = edition.hand_limit
    may_exceed = position.phase in ("discard_excess", "journalists_cash_in", "finished")
    for seat in range(len(position.seats)):
        size = hand_size(position, Seat(seat))
        ensure(
            size <= limit or (may_exceed and seat == position.active_seat),
            f"Invariant 3: the hand of seat {seat} has at most {limit} cards.",
        )
    ensure(
        position.phase != "discard_excess" or hand_size(position, active(position)) > limit,
        f"Invariant 3: in discard_excess the active hand has more than {limit} cards.",
    )


def check_influence(position: Position, edition: Edition) -> None:
    """Invariant 4: no seat has reached the threshold before the end, and exactly one at the end."""
    threshold = edition.influence_to_win(len(position.seats))
    ensure(all(state.influence >= 0 for state in position.seats), "Invariant 4: no influence is negative.")
    winners = sum(state.influence >= threshold for state in position.seats)
    if position.phase == "finished":
        ensure(winners == 1, f"Invariant 4: at the end exactly one seat has reached {threshold} influence.")
    else:
        ensure(winners == 0, f"Invariant 4: until the end every seat is below {threshold} influence.")


def check_pending(position: Position) -> None:
    """Invariant 6, first half: `pending` fits the phase."""
    pending = position.pending
    if is_question_open(position):
        ensure(
            pending is not None
            and pending.faction is not UNSET
            and pending.answers is not UNSET
            and pending.given is UNSET,
            f"Invariant 6: in {position.phase} `pending` is a faction and answers.",
        )
        _check_asked_faction(position)
    elif position.phase == "journalists_cash_in":
        ensure(
            pending is not None
            and pending.faction is UNSET
            and pending.answers is UNSET
            and pending.given is not UNSET,
            "Invariant 6: in journalists_cash_in `pending` is what was given.",
        )
    else:
        ensure(pending is None, f"Invariant 6: in {position.phase} `pending` is null.")


def _check_asked_faction(position: Position) -> None:
    assert position.pending is not None
    faction = position.pending.faction
    if position.phase == "detectives_answers":
        ensure(
            faction in position.options.factions,
            "Invariant 6: in detectives_answers `pending.faction` is one of the factions in play.",
        )
    else:
        ensure(faction is None, "Invariant 6: `pending.faction` is set for detectives only.")


def check_table(position: Position, edition: Edition) -> None:
    """Invariant 5: the table holds the played cards and nothing else."""
    if position.phase == "finished":
        return
    played = _played(position, edition)
    in_play = all(card in position.options.factions for card in played)
    ensure(
        in_play and position.table == counted(position.options.factions, played),
        f"Invariant 5: in {position.phase} the table holds exactly the cards played.",
    )


def _played(position: Position, edition: Edition) -> Cards:
    """The cards that lie on the table in this phase."""
    match position.phase:
        case "journalists_answers" | "journalists_cash_in":
            return copies("journalist", edition.journalist.cards)
        case "detectives_answers":
            assert position.pending is not None and position.pending.faction
            extra = copies(position.pending.faction, edition.detective.extra)
            return copies("detective", edition.detective.cards) + extra
        case "mafia_answers":
            return copies("mafia", edition.mafia.cards)
        case _:
            return ()


def check_answers(position: Position, edition: Edition) -> None:
    """Invariant 6, second half: only seats that are asked have answered, each as it may."""
    if not is_question_open(position):
        return
    answers = answers_of(position)
    ensure(len(answers) == len(position.seats), "Invariant 6: `pending.answers` has one entry per seat.")
    ensure(answers[active(position)] is None, "Invariant 6: the active seat has no answer.")
    for number, answer in enumerate(answers):
        if answer is not None:
            seat = Seat(number)
            ensure(is_asked(position, seat, edition), f"Invariant 6: seat {seat} is not asked and has no answer.")
            ensure(
                _in_order(answer) in legal_answers(position, seat, edition),
                f"Invariant 6: the answer of seat {seat} is legal.",
            )


def _in_order(answer: Answer) -> Answer:
    return replace(answer, cards=None if answer.cards is None else in_order(answer.cards))


def check_revealed(position: Position) -> None:
    """Invariant 9: the revealed cards are where the last action left them."""
    revealed, seats = position.revealed, range(len(position.seats))
    if revealed is None:
        return
    ensure(
        position.phase in ("turn", "discard_excess", "finished"),
        f"Invariant 9: in {position.phase} `revealed` is null.",
    )
    taker = revealed.taken_by
    ensure(
        (revealed.seat is None or revealed.seat in seats)
        and (taker is None or (taker in seats and revealed.seat not in (None, taker) and position.phase == "turn")),
        "Invariant 9: revealed cards come from a seat or the draw pile, and another seat has taken them or nobody.",
    )
    in_play = all(card in position.options.factions for card in revealed.cards)
    ensure(in_play, "Invariant 9: the revealed cards are of factions in play.")
    factions = position.options.factions
    taken = counted(factions, () if taker is None else taken_cards(position, taker))
    left = minus(counted(factions, revealed.cards), listed(taken))
    place = position.table if position.phase == "finished" else position.discard_pile
    ensure(
        _holds(place, left) and (taker is None or _holds(hand_of(position, taker), taken)),
        "Invariant 9: the revealed cards lie where the action left them: in a hand, discarded or on the table.",
    )


def _holds(heap: CountMap, cards: CountMap) -> bool:
    return all(number <= number_of(heap, faction) for faction, number in each(cards))


def check_cash_in(position: Position) -> None:
    """Invariant 8: cards are cashed in only if the option is `active`, and only cards that other seats gave."""
    if position.phase != "journalists_cash_in":
        return
    ensure(
        position.options.journalists_bonus == "active",
        'Invariant 8: journalists_cash_in occurs only with the option journalists_bonus "active".',
    )
    given = given_cards(position)
    ensure(
        1 <= total(given) < len(position.seats),
        "Invariant 8: at least one card was given, and at most one by each other seat.",
    )
    hand = hand_of(position, active(position))
    ensure(
        _holds(hand, given),
        "Invariant 8: the cards given are in the active hand.",
    )
