"""The table: villages, piles, the prompt with its buttons; by mouse and by keys."""

import asyncio
from collections.abc import Callable, Collection
from functools import partial
from textwrap import wrap
from time import monotonic
from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.events import Key
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from argentum.display.scene import Button, Scene, SceneCard
from argentum.terminal.key_filter import KeyFilter, terminal_time
from argentum.terminal.screens import sheets
from argentum.terminal.state import TableState
from argentum.terminal.widgets.buttons import RESERVED_KEYS, ButtonRows, KeyButton, assign_keys
from argentum.terminal.widgets.cards import CardWidget, number_badge
from argentum.terminal.widgets.villages import VillageWidget

WIDE_COLUMNS: Final = 112  # columns from which the scores and the log have a rail of their own
SIDEBAR_COLUMNS: Final = 38
TALL_ROWS: Final = 34  # rows from which cards are larger
MOONS: Final = {"crescent": "◔", "half": "◑", "gibbous": "◕", "full": "●"}
PRESS_KEYS: Final = ("enter", "space")
HINT_COLUMNS: Final = 11  # columns of a pile beside a hint
SHOWN_COLUMNS: Final = 7  # columns of a card that is shown beside the deck
ARROWS: Final = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


class TableScreen(Screen[None]):
    """A game that goes on."""

    DEFAULT_CSS = """
    TableScreen { background: $ground; color: $ink; layout: horizontal; overflow: hidden auto; }
    TableScreen #board { width: 1fr; height: 100%; min-height: 24; }
    TableScreen #rail {
        display: none; width: 38; height: 100%; background: $rail; padding: 0 1; scrollbar-size-vertical: 1;
    }
    TableScreen.wide #rail { display: block; }
    TableScreen #bar { height: 1; background: $sky; }
    TableScreen #where { width: 1fr; text-wrap: nowrap; text-overflow: ellipsis; }
    TableScreen #keys { width: auto; color: $ink2; link-color: $ink2; link-style: none; link-style-hover: bold; }
    TableScreen #others { height: auto; background: $sky; }
    TableScreen #others VillageWidget { background: $sky; }
    TableScreen #middle { height: auto; padding: 0 1; }
    TableScreen #middle CardWidget { width: 14; height: 6; margin: 0 1 0 0; }
    TableScreen #beside { width: auto; height: 6; }
    TableScreen #middle #beside CardWidget { width: 7; margin: 0; }
    TableScreen #middle.showing > CardWidget { width: 11; }
    TableScreen #middle.hinted > CardWidget { width: 11; }
    TableScreen #news { width: 1fr; height: 6; overflow: hidden; }
    TableScreen #prompt {
        height: 1fr; min-height: 5; background: $sky; padding: 0 1; overflow-y: auto; scrollbar-size-vertical: 1;
    }
    TableScreen #title { height: auto; text-style: bold; }
    TableScreen #detail { height: auto; max-height: 3; color: $ink2; }
    TableScreen.tall #middle CardWidget { width: 17; height: 8; }
    TableScreen.tall #beside { height: 8; }
    TableScreen.tall #middle.showing > CardWidget { width: 13; }
    TableScreen.tall #middle #beside CardWidget { width: 10; }
    TableScreen.tall #middle.hinted > CardWidget { width: 11; }
    TableScreen.tall #news { height: 8; }
    TableScreen.tall #others { padding: 1 0 0 0; }
    TableScreen.tall #middle { padding: 1; }
    TableScreen.tall #prompt { padding: 1 1 0 1; }
    TableScreen.tall #detail { margin: 0 0 1 0; }
    """
    BINDINGS = [
        ("tab", "next_control(1)", "Next"),
        ("shift+tab", "next_control(-1)", "Previous"),
        ("left", "move_focus('left')", ""),
        ("right", "move_focus('right')", ""),
        ("up", "move_focus('up')", ""),
        ("down", "move_focus('down')", ""),
        ("question_mark", "help", "Help"),
        ("i", "card", "The card"),
        ("k", "sheet('deck')", "Deck"),
        ("l", "sheet('log')", "Log"),
        ("s", "sheet('scores')", "Scores"),
    ]
    TOP_BAR_KEYS = (
        "[@click=screen.help]? help[/]  [@click=screen.sheet('deck')]k deck[/]  [@click=screen.sheet('log')]l log[/]"
        "  [@click=screen.sheet('scores')]s scores[/]  [@click=app.leave]q leave[/]"
    )
    RESERVED: Collection[str] = RESERVED_KEYS  # keys that no button gets

    def __init__(self, play: Callable[[str], None]) -> None:
        super().__init__()
        self.key_filter = KeyFilter()
        self.bot_hint = ""  # of a bot, until something else is asked
        self.send_move = play  # makes a move
        self.table_state: TableState | None = None
        self.deadline = 0.0  # of whoever is asked, if there is a clock
        self.selection: list[str] = []  # cards that are chosen for a button, in the order of choosing
        self.selection_buttons: dict[KeyButton, Button] = {}
        self.key_actions: dict[str, Callable[[], None]] = {}
        self.shown_texts: dict[str, str] = {}
        self.draw_lock = asyncio.Lock()
        self.connection_text = ""  # what is wrong with the line to the table

    def compose(self) -> ComposeResult:
        with Vertical(id="board"):
            with Horizontal(id="bar"):
                yield Static(id="where")
                yield Static(Content.from_markup(self.TOP_BAR_KEYS), id="keys")
            yield Horizontal(id="others")
            with Horizontal(id="middle"):
                yield Horizontal(id="beside")
                yield CardWidget("deck")
                yield CardWidget("pile")
                yield CardWidget("hand")
                yield Static(id="news")
            yield VillageWidget(14, 5)
            with Vertical(id="prompt"):
                yield Static(id="title")
                yield Static(id="detail")
                yield ButtonRows()
        with VerticalScroll(id="rail", can_focus=False):
            yield Static(id="scores")
            yield Static(id="log")

    # Showing.

    @property
    def scene(self) -> Scene:
        assert self.table_state is not None
        assert self.table_state.scene is not None
        return self.table_state.scene

    async def show(self, moment: TableState) -> None:
        """Show the table as it is now."""
        asked_anew = self.table_state is None or moment.choice != self.table_state.choice
        self.table_state = moment
        self.deadline = monotonic() + (moment.clock or 0.0)
        if asked_anew:
            self.selection, self.bot_hint = [], ""
            self.key_filter.new_choice()
        await self.redraw(asked_anew)
        self._mark_drawn()

    def _mark_drawn(self) -> None:
        """What is asked can be seen from when it is drawn, unless another screen lies above."""
        if self.is_current:
            self.call_after_refresh(lambda: self.key_filter.choice_drawn(terminal_time()))

    def on_screen_resume(self) -> None:
        """What lay above has gone."""
        self._mark_drawn()

    async def redraw(self, asked_anew: bool) -> None:
        """Draw everything, once at a time; what has not changed draws itself quickly."""
        async with self.draw_lock:
            scene = self.scene
            self._fit_to_size()
            keys = card_keys(scene)
            await self._draw_villages(keys)
            await self._draw_buttons(asked_anew)
            self._bind_card_keys(keys)
            await self._draw_beside_deck()
            self._draw_piles()
            self._draw_texts()
            if asked_anew and scene.your_move:
                self._focus_first()

    def _fit_to_size(self) -> None:
        """Fit the parts to the size of the screen and the number of villages."""
        width, height = self.app.size
        self.set_class(width >= WIDE_COLUMNS, "wide")
        self.set_class(height >= TALL_ROWS, "tall")
        board = width - SIDEBAR_COLUMNS * (width >= WIDE_COLUMNS)
        rows = list(self.query(VillageWidget))
        others = max(len(rows) - 1, 1)
        for row in rows:
            below = row.parent is not None and row.parent.id == "board"
            row.columns = board - 2 if below else board // others - 1
            row.max_card_width, row.card_height = self._max_card_size(below, height >= TALL_ROWS, others)

    def _max_card_size(self, below: bool, tall: bool, others: int) -> tuple[int, int]:
        """How wide and high a card of a village may be."""
        if below:
            return (17, 7) if tall else (14, 5)
        return (13 if others == 1 else 11, 5 if tall else 3)

    async def _draw_villages(self, keys: dict[str, str]) -> None:
        scene, picks = self.scene, frozenset(self.selection)
        others = self.query_one("#others", Horizontal)
        wanted = len(scene.villages) - 1
        there = list(others.query(VillageWidget))
        if len(there) != wanted:
            await others.remove_children()
            await others.mount(*[VillageWidget(11, 3) for _ in range(wanted)])
            self._fit_to_size()
        own = self.query_one("#board > VillageWidget", VillageWidget)
        for row, village in zip([own, *others.query(VillageWidget)], scene.villages, strict=True):
            await row.show(village, scene, keys, picks)

    async def _draw_beside_deck(self) -> None:
        """The cards beside the deck, in the order they came."""
        scene = self.scene
        beside = self.query_one("#beside", Horizontal)
        if len(beside.children) != len(scene.beside_deck):
            await beside.remove_children()
            await beside.mount(*[CardWidget(card.slot) for card in scene.beside_deck])
        self.query_one("#middle").set_class(bool(scene.beside_deck), "showing")
        for widget, card in zip(beside.query(CardWidget), scene.beside_deck, strict=True):
            widget.show(card, "shown", "", False)

    def _draw_piles(self) -> None:
        scene = self.scene
        whose = "your hand" if scene.holder == scene.viewer else "in hand"
        piles: dict[str, tuple[SceneCard | None, str]] = {
            "deck": (scene.deck, f"deck {scene.deck_count}"),
            "pile": (scene.discard_top, f"discard {len(scene.discard_faces)}"),
            "hand": (scene.hand, whose if scene.hand is not None else ""),
        }
        hinted = bool(self.hint) and not self.has_class("wide")  # which needs the room
        self.query_one("#middle").set_class(hinted, "hinted")
        for place, (card, mark) in piles.items():
            widget = self.query_one(f"#card-{place}", CardWidget)
            widget.show(card, mark, "", False)
            widget.visible = place != "hand" or card is not None
            widget.display = widget.visible or not hinted

    def on_mount(self) -> None:
        self.set_interval(1.0, self._draw_top_bar)

    def _draw_top_bar(self) -> None:
        """The round, the clock; or that the line is lost. The last tick may come while the app is closing."""
        moment = self.table_state
        if moment is None or moment.scene is None or not self.app.is_running or not self.query("#where"):
            return
        notes = "memory" if moment.memory_mode else "open notes"
        parts = [f" {MOONS[moment.scene.moon]} Round {moment.scene.round} of 4", notes]
        if moment.clock is not None:
            parts.append(f"{max(0.0, self.deadline - monotonic()):.0f} s")
        self._set_text("where", Content.styled(self.connection_text or " · ".join(parts), "bold"))

    def _draw_texts(self) -> None:
        scene = self.scene
        self._draw_top_bar()
        story = [sheets.log_line(entry, scene) for entry in scene.log]
        self._set_text("news", self._info_text())
        self._set_text("title", Content(scene.prompt.title))
        self._set_text("detail", Content(scene.prompt.detail))
        if self.has_class("wide"):
            self._set_text("scores", sheets.join_lines("", *sheets.score_lines(scene), ""))
            self._set_text("log", sheets.join_lines(Content.styled("What happened", "bold"), *story))

    def _set_text(self, where: str, words: Content) -> None:
        """Change what a part says, if it says something else; only where it needs more or fewer rows, others move."""
        part = self.query_one(f"#{where}", Static)
        if self.shown_texts.get(where) != words.markup:
            self.shown_texts[where] = words.markup
            rows = words.get_height({}, max(part.size.width, 1))
            part.update(words, layout=rows != part.size.height)

    def _info_text(self) -> Content:
        """Beside the piles: the way of play, the token, last turns, and a hint or the last things that happened."""
        scene = self.scene
        if self.hint and not self.has_class("wide"):
            return Content.styled(shorten_to_fit(self.hint, *self._hint_size()), "italic")
        arrow = "↻" if scene.direction == "clockwise" else "↺"
        token = f"silver {scene.token} {scene.token_state}"
        rows = [Content.styled(f"{arrow} {scene.direction} · {token}", "$silver")]
        if scene.last_turns:
            left = ", ".join(["you" if you else name for name, you in scene.last_turns])
            rows.append(Content.styled(f"Last turns: {left}, then the reveal", "bold"))
        if scene.hand is not None and scene.hand.resident is not None:
            rows.append(Content.styled(f"{number_badge(scene.hand.resident)}: {scene.hand.resident.effect}", "$silver"))
        if self.hint:
            rows.append(Content.styled(self.hint, "italic"))
        elif not self.has_class("wide"):
            rows += [sheets.log_line(entry, scene) for entry in scene.log[:6]]
        return sheets.join_lines(*rows)

    @property
    def hint(self) -> str:
        """What is advised now: by a bot that was asked, or for a first game."""
        return self.bot_hint or (self.scene.tip.text if self.scene.tip is not None else "")

    def _hint_size(self) -> tuple[int, int]:
        """The columns and rows beside the piles, in a small window."""
        piles = 2 + (self.scene.hand is not None)
        width = self.app.size.width - 2 - piles * (HINT_COLUMNS + 1) - len(self.scene.beside_deck) * SHOWN_COLUMNS
        return width, 8 if self.has_class("tall") else 6

    async def _draw_buttons(self, asked_anew: bool) -> None:
        """The buttons of the prompt: anew if something else is asked, else only what they say."""
        rows = self.query_one(ButtonRows)
        if asked_anew or not rows.children:
            fan = choosable_buttons(self.scene)
            others = [*self.scene.buttons, *self.scene.ability_buttons]
            buttons = [*fan, *others]
            keys = [str(number) if number < 10 else "" for number in range(1, len(fan) + 1)]
            keys += assign_keys([(button.key, button.text) for button in others], self.RESERVED)
            self.selection_buttons = {}
            self.key_actions = {}
            widgets = []
            for button, key in zip(buttons, keys, strict=True):
                choice = KeyButton(button.text, button.move, key, button.primary)
                if button.move_template:
                    self.selection_buttons[choice] = button
                widgets.append(choice)
                self.key_actions[key] = partial(self.press_button, choice)
            self._update_selection_buttons()
            await rows.show(widgets, self.app.size.width - SIDEBAR_COLUMNS * self.has_class("wide") - 2)
        else:
            self._update_selection_buttons()

    def _update_selection_buttons(self) -> None:
        """What the buttons say that need cards."""
        for choice, button in self.selection_buttons.items():
            chosen = [spot for spot in self.selection if spot in button.spots]
            ready = button.min_cards <= len(chosen) <= button.max_cards and len(chosen) == len(self.selection)
            count = f" {len(chosen)} cards" if len(chosen) > 1 and button.min_cards < button.max_cards else ""
            wanted = "" if ready else f": choose {'two cards' if button.min_cards == 2 else 'a card'}"
            choice.update_text(f"{button.text}{count}{wanted}", button.move_template.format(" ".join(chosen)), ready)

    def _bind_card_keys(self, keys: dict[str, str]) -> None:
        for place, key in keys.items():
            self.key_actions[key] = partial(self.activate_card, self.query_one(f"#card-{place}", CardWidget))

    # Playing.

    def accepts_key(self, event: Key) -> bool:
        """Whether a key may be heard: if it can answer something, only when the question has been seen."""
        seen = self.key_filter.accepts(event.key, event.time)
        return seen or (event.key not in self.key_actions and event.key not in PRESS_KEYS)

    def on_card_widget_pressed(self, event: CardWidget.Pressed) -> None:
        if self.key_filter.was_visible(event.time):
            self.activate_card(event.card)

    def activate_card(self, widget: CardWidget) -> None:
        """Play what a card offers, or choose it for a button; else tell what it is."""
        card = widget.card
        if card is None:
            return
        if card.click_move:
            self.send_move(card.click_move)
        elif card.selectable:
            self.toggle_selection(card.slot)
        elif card.ability_move:
            self.send_move(card.ability_move)
        else:
            self.app.push_screen(sheets.card_sheet(card, self.scene))

    def toggle_selection(self, place: str) -> None:
        """Choose a card, or not any more. Where only one may be chosen, it is another one."""
        if place in self.selection:
            self.selection.remove(place)
        else:
            most = max(
                [button.max_cards for button in self.selection_buttons.values() if place in button.spots], default=1
            )
            self.selection = [*self.selection, place] if len(self.selection) < most else [*self.selection[1:], place]
        for card in self.query(CardWidget):
            card.show(card.card, card.caption, card.key, card.slot in self.selection)
        self._update_selection_buttons()
        for choice, button in self.selection_buttons.items():
            if choice.ready and button.min_cards == len(self.selection) == button.max_cards:
                choice.focus()  # there is no more to choose: Enter confirms it

    def on_key_button_pressed(self, event: KeyButton.Pressed) -> None:
        if self.key_filter.was_visible(event.time):
            self.press_button(event.button)

    def press_button(self, button: KeyButton) -> None:
        """Play what a button says, if it is ready."""
        if button.ready:
            self.send_move(button.move)

    def on_key(self, event: Key) -> None:
        """A letter presses its button, a number its card."""
        press = self.key_actions.get(event.key)
        if press is not None:
            event.stop()
            press()

    # Going about.

    def _focus_first(self) -> None:
        """Where it is quickest to go on from."""
        cards = [widget for widget in self.query(CardWidget) if widget.card is not None and widget.legal]
        ready = [button for button in self.query(KeyButton) if button.ready]
        village = [widget for widget in cards if widget.slot[0] in "ABCD"]
        for widget in [*(village if self.scene.buttons and self.selection_buttons else ()), *ready, *cards][:1]:
            widget.focus()

    def action_next_control(self, step: int) -> None:
        """To the next thing that can be done."""
        things: list[Widget] = [widget for widget in self.query(CardWidget) if widget.legal and widget.visible]
        things += [button for button in self.query(KeyButton) if button.ready]
        if things:
            at = things.index(self.focused) if self.focused in things else (-1 if step > 0 else 0)
            things[(at + step) % len(things)].focus()

    def action_move_focus(self, way: str) -> None:
        """To the nearest card or button that way."""
        across, down = ARROWS[way]
        widgets = [
            widget
            for widget in (*self.query(CardWidget), *self.query(KeyButton))
            if widget.visible and widget.region.area
        ]
        if self.focused is None or self.focused not in widgets:
            if widgets:
                widgets[0].focus()
            return
        x, y = self.focused.region.center
        best: tuple[float, Widget] | None = None
        for widget in widgets:
            right, below = widget.region.center[0] - x, (widget.region.center[1] - y) * 2.0
            ahead = right * across + below * down
            aside = abs(right * down) + abs(below * across)
            if ahead > 0.5 and widget is not self.focused:
                far = ahead + 2 * aside if across else ahead * 3 + aside
                best = min(best or (far, widget), (far, widget), key=lambda pair: pair[0])
        if best is not None:
            best[1].focus()

    def _focused_card(self) -> SceneCard | None:
        return self.focused.card if isinstance(self.focused, CardWidget) else None

    def action_help(self) -> None:
        """Help for the game, and then the rules of the card that one is at."""
        scene = None if self.table_state is None else self.table_state.scene
        self.app.push_screen(sheets.HelpSheet(scene, self._focused_card()))

    def action_card(self) -> None:
        """The rules of the card that one is at; elsewhere, help for the game."""
        card = self._focused_card()
        if card is None:
            self.action_help()
        else:
            self.app.push_screen(sheets.card_sheet(card, self.scene))

    def action_sheet(self, which: str) -> None:
        """The deck, the log or the scores."""
        kinds = {"deck": sheets.deck_sheet, "log": sheets.log_sheet, "scores": sheets.score_sheet}
        self.app.push_screen(kinds[which](self.scene))

    async def on_resize(self) -> None:
        """Re-lay out the table after a resize."""
        if self.table_state is not None:
            await self.redraw(False)


