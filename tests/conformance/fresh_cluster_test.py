#!/usr/bin/env python3
"""Compares all objects of a fresh embedded server with those of a fresh kube-apiserver, and what discovery says of them.

Both run without controllers. The real server is one of its own, since objects of other tests would be in the way:
tools/kube starts it. Run by tests/real_server/run.
"""

import base64
import contextlib
import http.client
import json
import os
import re
import shlex
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.parse

SERVER = os.path.abspath("apiserver/main")
KUBE = os.path.realpath("tools/kube")
# Not a loopback address, which kube-apiserver does not put into endpoints. Nobody connects to it.
ADVERTISED = "192.0.2.1"
# Where both listen, and where either looks for its components.
LOOPBACK = "127.0.0.1"
# Until what kube-apiserver writes behind /readyz is there: endpoints and conditions.
SETTLED_SECONDS = 60

# Members that differ on purpose, by resource and path; "*" stands for one step, "**" for several: objects in namespaces have two.
EXPECTED_DIFFERENCES = {
    "* **/metadata/managedFields": "nobody tracks what the embedded server itself has written",
}


def differs_as_expected(resource, path):
    for row in EXPECTED_DIFFERENCES:
        row_resource, row_path = row.split(" ", 1)
        row_path = re.escape(row_path).replace(r"\*\*", ".+").replace(r"\*", "[^/]+")
        if row_resource in ("*", resource) and re.fullmatch(row_path, path):
            return row
    return None


class Server:
    def __init__(self, url, token, ca=None, own=()):
        self._netloc = urllib.parse.urlparse(url).netloc
        self._trust = ssl.create_default_context(cafile=ca) if ca else None
        self._token = token
        # What stands for itself in texts: addresses, ports, names of hosts.
        self._own = own

    def get(self, path):
        if self._trust:
            connection = http.client.HTTPSConnection(self._netloc, timeout=60, context=self._trust)
        else:
            connection = http.client.HTTPConnection(self._netloc, timeout=60)
        connection.request("GET", path, headers={"Authorization": f"Bearer {self._token}"})
        with connection.getresponse() as answer:
            body = answer.read()
        connection.close()
        if answer.status != 200:
            raise SystemExit(f"FAILED: GET {path}: {answer.status} {body.decode()}")
        return json.loads(body)

    def group_versions(self):
        versions = [version["groupVersion"] for group in self.get("/apis")["groups"] for version in group["versions"]]
        return ["/api/v1", *(f"/apis/{version}" for version in versions)]

    def discovery(self):
        """Each resource by its path."""
        return {
            f"{path}/{resource['name']}": resource
            for path in self.group_versions()
            for resource in self.get(path)["resources"]
        }

    def objects(self, path):
        """Each object of a resource by namespace and name, in normal form."""
        found = {}
        for item in self.get(path)["items"]:
            item = self._normal(item, "")
            metadata = item["metadata"]
            found["/".join(filter(None, [metadata.get("namespace"), metadata["name"]]))] = item
        return found

    def _normal(self, value, key):
        if isinstance(value, dict):
            return {key: self._normal(member, key) for key, member in value.items()}
        if isinstance(value, list):
            return [self._normal(member, key) for member in value]
        if isinstance(value, int) and str(value) in self._own:
            return "OWN"
        if not isinstance(value, str):
            return value
        if key in ("uid", "resourceVersion"):
            return key.upper()
        if key == "since" and re.fullmatch(r"\d{4}-\d\d-\d\d", value):
            return "DATE"
        # First: the name of the embedded server's host is part of its own name.
        value = re.sub(r"apiserver-([a-z0-9]{26}|envtest)(?![A-Za-z0-9-])", "apiserver-HOST", value)
        for own in self._own:
            value = value.replace(own, "OWN")
        value = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "TIME", value)
        value = re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "UUID", value)
        return re.sub(r"(?s)-----BEGIN CERTIFICATE-----.*-----END CERTIFICATE-----\n", "CERTIFICATE", value)


