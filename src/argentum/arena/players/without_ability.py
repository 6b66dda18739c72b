"""A bot with one ability disabled, to measure the value of the ability."""

from typing import ClassVar, Final

from argentum.bots import Bot
from argentum.bots.heuristics.ability_model import ability_started_by
from argentum.rules.boxes import ALL_BOXES
from argentum.rules.move import Move
from argentum.rules.notation import DRAW_SHOWN, KEEP_FROM_DECK, USE_FROM_PILE
from argentum.rules.residents import RESIDENTS_PER_BOX, Cast, Resident, parse_label
from argentum.rules.views import View

WITHOUT_SEPARATOR: Final = " without "
ABILITY_LABELS: Final = frozenset([box.label(number) for box in ALL_BOXES for number in range(RESIDENTS_PER_BOX + 1)])


class BotWithoutAbility(Bot):
    """A bot that never uses the ability `label` of a resident (D8) or token (D14).

    It treats the resident as a plain number. Effects that the rules apply without a choice remain. Raise ValueError for
    an unknown label, and for bots that search.
    """

    name: ClassVar[str] = "muted"
    summary: ClassVar[str] = "lacks one ability"

    def __init__(self, bot: Bot, label: str) -> None:
        super().__init__()
        if label.upper() not in ABILITY_LABELS:
            raise ValueError(f"{label!r} is not an ability: give the label of a resident or a token, such as D8 or D14")
        if bot.uses_search:
            raise ValueError(
                f"{bot.name} uses search: an ability can be disabled only for bots without search, such as steady"
            )
        self.bot = bot
        self.label = label.upper()
        self.number = parse_label(self.label).number
        self.placeholder = Resident("nobody", self.number, "Nobody", "", "")
        self.disabled_cast: tuple[Cast, Cast] | None = None  # the last cast, and the same without the resident

    @property
    def network_file(self) -> str:
        return self.bot.network_file

    def choose(self, view: View) -> Move:
        """Return the bot's choice among the moves that do not use the ability, or among all if there are no others."""
        if self.number < RESIDENTS_PER_BOX and view.residents[self.number].label != self.label:
            return self.bot.choose(view)
        cast = self.without_resident(view.cast)
        other_moves = tuple([move for move in view.legal if not self.uses_ability(view, move)])
        return self.bot.choose(
            view._replace(legal=other_moves or view.legal, residents=tuple(cast.residents), cast=cast)
        )

    def uses_ability(self, view: View, move: Move) -> bool:
        """Return whether a move starts the ability, or is possible only with it."""
        if self.number == RESIDENTS_PER_BOX or ability_started_by(view, move) == self.label:
            return ability_started_by(view, move) == self.label
        resident = view.residents[self.number]
        shown = resident.shows_deck_card and DRAW_SHOWN < move < KEEP_FROM_DECK
        return shown or (resident.draws_deeper and move > KEEP_FROM_DECK + 1 and move < USE_FROM_PILE)

    def without_resident(self, cast: Cast) -> Cast:
        """Replace the resident by a placeholder, which has no effects and no ability model."""
        if self.disabled_cast is None or self.disabled_cast[0] is not cast:
            residents = [self.placeholder if resident.label == self.label else resident for resident in cast.residents]
            self.disabled_cast = cast, Cast(cast.code, residents, cast.token_box)
        return self.disabled_cast[1]
