from datetime import datetime, timezone

import terms
from errors import NotYet


def check_window(voucher, now=None):
    now = now or datetime.now(timezone.utc)
    if now > voucher.sold_at + terms.REFUND_WINDOW - terms.SETTLING:  # expect: ANC101
        raise NotYet(f"voucher {voucher.code} cannot be refunded")
