"""The app for games on this machine: it offers first what was kept."""

from collections.abc import Sequence

from argentum.terminal.app import TableApp
from argentum.terminal.keeping import Kept
from argentum.terminal.local import LocalTable
from argentum.terminal.opening import ARRANGE, GIVE_UP, GO_ON, NEW, OpeningScreen
from argentum.terminal.reveal import LEAVE


class HomeApp(TableApp):
    """A table on this machine."""

    def __init__(self, table: LocalTable, kept: Sequence[Kept] = (), coached: bool = False, pace: str = "even") -> None:
        super().__init__(table, coached, pace)
        self.home = table
        self.kept = list(kept)
        table.pace = pace

    def begin(self) -> None:
        """Offer to go on with a game, if there is one."""
        if self.kept:
            self.push_screen(OpeningScreen(self.kept), self._chosen)
        else:
            self.listen()

    def _chosen(self, what: str | None) -> None:
        """What to begin with."""
        if what == GIVE_UP:
            self.kept.pop(0).give_up()
            if self.kept:
                self.push_screen(OpeningScreen(self.kept), self._chosen)
                return
            what = NEW
        if what == LEAVE:
            self.exit("")
            return
        if what == ARRANGE:
            self.home.gathering = True
        elif what is not None and what.startswith(GO_ON):
            self.home.resume(self.kept[int(what.removeprefix(GO_ON)) - 1])
        self.listen()
