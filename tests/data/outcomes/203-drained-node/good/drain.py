"""Takes a node out of service once nothing runs on it."""

import logging
import time

from kubernetes import client

log = logging.getLogger("drain")


def pods_on(core: client.CoreV1Api, node: str) -> int | None:
    """How many pods the server says run there, None while it does not answer."""
    try:
        listed = core.list_pod_for_all_namespaces(field_selector=f"spec.nodeName={node}")
    except client.ApiException as error:
        log.warning("pods of %s: %s", node, error)
        return None
    return len(listed.items)


def retire(core: client.CoreV1Api, cloud, node: str) -> None:
    while True:
        left = pods_on(core, node)
        if left is not None and left == 0:
            break
        time.sleep(10)
    cloud.delete_machine(node)
