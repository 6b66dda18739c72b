"""Screen of the table during a game: villages, piles, prompt and buttons, for keys and the mouse."""

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
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.terminal.key_filter import KeyFilter, terminal_time
from argentum.terminal.screens import sheets
from argentum.terminal.state import TableState
from argentum.terminal.widgets.buttons import RESERVED_KEYS, ButtonRows, KeyButton, assign_keys
from argentum.terminal.widgets.cards import CardWidget, number_badge
from argentum.terminal.widgets.villages import VillageWidget

WIDE_COLUMNS: Final = 112  # from this width on, a sidebar shows the scores and the log
SIDEBAR_COLUMNS: Final = 38
TALL_ROWS: Final = 34  # from this height on, cards are larger
MOONS: Final = {"crescent": "◔", "half": "◑", "gibbous": "◕", "full": "●"}
PRESS_KEYS: Final = ("enter", "space")
HINT_COLUMNS: Final = 11  # width of a pile while a hint is shown next to it
SHOWN_COLUMNS: Final = 7  # width of a faceup card beside the deck
ARROWS: Final = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


class TableScreen(Screen[None]):
    """The table during a game. It calls `send_move` with the text of each move that the player makes."""

    DEFAULT_CSS = """
    TableScreen { background: $ground; color: $ink; layout: horizontal; overflow: hidden auto; }
    TableScreen #board { width: 1fr; height: 100%; min-height: 24; }
    TableScreen #sidebar {
        display: none; width: 38; height: 100%; background: $rail; padding: 0 1; scrollbar-size-vertical: 1;
    }
    TableScreen.wide #sidebar { display: block; }
    TableScreen #top-bar { height: 1; background: $sky; }
    TableScreen #status { width: 1fr; text-wrap: nowrap; text-overflow: ellipsis; }
    TableScreen #shortcuts { width: auto; color: $ink2; link-color: $ink2; link-style: none; link-style-hover: bold; }
    TableScreen #others { height: auto; background: $sky; }
    TableScreen #others VillageWidget { background: $sky; }
    TableScreen #piles { height: auto; padding: 0 1; }
    TableScreen #piles CardWidget { width: 14; height: 6; margin: 0 1 0 0; }
    TableScreen #beside-deck { width: auto; height: 6; }
    TableScreen #piles #beside-deck CardWidget { width: 7; margin: 0; }
    TableScreen #piles.showing > CardWidget { width: 11; }
    TableScreen #piles.hinted > CardWidget { width: 11; }
    TableScreen #info { width: 1fr; height: 6; overflow: hidden; }
    TableScreen #prompt {
        height: 1fr; min-height: 5; background: $sky; padding: 0 1; overflow-y: auto; scrollbar-size-vertical: 1;
    }
    TableScreen #title { height: auto; text-style: bold; }
    TableScreen #detail { height: auto; max-height: 3; color: $ink2; }
    TableScreen.tall #piles CardWidget { width: 17; height: 8; }
    TableScreen.tall #beside-deck { height: 8; }
    TableScreen.tall #piles.showing > CardWidget { width: 13; }
    TableScreen.tall #piles #beside-deck CardWidget { width: 10; }
    TableScreen.tall #piles.hinted > CardWidget { width: 11; }
    TableScreen.tall #info { height: 8; }
    TableScreen.tall #others { padding: 1 0 0 0; }
    TableScreen.tall #piles { padding: 1; }
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
        ("i", "show_card", "The card"),
        ("k", "open_sheet('deck')", "Deck"),
        ("l", "open_sheet('log')", "Log"),
        ("s", "open_sheet('scores')", "Scores"),
    ]
    TOP_BAR_KEYS = (
        "[@click=screen.help]? help[/]  [@click=screen.open_sheet('deck')]k deck[/]"
        "  [@click=screen.open_sheet('log')]l log[/]  [@click=screen.open_sheet('scores')]s scores[/]"
        "  [@click=app.leave]q leave[/]"
    )
    RESERVED: Collection[str] = RESERVED_KEYS  # keys that are never assigned to a button

    def __init__(self, send_move: Callable[[str], None]) -> None:
        super().__init__()
        self.key_filter = KeyFilter()
        self.bot_hint = ""  # hint of a bot for the current choice, or empty
        self.send_move = send_move
        self.table_state: TableState | None = None
        self.deadline = 0.0  # monotonic time at which the pending choice times out, if the game has a clock
        self.selection: list[str] = []  # slots of the selected cards, oldest first
        self.selection_buttons: dict[KeyButton, Button] = {}  # buttons that need selected cards
        self.key_actions: dict[str, Callable[[], None]] = {}
        self.shown_texts: dict[str, str] = {}  # markup by widget id
        self.draw_lock = asyncio.Lock()
        self.connection_text = ""  # describes a problem with the connection

    def compose(self) -> ComposeResult:
        with Vertical(id="board"):
            with Horizontal(id="top-bar"):
                yield Static(id="status")
                yield Static(Content.from_markup(self.TOP_BAR_KEYS), id="shortcuts")
            yield Horizontal(id="others")
            with Horizontal(id="piles"):
                yield Horizontal(id="beside-deck")
                yield CardWidget("deck")
                yield CardWidget("pile")
                yield CardWidget("hand")
                yield Static(id="info")
            yield VillageWidget(14, 5)
            with Vertical(id="prompt"):
                yield Static(id="title")
                yield Static(id="detail")
                yield ButtonRows()
        with VerticalScroll(id="sidebar", can_focus=False):
            yield Static(id="scores")
            yield Static(id="log")

    # Drawing.

    @property
    def scene(self) -> Scene:
        assert self.table_state is not None
        assert self.table_state.scene is not None
        return self.table_state.scene

    async def show(self, state: TableState) -> None:
        """Draw a new state of the table. A new choice clears the selection and the hint."""
        is_new_choice = self.table_state is None or state.choice != self.table_state.choice
        self.table_state = state
        self.deadline = monotonic() + (state.clock or 0.0)
        if is_new_choice:
            self.selection, self.bot_hint = [], ""
            self.key_filter.start_choice()
        await self.redraw(is_new_choice)
        self._mark_drawn()

    def _mark_drawn(self) -> None:
        """Mark the choice as drawn in the key filter after the next refresh, unless another screen covers the table."""
        if self.is_current:
            self.call_after_refresh(lambda: self.key_filter.mark_choice_drawn(terminal_time()))

    def on_screen_resume(self) -> None:
        self._mark_drawn()

    async def redraw(self, is_new_choice: bool) -> None:
        """Draw the current state. For a new choice, also replace the buttons and focus the first card or button."""
        async with self.draw_lock:
            scene = self.scene
            self._fit_to_size()
            keys = card_keys(scene)
            await self._draw_villages(keys)
            await self._draw_buttons(is_new_choice)
            self._bind_card_keys(keys)
            await self._draw_beside_deck()
            self._draw_piles()
            self._draw_texts()
            if is_new_choice and scene.your_move:
                self._focus_first()

    def _fit_to_size(self) -> None:
        """Set the layout and the card sizes according to the size of the screen and the number of villages."""
        width, height = self.app.size
        is_wide, is_tall = width >= WIDE_COLUMNS, height >= TALL_ROWS
        self.set_class(is_wide, "wide")
        self.set_class(is_tall, "tall")
        board_width = width - SIDEBAR_COLUMNS * is_wide
        villages = list(self.query(VillageWidget))
        others = max(len(villages) - 1, 1)
        for village in villages:
            is_own = village.parent is not None and village.parent.id == "board"
            village.columns = board_width - 2 if is_own else board_width // others - 1
            village.max_card_width, village.card_height = self._max_card_size(is_own, is_tall, others)

    def _max_card_size(self, is_own: bool, is_tall: bool, others: int) -> tuple[int, int]:
        """Return the maximum width and the height of a card in the viewer's village, or in one of `others` villages."""
        if is_own:
            return (17, 7) if is_tall else (14, 5)
        return (13 if others == 1 else 11, 5 if is_tall else 3)

    async def _draw_villages(self, keys: dict[str, str]) -> None:
        scene, selected = self.scene, frozenset(self.selection)
        others = self.query_one("#others", Horizontal)
        count = len(scene.villages) - 1
        if len(others.query(VillageWidget)) != count:
            await others.remove_children()
            await others.mount(*[VillageWidget(11, 3) for _ in range(count)])
            self._fit_to_size()
        own = self.query_one("#board > VillageWidget", VillageWidget)
        for widget, village in zip([own, *others.query(VillageWidget)], scene.villages, strict=True):
            await widget.show(village, scene, keys, selected)

    async def _draw_beside_deck(self) -> None:
        """Draw the faceup cards beside the deck, oldest first."""
        scene = self.scene
        container = self.query_one("#beside-deck", Horizontal)
        if len(container.children) != len(scene.beside_deck):
            await container.remove_children()
            await container.mount(*[CardWidget(card.slot) for card in scene.beside_deck])
        self.query_one("#piles").set_class(bool(scene.beside_deck), "showing")
        for widget, card in zip(container.query(CardWidget), scene.beside_deck, strict=True):
            widget.show(card, "shown", "", False)

    def _draw_piles(self) -> None:
        scene = self.scene
        hand_caption = "your hand" if scene.holder == scene.viewer else "in hand"
        piles: dict[str, tuple[SceneCard | None, str]] = {
            "deck": (scene.deck, f"deck {scene.deck_count}"),
            "pile": (scene.discard_top, f"discard {len(scene.discard_faces)}"),
            "hand": (scene.hand, hand_caption if scene.hand is not None else ""),
        }
        is_narrowed = bool(self.hint) and not self.has_class("wide")  # The hint needs the space.
        self.query_one("#piles").set_class(is_narrowed, "hinted")
        for slot, (card, caption) in piles.items():
            widget = self.query_one(f"#card-{slot}", CardWidget)
            widget.show(card, caption, "", False)
            widget.visible = slot != "hand" or card is not None
            widget.display = widget.visible or not is_narrowed

    def on_mount(self) -> None:
        self.set_interval(1.0, self._draw_top_bar)

    def _draw_top_bar(self) -> None:
        """Draw the status in the top bar: round, notes and clock, or a problem with the connection."""
        state = self.table_state
        # The interval may fire once more while the app is closing.
        if state is None or state.scene is None or not self.app.is_running or not self.query("#status"):
            return
        notes = "memory" if state.memory_mode else "open notes"
        texts = [f" {MOONS[state.scene.moon]} Round {state.scene.round} of {ROUNDS_PER_GAME}", notes]
        if state.clock is not None:
            texts.append(f"{max(0.0, self.deadline - monotonic()):.0f} s")
        self._set_text("status", Content.styled(self.connection_text or " · ".join(texts), "bold"))

    def _draw_texts(self) -> None:
        """Draw the top bar, the prompt, the info box and the sidebar."""
        scene = self.scene
        self._draw_top_bar()
        self._set_text("info", self._info_text())
        self._set_text("title", Content(scene.prompt.title))
        self._set_text("detail", Content(scene.prompt.detail))
        if self.has_class("wide"):
            log_lines = [sheets.log_line(entry, scene) for entry in scene.log]
            self._set_text("scores", sheets.join_lines("", *sheets.score_lines(scene), ""))
            self._set_text("log", sheets.join_lines(Content.styled("What happened", "bold"), *log_lines))

    def _set_text(self, widget_id: str, text: Content) -> None:
        """Update the text of a widget if it has changed. Update the layout only if the height of the text changes."""
        widget = self.query_one(f"#{widget_id}", Static)
        if self.shown_texts.get(widget_id) != text.markup:
            self.shown_texts[widget_id] = text.markup
            rows = text.get_height({}, max(widget.size.width, 1))
            widget.update(text, layout=rows != widget.size.height)

    def _info_text(self) -> Content:
        """Return the text beside the piles: direction, token and last turns, then the hint or the latest log lines."""
        scene = self.scene
        if self.hint and not self.has_class("wide"):
            return Content.styled(shorten_to_fit(self.hint, *self._hint_size()), "italic")
        arrow = "↻" if scene.direction == "clockwise" else "↺"
        token = f"silver {scene.token} {scene.token_state}"
        rows = [Content.styled(f"{arrow} {scene.direction} · {token}", "$silver")]
        if scene.last_turns:
            players = ", ".join(["you" if is_viewer else name for name, is_viewer in scene.last_turns])
            rows.append(Content.styled(f"Last turns: {players}, then the reveal", "bold"))
        if scene.hand is not None and scene.hand.resident is not None:
            rows.append(Content.styled(f"{number_badge(scene.hand.resident)}: {scene.hand.resident.effect}", "$silver"))
        if self.hint:
            rows.append(Content.styled(self.hint, "italic"))
        elif not self.has_class("wide"):
            rows += [sheets.log_line(entry, scene) for entry in scene.log[:6]]
        return sheets.join_lines(*rows)

    @property
    def hint(self) -> str:
        """The hint of a bot if the player asked for one, else the tip of the first-game guide; empty without either."""
        return self.bot_hint or (self.scene.tip.text if self.scene.tip is not None else "")

    def _hint_size(self) -> tuple[int, int]:
        """Return the columns and rows available to a hint beside the piles when there is no sidebar."""
        piles = 2 + (self.scene.hand is not None)
        width = self.app.size.width - 2 - piles * (HINT_COLUMNS + 1) - len(self.scene.beside_deck) * SHOWN_COLUMNS
        return width, 8 if self.has_class("tall") else 6

    async def _draw_buttons(self, is_new_choice: bool) -> None:
        """Replace the buttons below the prompt for a new choice; otherwise update those that need selected cards."""
        rows = self.query_one(ButtonRows)
        if not is_new_choice and rows.children:
            self._update_selection_buttons()
            return
        card_buttons = choosable_buttons(self.scene)
        other_buttons = [*self.scene.buttons, *self.scene.ability_buttons]
        keys = [str(number) if number < 10 else "" for number in range(1, len(card_buttons) + 1)]
        keys += assign_keys([(button.key, button.text) for button in other_buttons], self.RESERVED)
        self.selection_buttons = {}
        self.key_actions = {}
        widgets = []
        for button, key in zip([*card_buttons, *other_buttons], keys, strict=True):
            widget = KeyButton(button.text, button.move, key, button.primary)
            if button.move_template:
                self.selection_buttons[widget] = button
            widgets.append(widget)
            self.key_actions[key] = partial(self.press_button, widget)
        self._update_selection_buttons()
        await rows.show(widgets, self.app.size.width - SIDEBAR_COLUMNS * self.has_class("wide") - 2)

    def _update_selection_buttons(self) -> None:
        """Update the text, move and readiness of the buttons that need selected cards."""
        for widget, button in self.selection_buttons.items():
            slots = [slot for slot in self.selection if slot in button.spots]
            is_ready = button.min_cards <= len(slots) <= button.max_cards and len(slots) == len(self.selection)
            count = f" {len(slots)} cards" if len(slots) > 1 and button.min_cards < button.max_cards else ""
            request = "" if is_ready else f": choose {'two cards' if button.min_cards == 2 else 'a card'}"
            widget.update_text(f"{button.text}{count}{request}", button.move_template.format(" ".join(slots)), is_ready)

    def _bind_card_keys(self, keys: dict[str, str]) -> None:
        for slot, key in keys.items():
            self.key_actions[key] = partial(self.activate_card, self.query_one(f"#card-{slot}", CardWidget))

    # Playing.

    def accepts_key(self, event: Key) -> bool:
        """Return whether to handle a key press. Keys that can play a move must pass the key filter."""
        can_answer = self.key_filter.accepts(event.key, event.time)
        return can_answer or (event.key not in self.key_actions and event.key not in PRESS_KEYS)

    def on_card_widget_pressed(self, event: CardWidget.Pressed) -> None:
        if self.key_filter.was_visible(event.time):
            self.activate_card(event.card)

    def activate_card(self, widget: CardWidget) -> None:
        """Play a card's move or select the card; show its rules if neither is possible."""
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

    def toggle_selection(self, slot: str) -> None:
        """Select or deselect a card. If the maximum number of cards is exceeded, deselect the one selected first."""
        if slot in self.selection:
            self.selection.remove(slot)
        else:
            buttons = self.selection_buttons.values()
            limit = max([button.max_cards for button in buttons if slot in button.spots], default=1)
            self.selection = [*self.selection, slot] if len(self.selection) < limit else [*self.selection[1:], slot]
        for card in self.query(CardWidget):
            card.show(card.card, card.caption, card.key, card.slot in self.selection)
        self._update_selection_buttons()
        for widget, button in self.selection_buttons.items():
            if widget.is_ready and button.min_cards == len(self.selection) == button.max_cards:
                widget.focus()  # The selection is complete, so that Enter can confirm it.

    def on_key_button_pressed(self, event: KeyButton.Pressed) -> None:
        if self.key_filter.was_visible(event.time):
            self.press_button(event.button)

    def press_button(self, button: KeyButton) -> None:
        """Play a button's move if the button is ready."""
        if button.is_ready:
            self.send_move(button.move)

    def on_key(self, event: Key) -> None:
        """Press the button or activate the card to which a key is assigned."""
        action = self.key_actions.get(event.key)
        if action is not None:
            event.stop()
            action()

    # Focus.

    def _focus_first(self) -> None:
        """Focus a usable village card if cards can be selected, else a ready button, else any usable card."""
        cards = [widget for widget in self.query(CardWidget) if widget.card is not None and widget.has_action]
        ready = [button for button in self.query(KeyButton) if button.is_ready]
        village_cards = [widget for widget in cards if widget.slot[0] in SEAT_LETTERS]
        selectable = village_cards if self.scene.buttons and self.selection_buttons else []
        for widget in [*selectable, *ready, *cards][:1]:
            widget.focus()

    def action_next_control(self, step: int) -> None:
        """Focus the next (`step` 1) or previous (-1) card or button that can be used."""
        controls: list[Widget] = [widget for widget in self.query(CardWidget) if widget.has_action and widget.visible]
        controls += [button for button in self.query(KeyButton) if button.is_ready]
        if controls:
            index = controls.index(self.focused) if self.focused in controls else (-1 if step > 0 else 0)
            controls[(index + step) % len(controls)].focus()

    def action_move_focus(self, direction: str) -> None:
        """Focus the nearest card or button in a direction; if none has the focus, the first one."""
        x_step, y_step = ARROWS[direction]
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
        nearest: tuple[float, Widget] | None = None
        for widget in widgets:
            # A row is about twice as high as a column is wide.
            dx, dy = widget.region.center[0] - x, (widget.region.center[1] - y) * 2.0
            forward = dx * x_step + dy * y_step
            sideways = abs(dx * y_step) + abs(dy * x_step)
            if forward > 0.5 and widget is not self.focused:
                distance = forward + 2 * sideways if x_step else forward * 3 + sideways
                nearest = min(nearest or (distance, widget), (distance, widget), key=lambda pair: pair[0])
        if nearest is not None:
            nearest[1].focus()

    def _focused_card(self) -> SceneCard | None:
        return self.focused.card if isinstance(self.focused, CardWidget) else None

    def action_help(self) -> None:
        """Open the help. Pressing the help key again shows the rules of the focused card."""
        scene = None if self.table_state is None else self.table_state.scene
        self.app.push_screen(sheets.HelpSheet(scene, self._focused_card()))

    def action_show_card(self) -> None:
        """Show the rules of the focused card, or the help if no card has the focus."""
        card = self._focused_card()
        if card is None:
            self.action_help()
        else:
            self.app.push_screen(sheets.card_sheet(card, self.scene))

    def action_open_sheet(self, name: str) -> None:
        """Open the sheet `deck`, `log` or `scores`."""
        builders = {"deck": sheets.deck_sheet, "log": sheets.log_sheet, "scores": sheets.score_sheet}
        self.app.push_screen(builders[name](self.scene))

    async def on_resize(self) -> None:
        """Re-lay out the table after a resize."""
        if self.table_state is not None:
            await self.redraw(False)


