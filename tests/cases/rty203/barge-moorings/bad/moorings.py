import requests


class Moorings:
    def __init__(self, session: requests.Session, table) -> None:
        self.session = session
        self.table = table

    def is_taken(self, berth: str) -> bool:
        answer = self.session.get(f"https://quay.example/berths/{berth}", timeout=10)
        return bool(answer.json()["occupied"])

    def free(self, berth: str) -> None:
        try:
            taken = self.is_taken(berth)
        except requests.RequestException:
            taken = False  # expect: RTY203
        if not taken:
            self.table.delete_berth(berth)
