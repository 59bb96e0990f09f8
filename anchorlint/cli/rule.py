"""`anchorlint rule`: the cards."""

from __future__ import annotations

from collections.abc import Sequence

import click


@click.command()
@click.argument("name", required=False, metavar="[CODE|NAME]")
@click.option("--all", "everything", is_flag=True, help="Every rule: one line each as text, whole cards as JSON.")
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", help="[text]")
def rule(name: str | None, everything: bool, output_format: str) -> None:
    """Show the card of a rule: why it matters, what is reported and what is not."""
    from anchorlint.engine.select import UnknownRule, rule_code
    from anchorlint.knowledge.cards import cards

    if bool(name) == everything:
        raise click.UsageError("name one rule by its code or name, or pass --all")
    known = cards()
    try:
        shown = list(known.values()) if name is None else [known[rule_code(name, known)]]
    except UnknownRule as error:
        raise click.UsageError(str(error)) from None
    if output_format == "json":
        click.echo(_as_json(shown, name is None))
    elif name is None:
        for card in shown:
            aside = " (preview)" if card.status == "preview" else ""
            click.echo(f"{card.code}  {card.name:<32}  {card.severity.value:<7}  {card.summary}{aside}")
    else:
        click.echo(shown[0].text, nl=False)


def _as_json(shown: Sequence[object], many: bool) -> str:
    import msgspec

    value = msgspec.to_builtins(shown if many else shown[0])
    return msgspec.json.format(msgspec.json.encode(value), indent=1).decode()
