"""Dependencies run one way: what each folder may use, besides itself."""

import build_files
import files
import lexer

# api/meta, the types that all groups share, stands in the middle of apimachinery: on its engine, below the rest. Nothing of
# the engine is generated, so the code generator stands on it, too: with value.h and value_json.h of unstructured.
_ENGINE = (
    "apimachinery/base/",
    "apimachinery/table/",
    "apimachinery/types/",
    "apimachinery/codec/",
    "apimachinery/unstructured/value",
)
_BELOW_CLIENTSET = ["apimachinery", "apimachinery/engine", "api", "api/meta"]
_CLIENT = [*_BELOW_CLIENTSET, "net/http", "net/httpclient", "net/io", "net/spdy", "net/url", "net/websocket", "clientset"]
_BELOW_CONTROLLER = [*_CLIENT, "listers", "informers"]
_PUBLIC = [*_BELOW_CONTROLLER, "apimachinery/crd_schema", "clientset/certificate", "controller", "net", "apiserver", "envtest", "envtest/fake", "webhook"]
MAY_USE = {
    "apimachinery": ["api/meta", "apimachinery/engine"],
    # Reads CustomResourceDefinitions, which are generated types of api.
    "apimachinery/crd_schema": ["apimachinery", "apimachinery/engine", "api", "api/meta", "net/url"],
    "apimachinery/engine": [],
    "api/meta": ["apimachinery/engine"],
    "api": ["apimachinery", "apimachinery/engine", "api/meta"],
    "net": ["apimachinery", "apimachinery/engine", "net/http", "net/io", "net/spdy", "net/url", "net/websocket"],
    "net/http": ["apimachinery/engine"],
    "net/httpclient": ["apimachinery", "apimachinery/engine", "net/http", "net/io", "net/url"],
    "net/io": ["apimachinery", "apimachinery/engine"],
    "net/spdy": ["apimachinery/engine", "net/http", "net/io"],
    "net/url": ["apimachinery/engine"],
    "net/websocket": ["apimachinery/engine", "net/http", "net/io"],
    "clientset": [*_BELOW_CLIENTSET, "net/http", "net/httpclient", "net/io", "net/spdy", "net/url", "net/websocket"],
    # Waits for a request with an informer, and makes keys and requests.
    "clientset/certificate": [*_CLIENT, "listers", "informers", "net"],
    "listers": [*_BELOW_CLIENTSET, "clientset"],
    "informers": [*_CLIENT, "listers"],
    "controller": [*_BELOW_CONTROLLER, "net", "webhook"],
    # Calls webhooks with net/httpclient. Its program, main.cc, uses apiserver/program.
    "apiserver": [
        *_BELOW_CLIENTSET,
        "apiserver/program",
        "apimachinery/crd_schema",
        "net",
        "net/http",
        "net/httpclient",
        "net/io",
        "net/spdy",
        "net/url",
        "net/websocket",
    ],
    # What only the program of apiserver does: it stands above envtest, and nothing but that program uses it.
    "apiserver/program": [*_CLIENT, "net", "apiserver", "envtest"],
    "webhook": [*_CLIENT, "net"],
    "envtest": [*_CLIENT, "net", "net/io", "apiserver", "webhook"],
    "envtest/fake": [*_CLIENT, "apiserver", "envtest"],  # for tests of users
    "codegen": ["apimachinery/engine"],  # a build tool, which makes what all others stand on
    # Stands on generated types, and its output is what the generator reads.
    "codegen/crd_import": [*_BELOW_CLIENTSET, "apimachinery/crd_schema", "codegen"],
    "examples": _PUBLIC,
    "benchmarks": [*_PUBLIC, "codegen", "examples", "tests"],
    "tests": [*_PUBLIC, "codegen", "codegen/crd_import", "examples"],
    "cmd": [*_PUBLIC, "codegen/crd_import"],
    "tools": [*_PUBLIC, "codegen"],
}
# What any test may use: real types, generated code, the embedded API server, the test support of tests/.
TESTS_MAY_USE = [
    *_CLIENT,
    "apimachinery/crd_schema",
    "net",
    "codegen",
    "apiserver",
    "envtest",
    "envtest/fake",
    "tests",
    "webhook",
]


def include_layer(path, text):
    if not files.is_cpp(path):
        return
    for include in lexer.scan(text).includes:
        problem = _problem(path, include.path, files.is_test(path))
        if problem:
            yield include.line, problem


def dep_layer(path, text):
    for target in build_files.targets(path, text):
        if not target.rule.startswith(("cc_", "kube_")):
            continue
        for dep in target.deps:
            package, _, name = dep.text.partition(":")
            problem = _problem(path, package.removeprefix("//") + "/" + name, target.testonly)
            if problem:
                yield dep.line, problem


def _problem(path, used_path, in_test):
    user, used = _layer(path), _layer(used_path)
    if not user or not used or user == used:
        return None
    allowed = MAY_USE[user] + (TESTS_MAY_USE if in_test else [])
    if used in allowed:
        return None
    return f"{user} must not use {used_path}; it may use {', '.join(allowed) or 'nothing but itself'}"


def _layer(path):
    """The folder of MAY_USE that holds the path, or None; "apiserver" goes before "envtest"."""
    if path.startswith(_ENGINE):
        return "apimachinery/engine"
    return next((name for name in sorted(MAY_USE, reverse=True) if path.startswith(name + "/")), None)
