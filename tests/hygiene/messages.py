"""Messages a test did not announce: log records and Qt messages alike."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass, field
from typing import ClassVar


@dataclass
class Expectation:
    """A message that a test announces; `seen` counts how often it came."""

    pattern: str
    source: str = ""
    seen: int = 0

    def accepts(self, message: Message) -> bool:
        """Whether this is the announced message."""
        return self.source in ("", message.source) and bool(re.search(self.pattern, message.text))


@dataclass(frozen=True)
class Message:
    """A warning or worse: where it came from, how bad, and its text."""

    source: str
    level: str
    text: str


@dataclass
class Messages:
    """All warnings of one channel during one test, against what the test announced."""

    channel: str
    received: list[Message] = field(default_factory=list)
    expected: list[Expectation] = field(default_factory=list)

    def expect(self, pattern: str, source: str = "") -> Expectation:
        """Announce a message whose text matches `pattern`; it must come at least once."""
        expectation = Expectation(pattern, source)
        self.expected.append(expectation)
        return expectation

    def problems(self) -> list[str]:
        """Stray messages, and announced ones that never came."""
        stray = [m for m in self.received if not self._accept(m)]
        return [
            *(f"stray {self.channel} ({m.source}, {m.level}): {m.text}" for m in stray),
            *(
                f"announced {self.channel} did not come: {e.pattern!r}"
                for e in self.expected
                if e.seen == 0
            ),
        ]

    def _accept(self, message: Message) -> bool:
        matching = [e for e in self.expected if e.accepts(message)]
        for expectation in matching:
            expectation.seen += 1
        return bool(matching)


class LogWatch(logging.Handler):
    """A root handler that keeps every record from WARNING on."""

    channel: ClassVar[str] = "log record"

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages = Messages(self.channel)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the record's text; never raises into the code under test."""
        self.messages.received.append(Message(record.name, record.levelname, record.getMessage()))

    def start(self) -> None:
        """Begin to listen, with a clean slate."""
        self.messages = Messages(self.channel)
        logging.getLogger().addHandler(self)

    def stop(self) -> list[str]:
        """Stop listening and say what was wrong."""
        logging.getLogger().removeHandler(self)
        return self.messages.problems()
