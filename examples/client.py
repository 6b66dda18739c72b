"""Take a seat by its link and play a game: python examples/client.py http://HOST/table/NAME#KEY"""

import sys

from argentum import View
from argentum.client import SyncTableClient, TableError


def choose(view: View) -> str:
    """Return a move: call if that is legal; otherwise draw, and exchange a known higher card for the drawn one."""
    legal, own_seat = [str(move) for move in view.legal], view.seat
    if legal[0].startswith("peek"):
        return f"peek {own_seat}1 {own_seat}2"
    drawn = view.hand.number if view.hand is not None and view.hand.number is not None else 99
    higher = [place for place, card in enumerate(view.villages[own_seat], 1) if (card.number or 0) > drawn]
    preferred = ("call", "draw", *[f"exchange {own_seat}{place}" for place in higher], "discard")
    return next((move for move in preferred if move in legal), legal[-1])


def main(link: str) -> None:
    answered = None
    with SyncTableClient(link) as table:
        for update in table.updates():
            if update.stage == "over" and update.view is not None:
                print(f"I sat in {update.seat}, and {update.winner} wins: {update.view.totals}")
                break
            if update.choice not in (None, answered) and update.view is not None:
                answered = update.choice
                table.play(choose(update.view))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        print(__doc__) if sys.argv[1] == "--help" else main(sys.argv[1])
    except (TableError, ValueError) as error:
        sys.exit(str(error))
