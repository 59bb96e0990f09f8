"""What a crontab's command says of itself: its name, the lock that it takes, and how long it sleeps first."""

from __future__ import annotations

import posixpath
import re

import msgspec

from anchorlint.domain.schedule import Busy

_OUTPUT = re.compile(
    r"\s*(?:\d?>>?&?\s*\S+|\|\s*(?:logger|tee|ts|mail|mailx|systemd-cat|rotatelogs)\b.*|2>&1|&>>?\s*\S+)"
)
_SLEEP = re.compile(r"\s*(?:/bin/|/usr/bin/)?sleep\s+(\d+(?:\.\d+)?)([smhd]?)\s*(?:;|&&)\s*")
_UNITS_S = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
_BEFORE = re.compile(
    r"""\s*(?:
        [A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S*)\s+
      | cd\s+\S+\s*(?:;|&&)\s*
      | (?:\.|source)\s+\S+\s*(?:;|&&)\s*
      | (?:test|\[|command\s+-v)\s[^&;|]*&&\s*
      | (?:\S*/)?(?:nice|ionice|chronic|exec|env|nohup|cronic|time)(?:\s+-\S+(?:\s+\d+)?)*\s+
      | (?:\S*/)?timeout(?:\s+-\S+)*\s+\d\S*\s+
      | (?:\S*/)?sudo(?:\s+-[A-Za-z]\s+\S+|\s+-\S+)*\s+
      | (?:\S*/)?run-one\s+
      | (?:\S*/)?(?:ba|da|z)?sh\s+-[a-z]*c\s+["']?
      | (?:\S*/)?(?:ba|da|z)?sh\s+(?=\S)(?!-)
      | (?:\S*/)?(?:python[\d.]*|php[\d.]*|node|ruby|perl|uv\s+run)(?:\s+-m)?\s+(?=[^\s-])
    )""",
    re.VERBOSE,
)
_WITH_VALUE = {"-w", "--wait", "--timeout", "-E", "--conflict-exit-code"}
_LONGEST_NAME = 40
_PLAIN = re.compile(r"[A-Za-z][\w.:/-]*")


class Command(msgspec.Struct, frozen=True):
    """`name` is short, `text` is all that tells two commands apart, `lock` the file that keeps runs apart."""

    name: str
    text: str
    lock: str | None = None
    busy: Busy = Busy.ALLOW
    sleep_s: float = 0.0


def understood(command: str) -> Command:
    """What a command does before the work itself: it sleeps, takes a lock, goes to a folder."""
    slept = _SLEEP.match(command)
    sleep_s = float(slept[1]) * _UNITS_S[slept[2]] if slept else 0.0
    rest = command[slept.end() :] if slept else command
    text = " ".join(_OUTPUT.sub("", rest).split())
    lock, busy, inner = None, Busy.ALLOW, rest
    if "flock" in rest:
        lock, busy, inner = _locked(rest)
    elif re.search(r"(^|[\s/])run-one\s", rest):
        lock, busy = f"run-one {text}", Busy.SKIP
    return Command(_name(inner), text, lock, busy, sleep_s)


def _locked(command: str) -> tuple[str | None, Busy, str]:
    """The lock file, what a busy lock means, and the command behind it."""
    before, _, after = command.partition("flock")
    words = after.split()
    busy, place = Busy.QUEUE, 0
    while place < len(words) and words[place].startswith("-"):
        word = words[place]
        if word in ("--nb", "--nonblock") or (not word.startswith("--") and "n" in word):
            busy = Busy.SKIP
        place += 2 if word in _WITH_VALUE else 1
    if place >= len(words):
        return None, Busy.ALLOW, command
    inner = words[place + 1 :]
    if inner[:1] in (["-c"], ["--command"]):
        inner = inner[1:]
    return words[place], busy, " ".join(inner).strip("'\"") or before


def _name(command: str) -> str:
    """The program and the plain words behind it, without folders, interpreters and what prepares it."""
    while (found := _BEFORE.match(command)) and command[found.end() :].strip():
        command = command[found.end() :]
    words = re.split(r"[|;&>]", command, maxsplit=1)[0].split()
    said = [posixpath.basename(words[0].strip("'\"")) or words[0]] if words else []
    for word in (word.strip("'\"") for word in words[1:]):
        # Behind an option anything may stand, passwords too, which are not to be repeated in a report.
        if not _PLAIN.fullmatch(word) or len(" ".join([*said, word])) > _LONGEST_NAME:
            break
        said.append(word)
    return " ".join(said).rstrip("'\"")
