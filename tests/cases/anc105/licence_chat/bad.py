from datetime import UTC, datetime

from slack_sdk import WebClient

slack = WebClient()


def licences(rows):
    now = datetime.now(UTC)
    for row in rows:
        if row["expires_at"] <= now:
            slack.chat_postMessage(channel="#ops", text=f"{row['name']} expired")  # expect: ANC105
