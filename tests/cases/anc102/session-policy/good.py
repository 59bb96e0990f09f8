import requests
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry


def patient(base: str) -> requests.Session:
    session = requests.Session()
    again = Retry(total=6, backoff_factor=2, status_forcelist=[429, 500, 503])
    session.mount(base, HTTPAdapter(max_retries=again))
    return session
