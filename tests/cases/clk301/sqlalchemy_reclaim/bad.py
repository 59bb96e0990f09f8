from datetime import UTC, datetime, timedelta

from sqlalchemy import select, update
from sqlalchemy.orm import Session
from tables import Task

SILENT = timedelta(minutes=3)


def reclaim(session: Session) -> int:
    cutoff = datetime.now(UTC) - SILENT
    done = session.execute(
        update(Task)
        .where(Task.status == "working", Task.beat_at < cutoff)  # expect: CLK301
        .values(status="ready", beat_at=None)
    )
    session.commit()
    return done.rowcount


def begin(session: Session) -> Task | None:
    task = session.scalars(select(Task).where(Task.status == "ready").limit(1)).first()
    if task is not None:
        task.status = "working"
        task.beat_at = datetime.now(UTC)
        session.commit()
    return task


def end(session: Session, task: Task, result: str) -> None:
    session.execute(update(Task).where(Task.id == task.id).values(status="done", result=result))
    session.commit()
