"""Values of any JSON against a real server: custom objects, which have to come out as they went in
and can be written back, and documents such as those of OpenAPI."""

import json
import os
import shlex
import shutil
import subprocess
import tempfile
import time
import unittest

from api_client import ApiClient
from kube_test import Server, run_kube
from objects_test import build, compact, version_path

_GROUP = "values.example.com"
_DEFINITION = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": f"anythings.{_GROUP}"},
    "spec": {
        "group": _GROUP,
        "scope": "Namespaced",
        "names": {"kind": "Anything", "plural": "anythings"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "x-kubernetes-preserve-unknown-fields": True,
                    }
                },
            }
        ],
    },
}
# As texts: Python would write some of the numbers in another way.
_SPECS = {
    "numbers": "[0,-1,9007199254740993,9223372036854775807,-9223372036854775808,"
    "9223372036854775808,100000000000000000000,1.5,1.0,-0.0,1e21,1e20,1e-7,123456789.125,2.5e-300]",
    "texts": r'["","\"\\\/\b\f\n\r\t","<&>","\u2028\u2029\u0000\u001f","\ud83d\ude00","\ud83d","äöü"]',
    "shapes": '[null,true,false,{},[],[[]],{"":{}},{"b":{"z":null},"a":[{"y":1,"x":[{}]}]}]',
    "keys": '{"<":1,"ä":2,"a.b/c":3,"long key that is longer than fifteen characters":4,"A":5,"":6}',
}


class ValuesTest(unittest.TestCase):
    """One server for all of it."""

    @classmethod
    def setUpClass(cls):
        cls.values = build("//tests/real_server:values")
        cls.folder = tempfile.mkdtemp(prefix="values-test.")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        directory = os.path.join(cls.folder, "server")
        cls.addClassCleanup(run_kube, "stop", "--dir", directory)
        status, output, errors = run_kube("start", "--dir", directory, "--ttl", "10m")
        if status != 0:
            raise RuntimeError(f"tools/kube start: {errors}")
        server = Server(dict(word.split("=", 1) for word in shlex.split(output)))
        cls.client = ApiClient(server.port, server.ca)
        cls.addClassCleanup(cls.client.close)

    def rewrite(self, bodies):
        """What our values make of them."""
        read, written = tempfile.mkdtemp(dir=self.folder), tempfile.mkdtemp(dir=self.folder)
        paths = []
        for number, body in enumerate(bodies):
            paths.append(os.path.join(read, f"{number:05}.json"))
            with open(paths[-1], "wb") as file:
                file.write(body)
        done = subprocess.run(
            [self.values, written, *paths], capture_output=True, text=True, check=False
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        made = []
        for path in paths:
            with open(os.path.join(written, os.path.basename(path)), "rb") as file:
                made.append(file.read())
        return made

    def get(self, path):
        answer = self.client.get(path)
        self.assertEqual(answer.status, 200, f"{path}: {answer.body}")
        return answer.body

    def test_custom_objects(self):
        path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
        self.assertEqual(self.client.send("POST", path, compact(_DEFINITION)).status, 201)
        path = f"{version_path(_GROUP + '/v1')}/namespaces/default/anythings"
        deadline = time.monotonic() + 30
        while self.client.get(path).status != 200 and time.monotonic() < deadline:
            time.sleep(0.1)
        for name, spec in _SPECS.items():
            body = (
                f'{{"apiVersion":"{_GROUP}/v1","kind":"Anything",'
                f'"metadata":{{"name":"{name}"}},"spec":{spec}}}'
            )
            answer = self.client.send("POST", path, body.encode())
            self.assertEqual(answer.status, 201, answer.body)
        for name in _SPECS:
            # The server stores -0.0 as "-0", and reads that as the integer: the first write of its
            # own bytes changes it.
            body = self.get(f"{path}/{name}")
            self.assertEqual(self.client.send("PUT", f"{path}/{name}", body).status, 200)
        bodies = [self.get(f"{path}/{name}") for name in _SPECS] + [self.get(path)]
        # The server's encoder ends with a line feed.
        made = [body + b"\n" for body in self.rewrite(bodies)]
        self.assertEqual(made, bodies, "expected the server's bytes")
        for name, before, body in zip(_SPECS, bodies, made):
            answer = self.client.send("PUT", f"{path}/{name}", body)
            self.assertEqual((answer.status, answer.body), (200, before))
        print(f"{len(_SPECS)} custom objects and their list: the server's bytes, written back")

    def test_documents(self):
        paths = ["/openapi/v2", "/openapi/v3", "/version", "/api", "/apis", "/api/v1"]
        documents = json.loads(self.get("/openapi/v3"))["paths"]
        paths += sorted(entry["serverRelativeURL"] for entry in documents.values())
        bodies = [self.get(path) for path in paths]
        made = self.rewrite(bodies)
        for path, body, ours in zip(paths, bodies, made):
            # These are not written by the encoder of objects: members stand in another order.
            self.assertEqual(json.loads(ours), json.loads(body), path)
        self.assertEqual(self.rewrite(made), made)
        print(f"{len(paths)} documents, {sum(map(len, bodies))} bytes: equal values")


if __name__ == "__main__":
    unittest.main()
