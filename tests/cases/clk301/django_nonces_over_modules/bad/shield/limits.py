from datetime import timedelta

WINDOW = timedelta(minutes=10)
