"""Takes a node out of service once nothing runs on it."""

import logging
import time

from kubernetes import client

log = logging.getLogger("drain")


def pods_on(core: client.CoreV1Api, node: str) -> int:
    count = 0
    try:
        listed = core.list_pod_for_all_namespaces(field_selector=f"spec.nodeName={node}")
        count = len(listed.items)
    except client.ApiException as error:  # expect: RTY203
        log.warning("pods of %s: %s", node, error)
    return count


def retire(core: client.CoreV1Api, cloud, node: str) -> None:
    while pods_on(core, node) > 0:
        time.sleep(10)
    cloud.delete_machine(node)
