"""`argentum rules`: how to play, and a reference of residents, rulings and boxes."""

import json

import click

from argentum.commands._params import InvalidInput, did_you_mean, examples_epilog, terminal_width


@click.command(
    "rules",
    epilog=examples_epilog(
        "argentum rules",
        "argentum rules magician",
        "argentum rules scoring",
        "argentum rules G10",
        "argentum rules --json coin",
    ),
)
@click.argument("words", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print the matches as JSON.")
def command(words: tuple[str, ...], as_json: bool) -> None:
    """Learn how to play, or look up a resident, ruling, box or topic.

    Part of a name is enough. Without a word, it tells how to play and lists what there is to look up.
    """
    from argentum.rulebook.lookup import TEXT_WIDTH, NotFound, look_up, lookup_json, overview

    width = min(terminal_width() or TEXT_WIDTH, TEXT_WIDTH)
    try:
        if as_json:
            click.echo(json.dumps(lookup_json(" ".join(words)), ensure_ascii=False, indent=2))
        else:
            click.echo(look_up(" ".join(words), width) if words else overview(width))
    except NotFound as error:
        raise InvalidInput(f"{error}{did_you_mean(error.query, error.candidates)}") from None
