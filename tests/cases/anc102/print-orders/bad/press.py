"""The printer's interface: it keeps a proof for as long as it is asked to."""
import httpx


class Press:
    def __init__(self, http: httpx.Client) -> None:
        self._http = http

    def order(self, layout: str) -> str:
        answer = self._http.post("/proofs", json={"layout": layout, "retention_days": 3})
        answer.raise_for_status()
        return answer.json()["number"]

    def proof(self, number: str) -> bytes | None:
        answer = self._http.get(f"/proofs/{number}")  # expect: ANC102
        if answer.status_code == 404:
            return None
        answer.raise_for_status()
        return answer.content
