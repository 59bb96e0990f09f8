from tenacity import retry, retry_if_exception_type, stop_after_attempt, wait_exponential

from errors import NotYet
from rules import check_window


@retry(retry=retry_if_exception_type((NotYet, ConnectionError)), stop=stop_after_attempt(8), wait=wait_exponential(max=600))
def refund(voucher, bank):
    check_window(voucher)
    return bank.pay_back(voucher.code, voucher.cents)