def differences(left, right, path=""):
    """Paths of two JSON values where they differ, with both values."""
    if isinstance(left, dict) and isinstance(right, dict):
        for key in sorted({*left, *right}):
            yield from differences(left.get(key), right.get(key), f"{path}/{key}")
    elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        for index, (a, b) in enumerate(zip(left, right)):
            yield from differences(a, b, f"{path}/{index}")
    elif left != right:
        yield path[1:], left, right


@contextlib.contextmanager
def embedded(folder):
    with subprocess.Popen(
        [SERVER, "--no-controllers", "--end-with-stdin"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        kubeconfig = os.read(process.stdout.fileno(), 1 << 20).decode()
        url = re.search(r"server: (\S+)", kubeconfig)[1]
        path = os.path.join(folder, "ca.crt")
        with open(path, "w", encoding="utf-8") as file:
            authority = re.search(r"certificate-authority-data: (\S+)", kubeconfig)[1]
            file.write(base64.b64decode(authority).decode())
        token = re.search(r"token: (\S+)", kubeconfig)[1]
        port = url.rpartition(":")[2]
        yield Server(url, token, path, own=(LOOPBACK, port, "envtest"))
        process.stdin.close()


@contextlib.contextmanager
def real(folder):
    directory = os.path.join(folder, "real")
    flags = ["--endpoint-reconciler-type=lease", f"--advertise-address={ADVERTISED}"]
    command = [KUBE, "start", "--dir", directory, *(f"--apiserver-flag={flag}" for flag in flags)]
    started = subprocess.run(command, capture_output=True, text=True, check=False)
    if started.returncode != 0:
        raise SystemExit(f"FAILED: {shlex.join(command)}: {started.stderr}")
    try:
        url = re.search(r"KUBE_SERVER='?([^'\s]+)", started.stdout)[1]
        own = (ADVERTISED, LOOPBACK, url.rpartition(":")[2], os.uname().nodename)
        yield Server(url, "admin-token", os.path.join(directory, "pki", "ca.crt"), own=own)
    finally:
        subprocess.run([KUBE, "stop", "--dir", directory], check=True, stdout=subprocess.DEVNULL)


def compare(path, left, right, used):
    """What differs between two servers' objects of a resource."""
    lines = []
    for where, mine, real_one in differences(left, right):
        row = differs_as_expected(path, where)
        if row is not None:
            used.add(row)
            continue
        lines.append(f"{path} {where}:\n    embedded: {json.dumps(mine)}\n    real:     {json.dumps(real_one)}")
    return lines


def settled(embedded_server, real_server, path, used):
    deadline = time.monotonic() + SETTLED_SECONDS
    mine = embedded_server.objects(path)
    while True:
        lines = compare(path, mine, real_server.objects(path), used)
        if not lines or time.monotonic() > deadline:
            return len(mine), lines
        time.sleep(0.5)


def main():
    lines, counts, used = [], {}, set()
    with tempfile.TemporaryDirectory() as folder, embedded(folder) as mine, real(folder) as other:
        resources = mine.discovery()
        real_resources = other.discovery()
        lines += [f"discovery: only the embedded server has {path}" for path in sorted({*resources} - {*real_resources})]
        lines += [f"discovery: only the real server has {path}" for path in sorted({*real_resources} - {*resources})]
        wrong = [*differences(resources, real_resources)]
        lines += [f"discovery {where}: {a} {b}" for where, a, b in wrong if where.endswith("storageVersionHash")]
        for path, resource in resources.items():
            if path in real_resources and "list" in resource["verbs"]:
                counts[path], found = settled(mine, other, path, used)
                lines += found
    unused = sorted({*EXPECTED_DIFFERENCES} - used)
    lines += [f"no difference any more: {row}" for row in unused]
    print("\n".join(lines))
    for row, reason in EXPECTED_DIFFERENCES.items():
        print(f"expected difference: {row}: {reason}")
    print(f"{sum(counts.values())} objects of {len(counts)} resources, {len(lines)} unexpected differences")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
