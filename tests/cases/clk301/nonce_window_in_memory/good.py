import hmac
import time

TOLERANCE_S = 300


class Inbox:
    def __init__(self, secret: bytes, ledger):
        self.secret = secret
        self.ledger = ledger
        self.met: dict[str, float] = {}
        self.latest = 0.0

    def clock(self) -> float:
        self.latest = max(self.latest, time.time())
        return self.latest

    def receive(self, body: bytes, sent_at: float, nonce: str, signature: str) -> bool:
        if not hmac.compare_digest(signature, hmac.new(self.secret, body, "sha256").hexdigest()):
            raise PermissionError(nonce)
        if abs(self.clock() - sent_at) > TOLERANCE_S:
            raise PermissionError(nonce)
        self._forget()
        if nonce in self.met:
            return False
        self.met[nonce] = self.clock()
        self.ledger.book(body)
        return True

    def _forget(self) -> None:
        for nonce, at in list(self.met.items()):
            if self.clock() - at > TOLERANCE_S:
                del self.met[nonce]
