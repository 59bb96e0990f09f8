"""Work beside the event loop, so that typing never waits for an analysis."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


def in_background(work: Callable[[], Result]) -> asyncio.Future[Result]:
    """Run `work` in a thread that does not keep the process alive; what it raises, awaiting the future raises."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()

    def settle(outcome: Result | None, failure: BaseException | None) -> None:
        if future.cancelled():
            return
        if failure is None:
            future.set_result(outcome)  # type: ignore[arg-type]
        else:
            future.set_exception(failure)

    def body() -> None:
        outcome, failure = None, None
        try:
            outcome = work()
        except Exception as error:
            failure = error
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, outcome, failure)

    threading.Thread(target=body, name="analysis", daemon=True).start()
    return future
