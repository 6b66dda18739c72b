"""Sheets over the table: a card's help, the log, the scores, the deck, the keys."""

from collections.abc import Mapping, Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from argentum import words
from argentum.display.scene import ResidentSummary, Scene, SceneCard
from argentum.rulebook import lookup
from argentum.rules.boxes import BOX_BY_NAME
from argentum.terminal.widgets.cards import number_badge
from argentum.words.player_names import signed

LONGEST_LINE = 120  # of what is said
LINK_TITLES = {
    "invite": "Invitation: whoever opens it takes a free seat, or watches",
    "own": "Your own seat: keep it to yourself",
}
HOW_TO_PLAY = """\
A game has four rounds; the fewest points win. A card counts its number, so get rid of high cards and keep low ones.

On your turn, draw from the deck or take the top of the discard pile. Exchange that card for one of yours, or for \
several with the same number. A card you drew can also be discarded; many then do something. Or, with four cards or \
fewer, call: everybody else has one more turn, and if nobody has less than you, you score 0. If somebody does, you \
score 10 more."""
KEY_HELP = """\
1 to 9          your card in that spot, or the card that shows the key
arrows, Tab     go to a card or button; Enter or Space chooses it
letters         the button that shows the letter
?   i           this help   the selected card's rules
k   l   s       every resident of this deck   the log   the scores
h   a           hints on or off   what a strong bot would do
b   f           how fast bots move   no pauses until it is your turn
r               save the game's record to a file
j   w           on a server: links for your friends   say something
v   q           dark or light   leave the table

Everything can be clicked, too: a card, a pile, a button, the top line."""


class ModalSheet(ModalScreen[None]):
    """A text that lies over the table until a key is pressed or it is clicked away."""

    DEFAULT_CSS = """
    ModalSheet { align: center middle; background: $sky; }
    ModalSheet VerticalScroll {
        width: 76; max-width: 100%; height: auto; max-height: 100%;
        background: $rail; color: $ink; border: round $silver; padding: 0 2; border-title-color: $ink;
    }
    """
    BINDINGS = [("escape,enter,space,q,i,l,s,k,question_mark", "close", "Close")]

    def __init__(self, title: str, text: Content) -> None:
        super().__init__()
        self.heading, self.text = title, text

    def compose(self) -> ComposeResult:
        """The text, in a frame."""
        with VerticalScroll() as scroll:
            scroll.border_title = self.heading
            scroll.border_subtitle = "Esc closes"
            yield Static(self.text)

    def on_mount(self) -> None:
        """Arrows scroll it."""
        self.query_one(VerticalScroll).focus()

    def on_click(self) -> None:
        """A click closes it."""
        self.action_close()

    def action_close(self) -> None:
        """Back to the table."""
        self.dismiss()


def join_lines(*parts: Content | str) -> Content:
    """Lines one below another."""
    return Content("\n").join([part if isinstance(part, Content) else Content(part) for part in parts])


def resident_sheet(one: ResidentSummary, where: str) -> ModalSheet:
    """What a resident does, and its ruling."""
    resident = BOX_BY_NAME[one.box].residents[one.number]
    when = lookup.TIMING_TEXT[resident.timing]
    sure = f", text {one.text_certainty}" if one.text_certainty else ""
    ruling = lookup.rulings()[one.label]
    said = [" ".join(block.split()) for block in ruling.text.split("\n\n")]
    text = join_lines(
        Content.assemble(
            (number_badge(one, True), "bold"), f" of Silver {one.box.title()}, {when} ({one.label}){sure}"
        ),
        *([Content.styled(where, "$ink2")] if where else []),
        "",
        Content.styled(resident.text, "bold"),
        "",
        *said,
    )
    return ModalSheet(one.name, text)


def card_sheet(card: SceneCard, scene: Scene) -> ModalSheet:
    """What there is to know of a card."""
    where = f"{card.aria_label[:1].upper()}{card.aria_label[1:]}."
    if card.slot == "pile":
        faces = [f"{number_badge(one)} {one.name}" if one else "a facedown card" for one in scene.discard_faces]
        return ModalSheet("The discard pile, from the top", join_lines(*faces))
    if card.resident is None:
        return ModalSheet("A facedown card", join_lines(where, "", "You haven't seen this card."))
    return resident_sheet(card.resident, where)


def deck_sheet(scene: Scene) -> ModalSheet:
    """Every resident of the deck, a line each, and the token."""
    rows = [
        Content.assemble((f"{number_badge(one):>4} ", "bold"), f"{one.name:16}", (one.effect, "$ink2"))
        for one in scene.cast
    ]
    token = BOX_BY_NAME[scene.token]
    return ModalSheet("In this deck", join_lines(*rows, "", f"The silver {scene.token}. {token.token_text}"))


