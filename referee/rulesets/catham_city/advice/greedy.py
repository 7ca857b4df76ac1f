"""A plain but sensible player: wins if a move wins now, else plays what gains most, else collects sets.

It weighs everything in hundredths of influence, and guesses the hands of others from the cards that it does not see.
It plays detectives unless a match could win for another seat, and the police as soon as the odds are fair.
"""

from typing import Final

from referee.kernel.message import Move
from referee.kernel.seat import Seat
from referee.rulesets.catham_city.cards import CountMap, copies, each, minus, number_of, plus, total
from referee.rulesets.catham_city.edition import Edition
from referee.rulesets.catham_city.factions.bureaucrats import PlayBureaucrats
from referee.rulesets.catham_city.factions.detectives import MatchCard, PlayDetectives
from referee.rulesets.catham_city.factions.hackers import PlayHackers
from referee.rulesets.catham_city.factions.journalists import CashIn, GiveCard, PlayJournalists
from referee.rulesets.catham_city.factions.mafia import PlayMafia, SurrenderCards, SurrenderInfluence
from referee.rulesets.catham_city.factions.police import PlayPolice
from referee.rulesets.catham_city.factions.robocats import PlayRobocats
from referee.rulesets.catham_city.factions.scientists import PlayScientists
from referee.rulesets.catham_city.names import Faction
from referee.rulesets.catham_city.questions import Decline
from referee.rulesets.catham_city.taking import TakeCards
from referee.rulesets.catham_city.turns import DiscardExcess
from referee.rulesets.catham_city.view import View

INFLUENCE: Final = 100
WORTH_A_PLAY: Final = 190
"""Keep cards that would gain less until there are more of them."""
UNKNOWN_CARD: Final = 40
"""What a card from the draw pile may be worth."""
FAIR_ODDS: Final = 100
"""Search with the police if that promises 1 influence: about what a turn brings."""
SEARCHED_FOR: Final = 4
"""The number of bureaucrats or police cards that is worth waiting for."""
FULL_HAND_FOR_ROBOCATS: Final = 7
"""With more cards in hand the player would have to discard new ones."""
LEADER_IS_NEAR: Final = 3
"""Do not help a seat that lacks no more influence than this."""


def choose(view: View, seat: Seat, moves: tuple[Move, ...], edition: Edition) -> Move:
    """The move with the best prospects; among equals the first."""
    player = Player(edition, view, seat)
    return max(moves, key=player.prospects)


