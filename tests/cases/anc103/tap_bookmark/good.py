import time

KEPT_S = 14 * 86400


def pull(api, state: dict, sink) -> None:
    oldest = time.time() - KEPT_S
    begin = max(state["calls_until"], oldest)
    if begin > state["calls_until"]:
        sink.write({"gap": [state["calls_until"], begin]})
    for call in api.calls(begin):
        sink.write(call)
        state["calls_until"] = call["ended"]
