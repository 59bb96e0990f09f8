import time
from contextlib import suppress

import pymongo
from pymongo.errors import PyMongoError

from budget import Budget


class Mirror:
    def __init__(self, target: pymongo.MongoClient, source) -> None:
        self.target, self.source = target, source
        self.budget = Budget(8)
        self.count = 0

    def run(self) -> None:
        while True:
            try:
                for document in self.source.documents():
                    self.target.shop.goods.replace_one({"_id": document["_id"]}, document, upsert=True)
            except PyMongoError as error:
                self.settle(error)

    def settle(self, error: PyMongoError) -> None:
        with suppress(PyMongoError):
            count = self.target.shop.goods.estimated_document_count()  # expect: RTY202
            if count > self.count:
                self.count = count
                self.budget.refill()
        self.budget.fault(error)
        time.sleep(2)
