"""Bodies of a Kubernetes API server as they are on the wire: JSON and protobuf, not decoded."""

import dataclasses
import http.client
import json
import ssl

JSON = "application/json"
PROTOBUF = "application/vnd.kubernetes.protobuf"


def as_kind(media_type, kind, group="meta.k8s.io", version="v1"):
    """The Accept header that asks for an answer of that kind."""
    return f"{media_type};as={kind};v={version};g={group}"


@dataclasses.dataclass(frozen=True)
class Answer:
    status: int
    media_type: str
    body: bytes

    def json(self):
        return json.loads(self.body)


class ApiClient:
    """One connection of the user "admin"."""

    def __init__(self, port, ca):
        trust = ssl.create_default_context(cafile=ca)
        self._connection = http.client.HTTPSConnection(
            "127.0.0.1", port, timeout=60, context=trust
        )

    def close(self):
        self._connection.close()

    def get(self, path, accept=JSON):
        return self.send("GET", path, accept=accept)

    def send(self, method, path, body=None, media_type=JSON, accept=JSON):
        headers = {"Authorization": "Bearer admin-token", "Accept": accept}
        if body is not None:
            headers["Content-Type"] = media_type
        self._connection.request(method, path, body, headers)
        with self._connection.getresponse() as response:
            answered = response.headers.get("Content-Type", "").partition(";")[0]
            return Answer(response.status, answered, response.read())
