from datetime import datetime, timedelta

import boto3
from models import Transcription
from sqlalchemy import select
from sqlalchemy.orm import Session

client = boto3.client("transcribe")
MAX_AGE = timedelta(hours=4)


def refresh(session: Session):
    rows = session.execute(select(Transcription).where(Transcription.status == "IN_PROGRESS")).scalars().all()
    for row in rows:
        job = client.get_transcription_job(TranscriptionJobName=row.job_name)
        state = job["TranscriptionJob"]["TranscriptionJobStatus"]
        if state == "COMPLETED":
            row.status = "COMPLETED"
        elif state == "FAILED" or row.created_at + MAX_AGE < datetime.utcnow():
            row.status = "TIMED_OUT"
    session.commit()