class Player:
    """A player with a hand, who sees of the others what everybody sees."""

    def __init__(self, edition: Edition, view: View, seat: Seat) -> None:
        hand = view.seats[seat].hand
        assert hand is not None, "a seat sees its own hand"
        self.edition, self.view, self.seat, self.hand = edition, view, seat, hand
        self.threshold = edition.influence_to_win(len(view.seats))
        self.unseen = {
            faction: edition.copies_per_faction
            - sum(number_of(heap, faction) for heap in (hand, view.market, view.discard_pile, view.table))
            for faction, _ in each(hand)
        }
        self.sets = worth_of_sets(len(self.unseen), edition)

    def prospects(self, move: Move) -> tuple[int, int, int]:
        """Whether the move wins for certain, what it gains if that is worth a play, and what is left to go on with."""
        match move:
            case TakeCards():
                return 0, 0, self.worth(plus(self.hand, copies(move.faction, move.count)))
            case DiscardExcess() | SurrenderCards():
                return 0, 0, self.worth(minus(self.hand, move.cards))
            case SurrenderInfluence():
                return 0, 0, self.worth(self.hand) - INFLUENCE
            case CashIn():
                gain = len(move.cards) * self.edition.journalist.bonus_gain
                return self.wins(gain), 0, self.worth(minus(self.hand, move.cards)) + gain * INFLUENCE
            case MatchCard():
                assert self.view.pending is not None and self.view.pending.faction
                gain = self.edition.detective.match_gain
                left = minus(self.hand, (self.view.pending.faction,))
                return self.wins(gain), 0, self.worth(left) + gain * INFLUENCE
            case GiveCard():
                gain = self.edition.journalist.bonus_gain if self.view.options.journalists_bonus == "giver" else 0
                return self.wins(gain), 0, self.worth_of_deal(move.faction)
            case Decline():
                return 0, 0, self.worth(self.hand)
            case PlayRobocats(mode="draw"):
                return 0, 0, self.worth_of_drawing()
            case _:
                return self.prospects_of_play(move)

    def prospects_of_play(self, move: Move) -> tuple[int, int, int]:
        """A play for influence; one that gains too little is worse than taking any card."""
        sure, hoped = self.gain(move)
        enough = FAIR_ODDS if isinstance(move, PlayPolice) else WORTH_A_PLAY
        return self.wins(sure), hoped if hoped >= enough else -1, self.standing_of_target(move)

    def wins(self, gain: int) -> int:
        """1 if this gain of influence reaches the threshold, else 0."""
        return int(gain >= self.threshold - self.view.seats[self.seat].influence)

    def gain(self, move: Move) -> tuple[int, int]:
        """The influence that a play brings for certain, and the expected hundredths, less what others get."""
        edition = self.edition
        match move:
            case PlayJournalists():
                return edition.journalist.gain, edition.journalist.gain * INFLUENCE
            case PlayDetectives():
                return edition.detective.gain, self.worth_of_detectives(move.extra)
            case PlayBureaucrats():
                return 0, different_factions(len(self.unseen), move.count) * edition.bureaucrat.gain_per_faction
            case PlayScientists():
                return (
                    edition.scientist.gain,
                    edition.scientist.gain * INFLUENCE + edition.scientist.draw * UNKNOWN_CARD,
                )
            case PlayRobocats():
                return edition.robocat.influence.gain, edition.robocat.influence.gain * INFLUENCE
            case PlayMafia():
                return edition.mafia.gain, edition.mafia.gain * INFLUENCE + UNKNOWN_CARD
            case PlayPolice():
                shown = min(move.count, self.view.seats[move.target].hand_count)
                return 0, shown * self.share(move.extra) * edition.police.gain_per_match
            case PlayHackers():
                held = self.view.seats[move.target].hand_count
                mixed_in = move.count * INFLUENCE + held * self.share("hacker")
                return 0, mixed_in * move.count // (held + move.count) * edition.hacker.gain_per_hacker
            case _:
                raise AssertionError("every move of a seat has its prospects")

    def share(self, faction: Faction) -> int:
        """The percentage of this faction among the unseen cards."""
        return INFLUENCE * self.unseen[faction] // max(1, sum(self.unseen.values()))

    def worth_of_detectives(self, extra: Faction) -> int:
        """Always worth a play, the more so the less the extra costs; nothing if a match could win for another seat."""
        holders = [state for other, state in enumerate(self.view.seats) if other != self.seat and state.hand_count > 0]
        match_gain = self.edition.detective.match_gain
        if self.unseen[extra] and any(state.influence + match_gain >= self.threshold for state in holders):
            return 0
        chances = sum([min(INFLUENCE, state.hand_count * self.share(extra)) for state in holders])
        parted_with = self.worth(self.hand) - self.worth(minus(self.hand, (extra,)))
        cost = (chances // (len(self.view.seats) - 1) + parted_with) // 2
        return max(WORTH_A_PLAY, self.edition.detective.gain * INFLUENCE - cost)

    def is_near_end(self, seat: int) -> bool:
        """Whether a seat lacks little influence to win."""
        return self.threshold - self.view.seats[seat].influence <= LEADER_IS_NEAR

    def standing_of_target(self, move: Move) -> int:
        """The influence of the target, so that of equal plays the one against the leader comes first."""
        return self.view.seats[move.target].influence if isinstance(move, PlayPolice | PlayHackers) else 0

    def worth_of_drawing(self) -> int:
        """The hand after the robocats' draw. Drawing whenever the hand has room did not play better."""
        numbers = self.edition.robocat.draw
        left = minus(self.hand, copies("robocat", numbers.cards))
        fits = total(self.hand) <= FULL_HAND_FOR_ROBOCATS
        return self.worth(left) + (numbers.draw * UNKNOWN_CARD if fits else 0)

    def worth_of_deal(self, faction: Faction) -> int:
        """The hand after a deal with the journalists, and the influence if it is the giver's."""
        if self.view.options.journalists_bonus == "active":
            return self.worth(minus(self.hand, (faction,)))
        assert self.view.active_seat is not None
        bonus = self.edition.journalist.bonus_gain * INFLUENCE
        gift = self.sets[faction][1] // self.sets[faction][0]
        harm = bonus if self.is_near_end(self.view.active_seat) else gift
        return self.worth(minus(self.hand, (faction, faction))) + bonus - harm

    def worth(self, hand: CountMap) -> int:
        """What a hand promises: its sets, an incomplete one by the square of its share, less the excess."""
        return worth_of_hand(self.sets, hand, self.edition)


def worth_of_hand(sets: dict[Faction, tuple[int, int]], hand: CountMap, edition: Edition) -> int:
    """The expected gain from a hand if these sets are worth collecting."""
    sum_of_sets = 0
    for faction, held in each(hand):
        size, gain = sets[faction]
        full, rest = divmod(held, size)
        sum_of_sets += full * gain + gain * rest * rest // (size * size)
    excess = max(0, total(hand) - edition.hand_limit)
    return sum_of_sets - excess * UNKNOWN_CARD


def different_factions(in_play: int, revealed: int) -> int:
    """Hundredths of different factions to expect among this number of revealed cards."""
    every = int(in_play**revealed)
    without_one = int((in_play - 1) ** revealed)
    return INFLUENCE * in_play * (every - without_one) // every


def worth_of_sets(in_play: int, edition: Edition) -> dict[Faction, tuple[int, int]]:
    """For each faction the number of cards worth collecting, and their gain."""
    hackers = edition.hacker.max_cards
    scientists = edition.scientist.gain * INFLUENCE + edition.scientist.draw * UNKNOWN_CARD
    return {
        "journalist": (edition.journalist.cards, edition.journalist.gain * INFLUENCE),
        "detective": (edition.detective.cards, edition.detective.gain * INFLUENCE),
        "bureaucrat": (SEARCHED_FOR, different_factions(in_play, SEARCHED_FOR)),
        "scientist": (edition.scientist.cards, scientists),
        "robocat": (edition.robocat.influence.cards, edition.robocat.influence.gain * INFLUENCE),
        "mafia": (edition.mafia.cards, edition.mafia.gain * INFLUENCE),
        "police": (SEARCHED_FOR, SEARCHED_FOR * INFLUENCE // in_play),
        "hacker": (hackers, hackers * INFLUENCE // 2),
    }