def log_sheet(scene: Scene) -> ModalSheet:
    """What happened, the newest first."""
    return ModalSheet("What happened", join_lines(*[log_line(entry, scene) for entry in scene.log]))


def log_line(entry: words.LogEntry, scene: Scene) -> Content:
    """A line of the log."""
    parts: list[str | tuple[str, str]] = []
    for part in entry.parts:
        if isinstance(part, words.CardChip):
            one = scene.cast[part.number]
            parts.append((f"{one.name} {number_badge(one)}", "$silver"))
        elif isinstance(part, words.PlayerName):
            parts.append((part.text, "bold"))
        else:
            parts.append(part)
    return Content.assemble(*parts)


def score_lines(scene: Scene) -> Sequence[Content]:
    """The score sheet."""
    width = max(len(score.seat.name) for score in scene.scores) + 4
    rows = [Content.styled(f"{'':{width}}  1   2   3   4  total", "$ink2")]
    for score in scene.scores:
        points = "".join([f"{'·' if one is None else signed(one):>4}" for one in score.rounds])
        name = score.seat.name + " you" * score.yours
        rows.append(Content.assemble((name.ljust(width), "bold"), points[1:], f"{signed(score.total):>7}"))
    return rows


def score_sheet(scene: Scene) -> ModalSheet:
    """Each seat's points, round by round."""
    return ModalSheet(f"Round {scene.round} of 4", join_lines(*score_lines(scene)))


class HelpSheet(ModalSheet):
    """Help for the game; the same key again shows the card that one is at."""

    BINDINGS = [("question_mark,i", "card", "The card")]

    def __init__(self, scene: Scene | None, card: SceneCard | None) -> None:
        self.card, self.scene = card, scene
        now: list[Content | str] = []
        if scene is not None:
            detail = [scene.prompt.detail] if scene.prompt.detail else []
            lesson = [scene.tip.text] if scene.tip is not None else []
            now = [Content.styled(scene.prompt.title, "bold"), *detail, *lesson, ""]
        more: list[Content | str] = []
        if card is not None:
            more = [Content.styled("? again: the selected card's rules", "bold"), ""]
        super().__init__("Help", join_lines(*now, *more, HOW_TO_PLAY, "", KEY_HELP))

    def action_card(self) -> None:
        """On to the card."""
        self.dismiss()
        if self.card is not None and self.scene is not None:
            self.app.push_screen(card_sheet(self.card, self.scene))


class LinksSheet(ModalSheet):
    """The links that the host of a table hands out, and the reader's own; each is copied by a click."""

    BINDINGS = [("c", "app.copy_link('invite')", "Copy the invitation"), ("j", "close", "Close")]

    def __init__(self, links: Mapping[str, str]) -> None:
        self.links = links
        rows: list[Content | str] = []
        for name, link in links.items():
            title = LINK_TITLES.get(name) or f"Seat {name}, which is free"
            copy = Content.from_markup(f"[@click=app.copy_link('{name}')]$link[/]", link=link)
            rows += [Content.styled(title, "bold"), copy, ""]
        copied = "Click a link to copy it; c copies the invitation." if "invite" in links else "Click it to copy it."
        super().__init__("Links", join_lines(*rows, copied if links else "The host of the table has the links."))


class ChatSheet(ModalScreen[str]):
    """A line to say to the others at the table."""

    DEFAULT_CSS = """
    ChatSheet { align: center middle; background: $sky; }
    ChatSheet Input { width: 76; max-width: 100%; background: $rail; color: $ink; border: round $silver; }
    """
    BINDINGS = [("escape", "close", "Close")]

    def compose(self) -> ComposeResult:
        """A line to write in."""
        yield Input(placeholder="Say something; Enter sends it, Esc does not", max_length=LONGEST_LINE)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Say it."""
        self.dismiss(event.value)

    def action_close(self) -> None:
        """Say nothing."""
        self.dismiss("")


class LeaveSheet(ModalSheet):
    """Whether to leave a game that goes on."""

    BINDINGS = [("y,q", "go", "Leave"), ("n,escape,enter,space", "close", "Stay")]

    def __init__(self, after: str) -> None:
        super().__init__("Leave the table?", Content(f"y leaves the table, n stays. {after}".rstrip()))

    def action_go(self) -> None:
        """Leave."""
        self.app.exit("")
