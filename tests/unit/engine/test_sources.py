"""Any bytes in: text, or an error that says why not."""

from __future__ import annotations

import pytest

from anchorlint.engine.sources import Sources, Unreadable, decode


@pytest.mark.parametrize(
    ("path", "data", "text"),
    [
        ("a.py", "x = 'é'\n".encode(), "x = 'é'\n"),
        ("a.py", b"\xef\xbb\xbfx = 1\n", "x = 1\n"),
        ("a.py", "# -*- coding: latin-1 -*-\nx = 'é'\n".encode("latin-1"), "# -*- coding: latin-1 -*-\nx = 'é'\n"),
        ("a.py", "#!/x\n# coding=cp1252\n'€'".encode("cp1252"), "#!/x\n# coding=cp1252\n'€'"),
        ("schedules.json", b'\xff\xfe{\x00}\x00', "{}"),
        ("schedules.yaml", b"\xef\xbb\xbfa: 1", "a: 1"),
        ("a.toml", b"# coding: latin-1\n", "# coding: latin-1\n"),
    ],
)  # fmt: skip
def test_text_as_its_format_encodes_it(path: str, data: bytes, text: str) -> None:
    assert decode(path, data) == text


@pytest.mark.parametrize(
    ("path", "data", "line"),
    [
        ("a.py", b"x = 1\ny = '\xe9'\n", 2),
        ("a.py", b"# coding: nonsense\n", 1),
        ("a.toml", b"a = '\xff'\n", 1),
        ("a.py", b"\xef\xbb\xbf# coding: latin-1\n", 1),
    ],
)
def test_what_is_no_text_has_a_line(path: str, data: bytes, line: int) -> None:
    with pytest.raises(Unreadable) as raised:
        decode(path, data)
    assert raised.value.line == line


def test_given_texts_come_before_files() -> None:
    sources = Sources({"a.py": "given\r\nlines\x0cform\rfeed"})
    assert sources.lines("a.py") == ["given", "lines\x0cform", "feed"]
    assert sources.given("a.py")


def test_a_file_that_has_gone_has_no_lines() -> None:
    assert Sources({}).lines("not/there.py") == []
    with pytest.raises(Unreadable, match="no such file"):
        Sources({}).text("not/there.py")
