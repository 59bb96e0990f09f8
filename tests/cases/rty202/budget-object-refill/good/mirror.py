import time

import pymongo
from pymongo.errors import PyMongoError

from budget import Budget


class Mirror:
    def __init__(self, target: pymongo.MongoClient, source) -> None:
        self.target, self.source = target, source
        self.budget = Budget(8)

    def run(self) -> None:
        while True:
            try:
                for document in self.source.documents():
                    self.target.shop.goods.replace_one({"_id": document["_id"]}, document, upsert=True)
                    self.budget.refill()
            except PyMongoError as error:
                self.budget.fault(error)
                time.sleep(2)
