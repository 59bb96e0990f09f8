"""Reads files as bytes and text; every way in which a file cannot be read has one error."""

from __future__ import annotations

import codecs
import io
import os
import re
import tokenize
from collections.abc import Mapping

CODING = re.compile(rb"coding[:=]")
MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
LARGEST_BYTES = 64 * 1024 * 1024


class Unreadable(Exception):
    """A file that could not be opened, or whose bytes are not the text they claim to be."""

    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


class Sources:
    """The texts of a run: those given in its request first, then files, from where the run was started."""

    def __init__(self, texts: Mapping[str, str | bytes]) -> None:
        self._texts = {path: _bytes(text) for path, text in texts.items()}
        self._folder = os.getcwd()

    def data(self, path: str) -> bytes:
        """The bytes of `path`; raises Unreadable."""
        if path in self._texts:
            return self._texts[path]
        try:
            with open(os.path.join(self._folder, path), "rb") as file:
                told = os.fstat(file.fileno()).st_size
                # No more room than is needed: to set aside the largest for each file takes longer than to read it.
                data = file.read(min(told, LARGEST_BYTES) + 1)
                if len(data) > told:  # a pipe, or a file that has grown meanwhile
                    data += file.read(LARGEST_BYTES)
        except OSError as error:
            raise Unreadable(f"cannot read the file: {(error.strerror or str(error)).lower()}") from None
        if len(data) > LARGEST_BYTES:
            raise Unreadable(f"the file is larger than {LARGEST_BYTES // 1024**2} MB")
        return data

    def text(self, path: str) -> str:
        """The text of `path` as its format encodes it; raises Unreadable."""
        return decode(path, self.data(path))

    def lines(self, path: str) -> list[str]:
        """The lines of `path` without their ends, none if it cannot be read any more; what is no text is marked."""
        try:
            data = self.data(path)
        except Unreadable:
            return []
        try:
            text = decode(path, data)
        except Unreadable:
            text = data.decode("utf-8", "replace")
        return re.split(r"\r\n|\r|\n", text)

    def given(self, path: str) -> bool:
        """Whether the text of `path` came with the request."""
        return path in self._texts


def _bytes(text: str | bytes) -> bytes:
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text


def decode(path: str, data: bytes) -> str:
    """The text of a file: Python by its coding line, everything else UTF-8; raises Unreadable."""
    encoding, mark = encoding_of(path, data)
    try:
        return data[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        at = error.start + len(mark)
        raise Unreadable(f"byte {data[at]:#04x} is not {encoding}", data.count(b"\n", 0, at) + 1) from None


def encoding_of(path: str, data: bytes) -> tuple[str, bytes]:
    """The encoding of a file and the byte order mark that it starts with; raises Unreadable."""
    for mark, encoding in MARKS.items():
        if data.startswith(mark) and encoding != "utf-8":
            return encoding, mark
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    head = data.split(b"\n", 2)[:2]
    if path.endswith((".py", ".pyi", ".pyw")) and any(CODING.search(line) for line in head):
        return _python_encoding(data).removesuffix("-sig"), mark
    return "utf-8", mark


def _python_encoding(data: bytes) -> str:
    try:
        return tokenize.detect_encoding(io.BytesIO(data).readline)[0]
    except SyntaxError as error:
        raise Unreadable(str(error.msg or error)) from None
