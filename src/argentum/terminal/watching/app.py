"""App that steps through a game: by moves, by rounds, or automatically."""

from dataclasses import replace
from typing import Final

from textual.events import Key
from textual.timer import Timer

from argentum.display.scene import Button
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.terminal.app import TableApp
from argentum.terminal.screens.end import RoundEndScreen
from argentum.terminal.screens.lobby import LobbyScreen
from argentum.terminal.screens.table import TableScreen
from argentum.terminal.sources import OnMessage, ProtocolMessage, Source
from argentum.terminal.watching.recordings import LiveGame, Recording
from argentum.words import Prompt

STEP_SECONDS: Final = 1.3  # between steps of automatic playback
END: Final = 10**9  # larger than every index
REDRAW: Final[ProtocolMessage] = {"type": "show"}  # queued by the app itself, to draw the current position


class WatchScreen(TableScreen):
    """The table, with navigation buttons instead of moves."""

    BINDINGS = [
        ("left", "navigate('back')", "Back"),
        ("right", "navigate('forward')", "Forward"),
        ("up", "navigate('previous')", "Previous round"),
        ("down", "navigate('next')", "Next round"),
        ("home", "navigate('first')", "Beginning"),
        ("end", "navigate('last')", "End"),
        *[(str(number), f"navigate('round {number}')", "") for number in range(1, ROUNDS_PER_GAME + 1)],
    ]
    TOP_BAR_KEYS = "←→ steps  ↑↓ rounds  [@click=screen.help]? help[/]  [@click=app.leave]q leave[/]"
    RESERVED = "?hiklqrsvw"

    def accepts_key(self, event: Key) -> bool:  # noqa: ARG002
        """Accept every key, because none of them plays a move."""
        return True

    def action_navigate(self, target: str) -> None:
        self.send_move(target)


class NullSource(Source):
    """A source without messages, for recorded games."""

    async def run(self, on_message: OnMessage) -> None:
        pass

    async def send(self, message: ProtocolMessage) -> None:
        pass


class WatchApp(TableApp):
    """App that steps through a recording. It follows a live game until the user steps back."""

    is_player = False

    def __init__(self, recording: Recording, source: Source) -> None:
        super().__init__(source)
        self.table = WatchScreen(self.navigate)
        self.recording = recording
        self.index = 0
        self.is_following = isinstance(recording, LiveGame)
        self.timer: Timer | None = None

    def start(self) -> None:
        self.listen()
        if len(self.recording):
            self.navigate("first")

    async def handle_message(self, message: ProtocolMessage) -> None:
        """Handle a message. Of several queued redraws, only the last one is drawn."""
        if message is not REDRAW:
            await super().handle_message(message)
        elif not self.queued_redraws:
            await self._draw_position()

    async def _handle_update(self, update: ProtocolMessage) -> None:
        """Append an update's state to the live game, and go to it while following the game."""
        state, scoring = self.update_reader.read(update)
        self.table_state = state
        assert isinstance(self.recording, LiveGame)
        if state.scene is None:
            self.last_update = update
            await self._show_current_screen()
            return
        if isinstance(self.top_page, LobbyScreen):
            self._close_pages()
        self.recording.add(state, scoring)
        if self.is_following:
            self.index = len(self.recording) - 1
            if scoring is not None:
                self._show_round_end()
        self.enqueue(REDRAW)

    def navigate(self, target: str) -> None:
        """Go to a position, or start or stop playback if `target` is `play`.

        The other targets are `back`, `forward`, `first`, `last`, and `previous`, `next` and `round N` for the start of
        a round. Unknown targets leave the position unchanged.
        """
        if target == "play":
            self._toggle_playback()
            return
        rounds = self.recording.rounds()
        current_round = max([number for number, start in rounds.items() if start <= self.index], default=1)
        target_indices = {
            "back": self.index - 1,
            "forward": self.index + 1,
            "first": 0,
            "last": END,
            "previous": rounds.get(current_round - 1, 0)
            if rounds.get(current_round) == self.index
            else rounds.get(current_round, 0),
            "next": rounds.get(current_round + 1, END),
            **{f"round {number}": start for number, start in rounds.items()},
        }
        index = min(max(target_indices.get(target, self.index), 0), len(self.recording) - 1)
        has_moved, self.index = index != self.index, index
        self.is_following = isinstance(self.recording, LiveGame) and index == len(self.recording) - 1
        if target == "forward" and has_moved:
            self._show_round_end()
        self.enqueue(REDRAW)

    def _show_round_end(self) -> None:
        """Show the scoring if a round ended just before the current position."""
        scoring = self.recording.round_scoring(self.index)
        if scoring is not None and not isinstance(self.screen, RoundEndScreen):
            self.push_screen(RoundEndScreen(scoring, self.recording.state(self.index).seats))

    def _toggle_playback(self) -> None:
        """Start or stop automatic playback."""
        if self.timer is None:
            self.timer = self.set_interval(STEP_SECONDS, self._tick)
        else:
            self.timer.stop()
            self.timer = None
        self.enqueue(REDRAW)

    def _tick(self) -> None:
        # The timer may fire once more while the app is closing.
        if not self.is_running or self.screen is not self.table:
            return
        self.navigate("forward")
        if self.index == len(self.recording) - 1 and not isinstance(self.recording, LiveGame):
            self._toggle_playback()

    async def _draw_position(self) -> None:
        """Draw the current position with the navigation buttons."""
        state = self.recording.state(self.index)
        assert state.scene is not None
        last = len(self.recording) - 1
        live_text = (
            "" if not isinstance(self.recording, LiveGame) else " Live." if self.is_following else " The game goes on."
        )
        prompt = Prompt(state.scene.prompt.title, f"Step {self.index} of {last}.{live_text}", None)
        controls = [
            ("Pause" if self.timer else "Play", "play"),
            ("Back", "back"),
            ("Forward", "forward"),
            ("Next round", "next"),
        ]
        buttons = tuple([Button(text, move, primary=move == "play") for text, move in controls])
        scene = state.scene._replace(prompt=prompt, buttons=buttons, ability_buttons=())
        await self.table.show(replace(state, scene=scene, choice=int(self.timer is not None)))
