"""Take a seat by its link and play a game: python examples/client.py http://HOST/table/NAME#KEY"""

import json
import sys
from time import sleep
from typing import Any
from urllib.parse import urlsplit

from websockets.sync.client import connect


def choose(view: dict[str, Any]) -> str:
    """Return a move: call if that is legal; otherwise draw, and exchange a known higher card for the drawn one."""
    legal, own_seat = view["legal"], view["seat"]
    if legal[0].startswith("peek"):
        return f"peek {own_seat}1 {own_seat}2"
    drawn_number = view["hand"]["number"] if view["holder"] == own_seat else 99
    higher = [place for place, card in enumerate(view["villages"][own_seat], 1) if (card["number"] or 0) > drawn_number]
    preferred = ("call", "draw", *[f"exchange {own_seat}{place}" for place in higher], "discard")
    return next((move for move in preferred if move in legal), str(legal[-1]))


def main(link: str) -> None:
    parts, answered = urlsplit(link), None
    table = parts.path.rpartition("/")[2]
    with connect(f"{parts.scheme.replace('http', 'ws')}://{parts.netloc}/socket/{table}") as socket:
        join_message = {"type": "join", "protocol": 3, "table": table, "key": parts.fragment}
        socket.send(json.dumps(join_message))
        while (update := json.loads(socket.recv())).get("stage") != "over":
            if update["type"] == "error":
                sys.exit(f"{update['code']}: {update['message']}")
            if update.get("choice") not in (None, answered):
                answered = update["choice"]
                sleep(0.05)  # the server accepts 20 messages per second
                socket.send(json.dumps({"type": "move", "choice": answered, "move": choose(update["view"])}))
    print(f"I sat in {update['seat']}, and {update['winner']} wins: {update['view']['totals']}")


if __name__ == "__main__":
    print(__doc__) if "--help" in sys.argv else main(sys.argv[1]) if len(sys.argv) == 2 else sys.exit(__doc__)
