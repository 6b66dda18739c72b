"""Modal sheets: card rules, log, scores, deck, help, links, chat and leaving."""

from collections.abc import Mapping, Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from argentum import words
from argentum.display.scene import ResidentSummary, Scene, SceneCard
from argentum.rooms.chat import MAX_LINE_LENGTH
from argentum.rulebook import lookup
from argentum.rules.boxes import BOX_BY_NAME
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.terminal.widgets.cards import number_badge
from argentum.words.player_names import format_points

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
    """Text over the current screen, closed by a click or a key of `BINDINGS`."""

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
        with VerticalScroll() as scroll:
            scroll.border_title = self.heading
            scroll.border_subtitle = "Esc closes"
            yield Static(self.text)

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()

    def on_click(self) -> None:
        self.action_close()

    def action_close(self) -> None:
        self.dismiss()


def join_lines(*lines: Content | str) -> Content:
    return Content("\n").join([line if isinstance(line, Content) else Content(line) for line in lines])


def resident_sheet(summary: ResidentSummary, card_text: str) -> ModalSheet:
    """Return a sheet with a resident's effect and ruling.

    `card_text` describes the selected card; it is empty if the resident was selected without a card.
    """
    resident = BOX_BY_NAME[summary.box].residents[summary.number]
    timing = lookup.TIMING_TEXT[resident.timing]
    certainty = f", text {summary.text_certainty}" if summary.text_certainty else ""
    ruling = lookup.rulings()[summary.label]
    paragraphs = [" ".join(block.split()) for block in ruling.text.split("\n\n")]
    text = join_lines(
        Content.assemble(
            (number_badge(summary, True), "bold"),
            f" of {BOX_BY_NAME[summary.box].title}, {timing} ({summary.label}){certainty}",
        ),
        *([Content.styled(card_text, "$ink2")] if card_text else []),
        "",
        Content.styled(resident.text, "bold"),
        "",
        *paragraphs,
    )
    return ModalSheet(summary.name, text)


def card_sheet(card: SceneCard, scene: Scene) -> ModalSheet:
    """Return a sheet with a card's rules; for the top card of the discard pile, with the cards of that pile."""
    card_text = f"{card.aria_label[:1].upper()}{card.aria_label[1:]}."
    if card.slot == "pile":
        faces = [
            f"{number_badge(resident)} {resident.name}" if resident else "a facedown card"
            for resident in scene.discard_faces
        ]
        return ModalSheet("The discard pile, from the top", join_lines(*faces))
    if card.resident is None:
        return ModalSheet("A facedown card", join_lines(card_text, "", "You haven't seen this card."))
    return resident_sheet(card.resident, card_text)


def deck_sheet(scene: Scene) -> ModalSheet:
    """Return a sheet with the deck's residents and the token."""
    rows = [
        Content.assemble((f"{number_badge(resident):>4} ", "bold"), f"{resident.name:16}", (resident.effect, "$ink2"))
        for resident in scene.cast
    ]
    token = BOX_BY_NAME[scene.token]
    return ModalSheet("In this deck", join_lines(*rows, "", f"The silver {scene.token}. {token.token_text}"))


def log_sheet(scene: Scene) -> ModalSheet:
    return ModalSheet("What happened", join_lines(*[log_line(entry, scene) for entry in scene.log]))


def log_line(entry: words.LogEntry, scene: Scene) -> Content:
    segments: list[str | tuple[str, str]] = []
    for part in entry.parts:
        if isinstance(part, words.CardChip):
            resident = scene.cast[part.number]
            segments.append((f"{resident.name} {number_badge(resident)}", "$silver"))
        elif isinstance(part, words.PlayerName):
            segments.append((part.text, "bold"))
        else:
            segments.append(part)
    return Content.assemble(*segments)


def score_lines(scene: Scene) -> Sequence[Content]:
    width = max(len(score.seat.name) for score in scene.scores) + 4
    header = "".join([f"{number:>4}" for number in range(1, ROUNDS_PER_GAME + 1)])
    rows = [Content.styled(f"{'':{width}}{header[1:]}  total", "$ink2")]
    for score in scene.scores:
        points = "".join(
            [f"{'·' if round_points is None else format_points(round_points):>4}" for round_points in score.rounds]
        )
        name = score.seat.name + " you" * score.yours
        rows.append(Content.assemble((name.ljust(width), "bold"), points[1:], f"{format_points(score.total):>7}"))
    return rows


def score_sheet(scene: Scene) -> ModalSheet:
    return ModalSheet(f"Round {scene.round} of {ROUNDS_PER_GAME}", join_lines(*score_lines(scene)))


class HelpSheet(ModalSheet):
    """Help about the current choice, the game and the keys. Pressing the help key again opens the rules of `card`."""

    BINDINGS = [("question_mark,i", "show_card", "The card")]

    def __init__(self, scene: Scene | None, card: SceneCard | None) -> None:
        self.card, self.scene = card, scene
        choice_lines: list[Content | str] = []
        if scene is not None:
            detail = [scene.prompt.detail] if scene.prompt.detail else []
            tip = [scene.tip.text] if scene.tip is not None else []
            choice_lines = [Content.styled(scene.prompt.title, "bold"), *detail, *tip, ""]
        card_lines: list[Content | str] = []
        if card is not None:
            card_lines = [Content.styled("? again: the selected card's rules", "bold"), ""]
        super().__init__("Help", join_lines(*choice_lines, *card_lines, HOW_TO_PLAY, "", KEY_HELP))

    def action_show_card(self) -> None:
        self.dismiss()
        if self.card is not None and self.scene is not None:
            self.app.push_screen(card_sheet(self.card, self.scene))


class LinksSheet(ModalSheet):
    """Sheet with the table's links; a click on a link copies it."""

    BINDINGS = [("c", "app.copy_link('invite')", "Copy the invitation"), ("j", "close", "Close")]

    def __init__(self, links: Mapping[str, str]) -> None:
        self.links = links
        rows: list[Content | str] = []
        for name, link in links.items():
            title = LINK_TITLES.get(name) or f"Seat {name}, which is free"
            copy_link = Content.from_markup(f"[@click=app.copy_link('{name}')]$link[/]", link=link)
            rows += [Content.styled(title, "bold"), copy_link, ""]
        copy_help = "Click a link to copy it; c copies the invitation." if "invite" in links else "Click it to copy it."
        super().__init__("Links", join_lines(*rows, copy_help if links else "The host of the table has the links."))


class ChatSheet(ModalScreen[str]):
    """Input for a chat line. The screen's result is the line, or an empty string if the input is cancelled."""

    DEFAULT_CSS = """
    ChatSheet { align: center middle; background: $sky; }
    ChatSheet Input { width: 76; max-width: 100%; background: $rail; color: $ink; border: round $silver; }
    """
    BINDINGS = [("escape", "close", "Close")]

    def compose(self) -> ComposeResult:
        yield Input(placeholder="Say something; Enter sends it, Esc does not", max_length=MAX_LINE_LENGTH)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value)

    def action_close(self) -> None:
        self.dismiss("")


class LeaveSheet(ModalSheet):
    """Confirmation before leaving a game."""

    BINDINGS = [("y,q", "leave", "Leave"), ("n,escape,enter,space", "close", "Stay")]

    def __init__(self, leave_text: str) -> None:
        super().__init__("Leave the table?", Content(f"y leaves the table, n stays. {leave_text}".rstrip()))

    def action_leave(self) -> None:
        self.app.exit("")
