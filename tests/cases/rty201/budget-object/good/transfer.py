from dataclasses import dataclass

from patience import Patience


@dataclass
class Outcome:
    ok: bool
    remark: str = ""


def transfer(dial, body: bytes) -> Outcome:
    patience, refusal = Patience(6), ""
    while True:
        try:
            dial().push(body)
            return Outcome(True)
        except ConnectionError as error:
            refusal = str(error)
            patience.wear()
        if patience.over:
            return Outcome(False, f"retry budget is spent: {refusal}")
