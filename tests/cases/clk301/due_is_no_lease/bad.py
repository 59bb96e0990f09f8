import time


def run_due(db, runner) -> None:
    at = time.time()
    for (number,) in db.execute(  # expect: CLK301
        "SELECT id FROM chores WHERE phase = 'running' AND until < ?", (at,)
    ).fetchall():
        db.execute("UPDATE chores SET phase = 'running', until = ? WHERE id = ?", (at + 60, number))
        runner.run(number)
        db.execute("UPDATE chores SET phase = 'idle' WHERE id = ?", (number,))
