"""Cards are read from their pages, and a page that is no card says why."""

from __future__ import annotations

import pytest

from anchorlint.domain.finding import Severity
from anchorlint.knowledge import rules_directory
from anchorlint.knowledge.cards import cards, read_card

PAGE = """\
# XXX101 some-rule

What is reported,
in two lines.

```toml
severity = "warning"
status = "preview"
since = "0.1"
on = "python"
```

## Why
Because.

## Bad
```python title="a.py"
# ## Good
x = 1  # expect: XXX101
```
Together with:
```json title="x/b.json" expect="4:XXX101, 5:XXX102"
{}
```

### Another
```python
y = 1
```

## Good
"""


def test_a_page() -> None:
    card = read_card(PAGE, "p")
    assert (card.code, card.name, card.severity, card.status) == ("XXX101", "some-rule", Severity.WARNING, "preview")
    assert card.summary == "What is reported, in two lines."
    assert card.stem == "xxx101_some_rule"
    assert list(card.sections) == ["Why", "Bad", "Good"]


def test_its_examples_are_small_projects() -> None:
    first, second = read_card(PAGE, "p").sections["Bad"].projects
    assert [(f.language, f.title) for f in first.fences] == [("python", "a.py"), ("json", "x/b.json")]
    assert first.fences[1].expect == ((4, "XXX101"), (5, "XXX102"))
    assert first.fences[0].text == "# ## Good\nx = 1  # expect: XXX101\n"
    assert (second.heading, second.fences[0].title) == ("Another", None)
    assert read_card(PAGE, "p").sections["Good"].projects == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("# XXX101 some-rule", "# some-rule"),
        ("# XXX101 some-rule", "# XXX101 Some Rule"),
        ('severity = "warning"', 'severity = "bad"'),
        ('status = "preview"\n', ""),
        ('since = "0.1"', "since = 0.1"),
        ("```toml", "```"),
        ("What is reported,\nin two lines.\n\n", ""),
    ],
)
def test_a_page_that_is_no_card(before: str, after: str) -> None:
    with pytest.raises(ValueError, match=r"^p\.md: "):
        read_card(PAGE.replace(before, after), "p.md")


def test_every_page_in_rules_is_a_card_in_order() -> None:
    assert list(cards()) == sorted(file.name[:6] for file in rules_directory().glob("*.md"))
