import time


class Gate:
    def __init__(self, db):
        self.db = db

    def admit(self, op):
        if time.time() >= op.expires_at:
            return "late"
        with self.db:
            floor = self.db.execute("select floor from marks where source = ?", (op.source,)).fetchone()[0]
            if op.number <= floor:
                return "dup"
            self.db.execute("update marks set floor = max(floor, ?) where source = ?", (op.number, op.source))
            self.db.execute("insert into effects (id) values (?)", (op.id,))
        return "ok"
