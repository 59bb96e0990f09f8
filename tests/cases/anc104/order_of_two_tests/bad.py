from datetime import UTC, datetime, timedelta

import httpx

PATIENCE = timedelta(hours=6)


def settle(http: httpx.Client, transfer) -> None:
    reply = http.get(f"/transfers/{transfer.reference}")
    if datetime.now(UTC) - transfer.sent_at > PATIENCE:
        transfer.outcome = "rejected"  # expect: ANC104
    elif reply.status_code == 200:
        transfer.outcome = reply.json()["outcome"]
