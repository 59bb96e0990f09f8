from datetime import timedelta

REFUND_WINDOW = timedelta(days=30)
SETTLING = timedelta(hours=48)
