from dataclasses import dataclass

from patience import Patience


@dataclass
class Outcome:
    ok: bool
    remark: str = ""


def transfer(dial, body: bytes) -> Outcome:
    patience = Patience(6)
    while True:
        try:
            dial().push(body)
            return Outcome(True)
        except ConnectionError:
            patience.wear()
        if patience.over:
            return Outcome(False, "retry budget is spent")  # expect: RTY201