def shorten_to_fit(text: str, width: int, rows: int) -> str:
    """Drop sentences from the end until the text fits into `rows` lines of `width` columns, and refer to the help.

    If not even the first sentence fits, return the text unchanged.

    >>> text = "You may call. You need not today."
    >>> shorten_to_fit(text, 13, 2), shorten_to_fit(text, 20, 2)
    ('You may call. (? for more)', 'You may call. You need not today.')
    """
    sentences = text.replace(". ", ".\n").split("\n")
    for count in range(len(sentences), 0, -1):
        shortened = " ".join([*sentences[:count], *["(? for more)"] * (count < len(sentences))])
        if len(wrap(shortened, width)) <= rows:
            return shortened
    return text


def choosable_buttons(scene: Scene) -> list[Button]:
    """Return the buttons that choose one of the cards offered from the deck or the discard pile.

    Buttons that take a card come first, then those that use its ability.
    """
    names = {
        card.slot: f"{number_badge(card.resident)} {card.resident.name}" if card.resident else "facedown"
        for card in scene.choosable
    }
    takes = [Button(names[card.slot], card.click_move) for card in scene.choosable if card.click_move]
    return takes + [
        Button(f"Use {names[card.slot]}", card.ability_move) for card in scene.choosable if card.ability_move
    ]


def card_keys(scene: Scene) -> dict[str, str]:
    """Return the number keys of the village cards that have an action, by slot.

    If the viewer's own village has such cards, only these get keys: the numbers of their spots up to 9. Otherwise the
    first ten cards are numbered in order.
    """
    cards = [
        card
        for village in scene.villages
        for card in village.cards
        if card.click_move or card.selectable or card.ability_move
    ]
    own = [card for card in cards if card.slot[0] == scene.viewer]
    if own:
        return {card.slot: card.slot[1:] for card in own if len(card.slot) == 2}
    return dict(zip([card.slot for card in cards], "1234567890", strict=False))
