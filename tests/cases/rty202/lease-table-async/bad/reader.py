import asyncio

from botocore.exceptions import BotoCoreError, ClientError

from marks import Marks

AWAY = (BotoCoreError, ClientError)


class Ended(Exception):
    pass


class Reader:
    most_faults = 6

    def __init__(self, table, stream, marks: Marks) -> None:
        self.table, self.stream, self.marks = table, stream, marks
        self.faults = 0
        self.mark = 0

    async def run(self) -> None:
        while True:
            try:
                async for record in self.stream:
                    await self.table.put_item(Item=record.body)
                    await self.marks.put(record.number)
                return
            except AWAY as error:
                self.faults = 1 if await self.moved() else self.faults + 1
                if self.faults >= self.most_faults:
                    raise Ended(f"at {self.mark}: {error}") from error
                await asyncio.sleep(self.faults)

    async def moved(self) -> bool:
        try:
            mark = await self.marks.get()  # expect: RTY202
        except AWAY:
            return False
        before, self.mark = self.mark, mark
        return mark > before
