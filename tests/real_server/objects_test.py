"""Typed objects against a real server: all that it serves, read, and written back unchanged.

Of each answer, in JSON and in protobuf, objconv decodes what is in it into the struct of its kind,
strictly, and encodes that again: both formats have to give the server's bytes, also from the other
format. The server runs with every version and feature, and testdata/objects.yaml fills its lists.

Controllers of the server itself work on some of these objects. It deletes LeaseCandidates whose
renewTime is half an hour old, when it starts and every half hour: then these lists are empty, and
an empty list is "items":[] in JSON and nothing in protobuf. So the candidate there was renewed a
hundred years from now. For one that lives, the server also changes the Lease that it is to get, but
not if it has that already: the Lease names it as the holder, by its strategy, and lives as long.
"""

import collections
import json
import os
import shlex
import shutil
import subprocess
import tempfile
import unittest

from api_client import JSON, PROTOBUF, ApiClient, as_kind
from kube_test import Server, run_kube

_HERE = os.path.dirname(os.path.abspath(__file__))
_ROOT = os.path.join(_HERE, "..", "..")
_EXTENSIONS = {JSON: "json", PROTOBUF: "pb"}
_FORMATS = {JSON: "json", PROTOBUF: "protobuf"}
_EVERYTHING = (
    "--feature-gates=AllAlpha=true,AllBeta=true",
    "--apiserver-flag=--runtime-config=api/all=true",
)
# Kinds that nobody stores: the server answers with what it was sent, completed.
_REVIEWS = {
    "/apis/authentication.k8s.io/v1/selfsubjectreviews": {
        "apiVersion": "authentication.k8s.io/v1",
        "kind": "SelfSubjectReview",
    },
    "/apis/authentication.k8s.io/v1/tokenreviews": {
        "apiVersion": "authentication.k8s.io/v1",
        "kind": "TokenReview",
        "spec": {"token": "plain-token"},
    },
    "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews": {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SelfSubjectAccessReview",
        "spec": {"resourceAttributes": {"verb": "get", "resource": "pods"}},
    },
    "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews": {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SelfSubjectRulesReview",
        "spec": {"namespace": "typed"},
    },
    "/apis/authorization.k8s.io/v1/subjectaccessreviews": {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SubjectAccessReview",
        "spec": {"user": "u", "nonResourceAttributes": {"verb": "get", "path": "/"}},
    },
    "/apis/authorization.k8s.io/v1/namespaces/typed/localsubjectaccessreviews": {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "LocalSubjectAccessReview",
        "spec": {
            "user": "u",
            "resourceAttributes": {"verb": "get", "resource": "pods", "namespace": "typed"},
        },
    },
    "/api/v1/namespaces/typed/serviceaccounts/app/token": {
        "apiVersion": "authentication.k8s.io/v1",
        "kind": "TokenRequest",
        "spec": {"audiences": ["a"], "expirationSeconds": 3600},
    },
    "/api/v1/namespaces/typed/pods/bare/binding?dryRun=All": {
        "apiVersion": "v1",
        "kind": "Binding",
        "metadata": {"name": "bare"},
        "target": {"kind": "Node", "name": "node-1"},
    },
    "/api/v1/namespaces/typed/pods/bare/eviction?dryRun=All": {
        "apiVersion": "policy/v1",
        "kind": "Eviction",
        "metadata": {"name": "bare"},
    },
}


