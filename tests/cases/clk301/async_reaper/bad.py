from datetime import datetime, timedelta


class Reaper:
    def __init__(self, pool, bus):
        self.pool = pool
        self.bus = bus

    async def sweep(self):
        limit = datetime.utcnow() - timedelta(minutes=30)
        rows = await self.pool.fetch(  # expect: CLK301
            "SELECT id FROM exports WHERE status = 'running' AND heartbeat < $1", limit
        )
        for row in rows:
            await self.pool.execute("UPDATE exports SET status = 'pending' WHERE id = $1", row["id"])
            await self.bus.publish("exports", row["id"])


async def work(pool, ident, mailer):
    await pool.execute("UPDATE exports SET status = 'running', heartbeat = now() WHERE id = $1", ident)
    await mailer.mail(ident)
    await pool.execute("UPDATE exports SET status = 'sent' WHERE id = $1", ident)