def shorten_to_fit(text: str, width: int, rows: int) -> str:
    """As many whole sentences as there is room for; if that is not all, where to read on.

    >>> text = "You may call. You need not today."
    >>> fitted(text, 13, 2), fitted(text, 20, 2)
    ('You may call. (? for more)', 'You may call. You need not today.')
    """
    sentences = text.replace(". ", ".\n").split("\n")
    for count in range(len(sentences), 0, -1):
        shortened = " ".join([*sentences[:count], *["(? for more)"] * (count < len(sentences))])
        if len(wrap(shortened, width)) <= rows:
            return shortened
    return text


def choosable_buttons(scene: Scene) -> list[Button]:
    """Buttons for the cards of the deck or the discard pile to choose from, from the top; then those to use there."""
    faces = {card.slot: card.resident for card in scene.choosable}
    names = {
        place: f"{number_badge(resident)} {resident.name}" if resident else "facedown"
        for place, resident in faces.items()
    }
    takes = [Button(names[card.slot], card.click_move) for card in scene.choosable if card.click_move]
    return takes + [
        Button(f"Use {names[card.slot]}", card.ability_move) for card in scene.choosable if card.ability_move
    ]


def card_keys(scene: Scene) -> dict[str, str]:
    """Keys of cards that something can be done with: your spots' numbers, or else a count of the others."""
    legal = [
        card
        for village in scene.villages
        for card in village.cards
        if card.click_move or card.selectable or card.ability_move
    ]
    own = [card for card in legal if card.slot[0] == scene.viewer]
    counted = list(zip([card.slot for card in legal], "1234567890", strict=False))
    return {card.slot: card.slot[1:] for card in own if len(card.slot) == 2} if own else dict(counted)
