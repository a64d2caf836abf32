"""What an operator consists of: its kinds, their webhooks, and which files were generated. Checks each addition."""

import json
import re

FILE = ".new_operator.json"

_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")
_GROUP = re.compile(r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?")
_VERSION = re.compile(r"v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?")
_KIND = re.compile(r"[A-Z][A-Za-z0-9]{0,62}")
_REPO = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")

# Names that cannot be a namespace within the program, or that would hide one.
_TAKEN = set(
    """kube std absl testing client_cpp google alignas alignof and asm auto bitand bitor bool break case catch char class
    compl concept const consteval constexpr constinit continue decltype default delete do double else enum explicit export
    extern false float for friend goto if inline int long main mutable namespace new noexcept not nullptr operator or
    private protected public register requires return short signed sizeof static struct switch template this throw true try
    typedef typeid typename union unsigned using virtual void volatile while xor""".split()
)
# Targets and folders of the workspace, beside which the program stands.
_OF_THE_WORKSPACE = {"api", "controllers", "install", "test", "webhooks"}

# The kinds that a controller can own: group and version.
OWNED = {
    **dict.fromkeys(["DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"], ("apps", "v1")),
    **dict.fromkeys(["CronJob", "Job"], ("batch", "v1")),
    **dict.fromkeys(["ConfigMap", "PersistentVolumeClaim", "Pod", "Secret", "Service", "ServiceAccount"], ("core", "v1")),
    **dict.fromkeys(["Ingress", "NetworkPolicy"], ("networking", "v1")),
}


class Mistake(Exception):
    """What the user should do otherwise."""


def _check(pattern, value, what, rule):
    if not pattern.fullmatch(value):
        raise Mistake(f'{what} "{value}": {rule}')


def snake(kind):
    """The name of a kind in files: HTTPProxy is http_proxy."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", kind).lower()


def plural_of(kind):
    word = kind.lower()
    if re.search(r"[^aeiou]y$", word):
        return word[:-1] + "ies"
    return word + ("es" if re.search(r"(s|x|z|ch|sh)$", word) else "s")


def new(domain, repo_name, client_cpp):
    for label in domain.split("."):
        _check(_LABEL, label, "--domain: label", "must be lower case letters, digits and dashes, as in example.com")
    _check(_REPO, repo_name, "--repo-name", "must be lower case words joined by underscores, as in my_operator")
    if repo_name in _TAKEN:
        raise Mistake(f'--repo-name "{repo_name}": is taken in C++; choose another name, such as {repo_name}_operator')
    if repo_name in _OF_THE_WORKSPACE:
        raise Mistake(f'--repo-name "{repo_name}": is a target or a folder of the workspace; choose {repo_name}_operator')
    return {"domain": domain, "repo_name": repo_name, "client_cpp": client_cpp, "apis": [], "files": {}}


def load(root):
    try:
        return json.loads((root / FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise Mistake(f"{root} is not an operator's workspace: it has no {FILE}. Call init first, or go to the workspace") from None
    except ValueError as error:
        raise Mistake(f"{root / FILE}: {error}. Restore it from your version control") from None


def dump(model):
    return json.dumps(model, indent=2, sort_keys=True) + "\n"


def versions_of(model, kind):
    return [api for api in model["apis"] if api["kind"] == kind]


def _kinds(model):
    return ", ".join(sorted({api["kind"] for api in model["apis"]})) or "none"


def add_api(model, group, version, kind, plural="", cluster=None, owns=()):
    _check(_GROUP, group, "--group", "must be a DNS label that begins with a letter, such as apps; the domain is added to it")
    if group.replace("-", "_") in _TAKEN:
        raise Mistake(f'--group "{group}": is taken in C++; choose another name')
    _check(_VERSION, version, "--version", "must be as Kubernetes' own: v1, v1beta2, v2alpha1")
    _check(_KIND, kind, "--kind", "must be letters and digits that begin with an upper case letter, as in Memcached")
    if kind.endswith("List"):
        raise Mistake(f'--kind "{kind}": the IDL has a message {kind} for a list; choose a name that does not end with List')
    if plural:
        _check(_GROUP, plural, "--plural", "must be a DNS label, such as memcacheds")
    unknown = [each for each in owns if each not in OWNED]
    if unknown:
        raise Mistake(f'--owns "{unknown[0]}": must be of {", ".join(sorted(OWNED))}; add other kinds to the controller by hand')
    same_file = [api for api in model["apis"] if api["kind"] != kind and snake(api["kind"]) == snake(kind)]
    if same_file:
        raise Mistake(f'--kind "{kind}": its files would be those of {same_file[0]["kind"]}; choose another name')
    others = versions_of(model, kind)
    first = others[0] if others else {}
    if first and first["group"] != group:
        raise Mistake(f'--kind "{kind}": exists in the group {first["group"]}; choose another name, or --group {first["group"]}')
    if any(api["version"] == version for api in others):
        raise Mistake(f"{kind} of {group}/{version} exists already: change api/{group.replace('-', '_')}/{version}/{snake(kind)}.proto, or choose another version")
    if first and plural not in ("", first["plural"]):
        raise Mistake(f'--plural "{plural}": all versions of a kind have the same, {first["plural"]}')
    if first and cluster not in (None, first["cluster"]):
        raise Mistake("--cluster and --namespaced: all versions of a kind have the same scope")
    if first and owns:
        raise Mistake(f"--owns: {kind} has a controller already; add the watch to controllers/{snake(kind)}_controller.h by hand")
    model["apis"].append(
        {
            "group": group,
            "version": version,
            "kind": kind,
            "plural": first.get("plural") or plural or plural_of(kind),
            "cluster": first.get("cluster", bool(cluster)),
            "owns": sorted(set(owns)),
            # The version that is stored, and that the controller works with.
            "stored": not first,
            "defaulting": False,
            "validating": False,
            "hub": False,
        }
    )


def _version(model, kind, version, flag):
    versions = versions_of(model, kind)
    if not versions:
        raise Mistake(f'--kind "{kind}": there is no such kind, but {_kinds(model)}; call create api first')
    if not version:
        return next((api for api in versions if api["hub"]), versions[0])
    found = [api for api in versions if api["version"] == version]
    if not found:
        known = ", ".join(api["version"] for api in versions)
        raise Mistake(f'{flag} "{version}": {kind} has the versions {known}; call create api --version {version} first')
    return found[0]


def add_admission(model, kind, version, defaulting, validating):
    api = _version(model, kind, version, "--version")
    other = [each for each in versions_of(model, kind) if each is not api and (each["defaulting"] or each["validating"])]
    if other:
        raise Mistake(f"{kind} has webhooks of {other[0]['version']}: one version has them, as API servers convert the requests")
    if (not defaulting or api["defaulting"]) and (not validating or api["validating"]):
        raise Mistake(f"{kind} has these webhooks already: change webhooks/{snake(kind)}_webhook.cc")
    api["defaulting"] |= defaulting
    api["validating"] |= validating


def add_conversion(model, kind, hub):
    api = _version(model, kind, hub, "--hub")
    known = [each["version"] for each in versions_of(model, kind) if each["hub"]]
    if known:
        raise Mistake(f"{kind} is converted already; its hub is {known[0]}")
    if len(versions_of(model, kind)) < 2:
        raise Mistake(f"--conversion: {kind} has one version; call create api with another --version first")
    api["hub"] = True
