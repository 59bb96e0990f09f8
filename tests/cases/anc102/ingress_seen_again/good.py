"""Keeps the routing table as the ingresses of a namespace say."""
import time

from kubernetes import client, watch
from kubernetes.client.exceptions import ApiException


class Ingresses:
    def __init__(self, namespace, routes):
        self.api = client.NetworkingV1Api()
        self.namespace = namespace
        self.routes = routes
        self.place = None

    def _from_the_start(self):
        found = self.api.list_namespaced_ingress(self.namespace)
        self.routes.clear()
        for one in found.items:
            self.routes[one.metadata.name] = one.spec.rules
        self._at(found)

    def _at(self, seen):
        self.place = seen.metadata.resource_version

    def follow(self):
        self._from_the_start()
        while True:
            try:
                for event in watch.Watch().stream(
                    self.api.list_namespaced_ingress, self.namespace, resource_version=self.place
                ):
                    self.routes[event["object"].metadata.name] = event["object"].spec.rules
                    self._at(event["object"])
            except ApiException as refused:
                if refused.status == 410:
                    self._from_the_start()
                time.sleep(3)
