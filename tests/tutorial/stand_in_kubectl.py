#!/usr/bin/env python3
"""What docs/tutorial.md asks of kubectl, as requests to the server of KUBECONFIG: for machines without kubectl."""

import base64
import json
import os
import re
import ssl
import sys
import time
import urllib.request

_KINDS = {
    "ConfigMap": "/api/v1/namespaces/default/configmaps",
    "CustomResourceDefinition": "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    "Greeting": "/apis/example.com/v1/namespaces/default/greetings",
}
_RESOURCES = {"configmap": "ConfigMap", "crd": "CustomResourceDefinition", "greetings": "Greeting"}
_TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
_SECONDS = 30


def request(method, path, body=None, accept="application/json"):
    with open(os.environ["KUBECONFIG"], encoding="utf-8") as file:
        config = dict(re.findall(r"^ *(server|certificate-authority-data|token): (.+)$", file.read(), re.MULTILINE))
    authority = base64.b64decode(config["certificate-authority-data"]).decode()
    headers = {"Authorization": f"Bearer {config['token']}", "Accept": accept, "Content-Type": "application/yaml"}
    sent = urllib.request.Request(config["server"] + path, method=method, data=body, headers=headers)
    context = ssl.create_default_context(cadata=authority)
    with urllib.request.urlopen(sent, timeout=_SECONDS, context=context) as response:
        return json.load(response)


def create(path):
    """Of one object, in YAML."""
    with open(path, "rb") if path != "-" else sys.stdin.buffer as file:
        text = file.read()
    kind = re.search(rb"^kind: (\w+)$", text, re.MULTILINE)[1].decode()
    request("POST", _KINDS[kind], text)


def wait(condition, name):
    deadline = time.monotonic() + _SECONDS
    while time.monotonic() < deadline:
        found = request("GET", f"{_KINDS['CustomResourceDefinition']}/{name}")
        conditions = found.get("status", {}).get("conditions", [])
        if any(each["type"] == condition and each["status"] == "True" for each in conditions):
            return
        time.sleep(0.1)
    sys.exit(f"{name} is not {condition}")


def main(arguments):
    match arguments:
        case ["apply" | "create", "-f", path]:
            create(path)
        case ["wait", condition, name]:
            wait(condition.removeprefix("--for=condition="), name.removeprefix("crd/"))
        case ["get", resource]:
            for row in request("GET", _KINDS[_RESOURCES[resource]], accept=_TABLE)["rows"]:
                print(*row["cells"], sep="   ")
        case ["get", resource, name, "-o", "jsonpath={.data.text}"]:
            print(request("GET", f"{_KINDS[_RESOURCES[resource]]}/{name}")["data"]["text"])
        case ["delete", resource, name]:
            request("DELETE", f"{_KINDS[_RESOURCES[resource]]}/{name}")
        case _:
            sys.exit(f"kubectl {' '.join(arguments)}: tests/tutorial/stand_in_kubectl.py does not know it")


if __name__ == "__main__":
    main(sys.argv[1:])
