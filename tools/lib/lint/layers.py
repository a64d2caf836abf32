"""Dependencies run one way: what each folder may use, besides itself."""

import build_files
import files
import lexer

# api/meta, the types that all groups share, stands in the middle of apimachinery: on its engine, below the rest.
_ENGINE = ("apimachinery/base/", "apimachinery/types/", "apimachinery/codec/")
_BELOW_CLIENTSET = ["apimachinery", "apimachinery/engine", "api", "api/meta"]
_BELOW_CONTROLLER = [*_BELOW_CLIENTSET, "clientset", "listers", "informers"]
_PUBLIC = [*_BELOW_CONTROLLER, "envtest/fake", "controller", "net", "net/http", "net/url", "envtest", "apiserver"]
MAY_USE = {
    "apimachinery": ["api/meta", "apimachinery/engine"],
    "apimachinery/engine": [],
    "api/meta": ["apimachinery/engine"],
    "api": ["apimachinery", "apimachinery/engine", "api/meta"],
    "net": ["apimachinery", "apimachinery/engine", "net/http", "net/url"],
    "net/http": ["apimachinery/engine"],
    "net/url": ["apimachinery/engine"],
    "clientset": [*_BELOW_CLIENTSET, "net/http", "net/url"],
    "envtest/fake": [*_BELOW_CLIENTSET, "clientset", "envtest", "apiserver"],  # for tests of users
    "listers": [*_BELOW_CLIENTSET, "clientset"],
    "informers": [*_BELOW_CLIENTSET, "clientset", "listers"],
    "controller": [*_BELOW_CONTROLLER, "net", "net/url"],
    "envtest": [*_BELOW_CLIENTSET, "clientset", "net", "apiserver"],
    "apiserver": [*_BELOW_CLIENTSET, "net", "net/http", "net/url"],
    "codegen": [],  # a build tool
    "examples": _PUBLIC,
    "benchmarks": [*_PUBLIC, "codegen", "examples", "tests"],
    "tests": [*_PUBLIC, "codegen", "examples"],
    "cmd": [*_PUBLIC, "codegen"],
    "tools": [*_PUBLIC, "codegen"],
}
# What any test may use: real types, generated code, the embedded API server, the test support of tests/.
TESTS_MAY_USE = [
    *_BELOW_CLIENTSET,
    "net",
    "net/http",
    "net/url",
    "codegen",
    "envtest/fake",
    "envtest",
    "apiserver",
    "tests",
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
            package, _, _ = dep.text.partition(":")
            problem = _problem(path, package.removeprefix("//") + "/", target.testonly)
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