class Corpus:
    """Bodies in files, which objconv converts all at once."""

    def __init__(self, objconv):
        self._objconv = objconv
        self._folder = tempfile.mkdtemp(prefix="objects-test.")
        self._names = []  # of each pair of files
        self._bodies = {}  # (number, media type): bytes

    def close(self):
        shutil.rmtree(self._folder)

    def add(self, name, bodies):
        """Takes an answer, in one format or in both (bodies by media type)."""
        for media_type, body in bodies.items():
            self._bodies[len(self._names), media_type] = body
            with open(self._path("", len(self._names), media_type), "wb") as file:
                file.write(body)
        self._names.append(name)

    def convert(self):
        """(name, from, to, body, what came of it) of each file and each format it should become.

        An answer that was taken in one format only is converted to that one alone. Also gives what
        objconv complained of.
        """
        errors = ""
        for source in _FORMATS:
            for target in _FORMATS:
                errors += self._run(source, target)
        return list(self._converted()), errors

    def _path(self, folder, number, media_type):
        return os.path.join(self._folder, folder, f"{number:05}.{_EXTENSIONS[media_type]}")

    def _numbers(self, source, target):
        numbers = range(len(self._names))
        return [n for n in numbers if {(n, source), (n, target)} <= self._bodies.keys()]

    def _run(self, source, target):
        numbers = self._numbers(source, target)
        if not numbers:
            return ""
        folder = os.path.join(self._folder, f"from-{_EXTENSIONS[source]}")
        done = subprocess.run(
            [self._objconv, "--strict", "-o", _FORMATS[target], "--out-dir", folder]
            + [self._path("", number, source) for number in numbers],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode not in (0, 1):
            raise RuntimeError(f"objconv: exit status {done.returncode}: {done.stderr}")
        return done.stderr

    def _converted(self):
        for source in _FORMATS:
            for target in _FORMATS:
                for number in self._numbers(source, target):
                    folder = f"from-{_EXTENSIONS[source]}"
                    with open(self._path(folder, number, target), "rb") as file:
                        body = self._bodies[number, target]
                        yield self._names[number], source, target, body, file.read()


class ObjectsTest(unittest.TestCase):
    """What a server with every version and every feature serves."""

    @classmethod
    def setUpClass(cls):
        cls.objconv = build("//cmd/objconv:objconv")
        directory = tempfile.mkdtemp(prefix="objects-test.")
        cls.addClassCleanup(shutil.rmtree, directory)
        cls.addClassCleanup(run_kube, "stop", "--dir", directory)
        status, output, errors = run_kube("start", "--dir", directory, "--ttl", "10m", *_EVERYTHING)
        if status != 0:
            raise RuntimeError(f"tools/kube start: {errors}")
        server = Server(dict(word.split("=", 1) for word in shlex.split(output)))
        cls.client = ApiClient(server.port, server.ca)
        cls.addClassCleanup(cls.client.close)
        cls.resources = read_resources(cls.client)
        with open(os.path.join(_HERE, "testdata", "objects.yaml"), encoding="utf-8") as file:
            with open(server.ca, encoding="utf-8") as ca:
                objects = file.read().replace("${CA}", ca.read().replace("\n", "\\n"))
        for line in cls.run_objconv("json", objects.encode()).splitlines():
            cls.create(json.loads(line))

    @classmethod
    def run_objconv(cls, output, stdin):
        done = subprocess.run(
            [cls.objconv, "--strict", "-o", output], input=stdin, capture_output=True, check=False
        )
        if done.returncode != 0:
            raise RuntimeError(f"objconv: exit status {done.returncode}: {done.stderr.decode()}")
        return done.stdout

    @classmethod
    def create(cls, wanted):
        """Makes an object, and sets its status where that is a subresource."""
        resource = cls.resources[wanted["apiVersion"], wanted["kind"]]
        path = collection_path(resource, wanted["metadata"].get("namespace"))
        answer = cls.client.send("POST", path, compact(wanted))
        made = answer.json()
        if answer.status != 201:
            raise RuntimeError(f"create {path}: {answer.status}: {made.get('message')}")
        # The status of a CustomResourceDefinition is the server's own work.
        if "status" not in resource["subresources"] or not wanted.get("status"):
            return
        if wanted["kind"] == "CustomResourceDefinition":
            return
        made["status"] = wanted["status"]
        path = f"{path}/{made['metadata']['name']}/status"
        answer = cls.client.send("PUT", path, compact(made))
        if answer.status != 200:
            raise RuntimeError(f"update {path}: {answer.status}: {answer.json().get('message')}")

    def check(self, corpus, what):
        """Expects what was converted to be what the server sent, counts it and gives it."""
        converted, errors = corpus.convert()
        self.assertEqual(errors, "", "expected objconv to read every answer")
        wrong = [row for row in converted if row[3] != row[4]]
        for name, source, target, want, got in wrong[:5]:
            print(f"{name}: {source} -> {target}\n  server: {want!r}\n  objconv: {got!r}")
        self.assertEqual(
            [f"{row[0]}: {row[1]} -> {row[2]}" for row in wrong], [], "expected the server's bytes"
        )
        ways = collections.Counter((source, target) for _, source, target, *_ in converted)
        counts = ", ".join(
            f"{_FORMATS[source]} to {_FORMATS[target]} {count}"
            for (source, target), count in sorted(ways.items())
        )
        print(f"{what}: {counts}")
        return converted

    def new_corpus(self):
        corpus = Corpus(self.objconv)
        self.addCleanup(corpus.close)
        return corpus

    def read(self, path, kind=None, formats=(JSON, PROTOBUF), status=200, **options):
        """The bodies of one answer by media type."""
        bodies = {}
        for media_type in formats:
            accept = as_kind(media_type, kind, **options) if kind else media_type
            answer = self.client.get(path, accept)
            self.assertEqual((answer.status, answer.media_type), (status, media_type), path)
            bodies[media_type] = answer.body
        return bodies

    def test_every_list_has_objects(self):
        empty = set()
        for (api_version, kind), resource in self.resources.items():
            if "list" in resource["verbs"]:
                if not self.client.get(collection_path(resource)).json()["items"]:
                    empty.add(f"{api_version} {kind}")
        self.assertEqual(empty, set(), "expected no list to be empty")

    def test_lists(self):
        corpus, lists, items = self.new_corpus(), 0, 0
        for resource in self.resources.values():
            if "list" not in resource["verbs"]:
                continue
            path = collection_path(resource)
            listed = self.client.get(path).json()
            # The same list for both formats, whatever happens meanwhile.
            if version := listed["metadata"].get("resourceVersion"):
                path += f"?resourceVersion={version}&resourceVersionMatch=Exact"
            add_answer(corpus, path, self.read(path))
            add_answer(corpus, f"{path} metadata", self.read(path, "PartialObjectMetadataList"))
            corpus.add(f"{path} table", self.read(path, "Table", formats=(JSON,)))
            lists, items = lists + 1, items + len(listed["items"])
        self.check(corpus, f"{lists} lists of {items} objects, also as metadata and as tables")

    def test_objects_written_back(self):
        """Also the scale of what can be scaled."""
        corpus, paths, kinds = self.new_corpus(), {}, set()
        for resource in self.resources.values():
            if "list" not in resource["verbs"] or "get" not in resource["verbs"]:
                continue
            for item in self.client.get(collection_path(resource)).json()["items"]:
                path = object_path(resource, item["metadata"])
                kinds.add((resource["apiVersion"], resource["kind"]))
                paths[path] = "update" in resource["verbs"]
                if "scale" in resource["subresources"]:
                    paths[f"{path}/scale"] = True
        versions = {}
        for path, can_update in paths.items():
            if can_update:
                self.settle(path)
            bodies = self.read_unchanging(path)
            versions[path] = json.loads(bodies[JSON])["metadata"].get("resourceVersion")
            add_answer(corpus, path, bodies)
        converted = self.check(corpus, f"{len(paths)} objects of {len(kinds)} kinds")
        ours = {(path, target): body for path, _, target, _, body in converted if paths[path]}
        for (path, target), body in ours.items():
            self.write_back(path, target, body, versions[path])
        written = sum(paths.values())
        print(f"{written} of them written back in 2 formats, no resource version changed")
        self.assertEqual(len(ours), 2 * written)

    def read_unchanging(self, path):
        """Both formats of an object at one resource version: the server itself changes some."""
        for _ in range(5):
            first = self.client.get(path).body
            bodies = self.read(path, formats=(PROTOBUF, JSON))
            if bodies[JSON] == first:
                return bodies
        return self.fail(f"expected {path} not to change all the time")

    def settle(self, path):
        """Writes the server's own bytes until that changes nothing: at first the server may tidy
        managedFields of another version (Events, autoscalers) or of another path (scales)."""
        for _ in range(5):
            body = self.client.get(path).body
            before = json.loads(body)["metadata"]["resourceVersion"]
            answer = self.client.send("PUT", path, body)
            if answer.status == 200 and before == answer.json()["metadata"]["resourceVersion"]:
                return
        self.fail(f"{path}: expected the server to leave its own bytes alone: {answer}")

    def write_back(self, path, media_type, body, version):
        """Replaces an object with itself."""
        for _ in range(5):
            answer = self.client.send("PUT", path, body, media_type)
            if answer.status != 409:
                break
            # The server has changed it meanwhile.
            bodies = self.read_unchanging(path)
            version = json.loads(bodies[JSON])["metadata"]["resourceVersion"]
            body = self.run_objconv(_FORMATS[media_type], bodies[media_type])
        self.assertEqual(answer.status, 200, f"{path}: {answer.body}")
        got = answer.json()["metadata"]["resourceVersion"]
        self.assertEqual(got, version, f"{path}: expected a write that changes nothing")

    def test_reviews(self):
        corpus = self.new_corpus()
        for path, wanted in _REVIEWS.items():
            for media_type in _FORMATS:
                body = self.run_objconv(_FORMATS[media_type], json.dumps(wanted).encode())
                answer = self.client.send("POST", path, body, media_type, media_type)
                self.assertEqual((answer.status, answer.media_type), (201, media_type), path)
                corpus.add(path, {media_type: answer.body})
        self.check(corpus, f"{len(_REVIEWS)} kinds that only answer")

    def test_discovery_and_errors(self):
        corpus = self.new_corpus()
        # /api says "kind" without an apiVersion, so that objconv cannot know it.
        # The same goes for /api/v1.
        corpus.add("/apis", self.read("/apis"))
        for root in ("/api", "/apis"):
            options = {"group": "apidiscovery.k8s.io", "version": "v2"}
            corpus.add(f"{root} v2", self.read(root, "APIGroupDiscoveryList", **options))
        for group in self.client.get("/apis").json()["groups"]:
            corpus.add(group["name"], self.read(f"/apis/{group['name']}"))
        for api_version in sorted({api_version for api_version, _ in self.resources} - {"v1"}):
            corpus.add(api_version, self.read(version_path(api_version)))
        for path, status in {
            "/api/v1/namespaces/typed/pods/none": 404,
            "/api/v1/pods?limit=x": 400,
            "/api/v1/pods?resourceVersion=99999999999": 504,
        }.items():
            bodies = self.read(path, status=status)
            if status == 504:  # it names the newest version
                for media_type, body in bodies.items():
                    corpus.add(path, {media_type: body})
            else:
                corpus.add(path, bodies)
        self.check(corpus, "discovery and errors")


def add_answer(corpus, name, bodies):
    """Takes both formats: as one answer where they say the same. They do not where objects are
    inside of others, of which only JSON tells kind and apiVersion, and the statuses of components
    come in any order."""
    if name.endswith(" metadata") or "/statefulsets" in name or "/componentstatuses" in name:
        for media_type, body in bodies.items():
            corpus.add(name, {media_type: body})
    else:
        corpus.add(name, bodies)


def compact(value):
    """JSON as the server writes it: it keeps embedded JSON as it was sent."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def build(target):
    """Builds a program, //FOLDER:NAME, and gives its path."""
    subprocess.run(["bazel", "build", target], cwd=_ROOT, check=True)
    info = ["bazel", "info", "bazel-bin"]
    done = subprocess.run(info, cwd=_ROOT, check=True, capture_output=True, text=True)
    return os.path.join(done.stdout.strip(), target.removeprefix("//").replace(":", "/"))


def read_resources(client):
    """The resources of the built-in groups by apiVersion and kind: discovery's entries, with the
    names of their subresources. Groups of custom resources come later than this."""
    versions = client.get("/api").json()["versions"]
    for group in client.get("/apis").json()["groups"]:
        versions += [version["groupVersion"] for version in group["versions"]]
    resources = {}
    for api_version in versions:
        entries = client.get(version_path(api_version)).json()["resources"]
        for entry in entries:
            if "/" not in entry["name"]:
                entry = {**entry, "apiVersion": api_version, "subresources": set()}
                resources[api_version, entry["kind"]] = entry
        by_name = {r["name"]: r for r in resources.values() if r["apiVersion"] == api_version}
        for entry in entries:
            name, _, subresource = entry["name"].partition("/")
            if subresource:
                by_name[name]["subresources"].add(subresource)
    return resources


def version_path(api_version):
    return f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"


def collection_path(resource, namespace=None):
    """The path of a list, of all namespaces where none is named."""
    middle = f"/namespaces/{namespace}" if namespace else ""
    return f"{version_path(resource['apiVersion'])}{middle}/{resource['name']}"


def object_path(resource, metadata):
    return f"{collection_path(resource, metadata.get('namespace'))}/{metadata['name']}"
