class Marks:
    """Where a reader has got to, kept in the table that it writes to."""

    def __init__(self, table) -> None:
        self._table = table

    async def put(self, number: int) -> None:
        await self._table.put_item(Item={"key": "mark", "number": number})

    async def get(self) -> int:
        return (await self._table.get_item(Key={"key": "mark"}))["Item"]["number"]
