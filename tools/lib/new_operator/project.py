"""What an operator consists of: its kinds, their webhooks, and which files were generated. Checks each addition."""

import json
import re

import names
from names import snake

FILE = ".new_operator.json"

_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")
_GROUP = re.compile(r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?")
_VERSION = re.compile(r"v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?")
_KIND = re.compile(r"[A-Z][A-Za-z0-9]{0,62}")
_REPO = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")

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


def _refuse(flag, value, problem):
    if problem:
        raise Mistake(f'{flag} "{value}": {problem}')


def new(domain, repo_name, client_cpp):
    for label in domain.split("."):
        _check(_LABEL, label, "--domain: label", "must be lower case letters, digits and dashes, as in example.com")
    _check(_REPO, repo_name, "--repo-name", "must be lower case words joined by underscores, as in my_operator")
    _refuse("--repo-name", repo_name, names.problem_of_repo(repo_name))
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


def _check_api(group, version, kind, plural, owns):
    _check(_GROUP, group, "--group", "must be a DNS label that begins with a letter, such as apps; the domain is added to it")
    _refuse("--group", group, names.problem_of_group(group))
    _check(_VERSION, version, "--version", "must be as Kubernetes' own: v1, v1beta2, v2alpha1")
    _check(_KIND, kind, "--kind", "must be letters and digits that begin with an upper case letter, as in Memcached")
    _refuse("--kind", kind, names.problem_of_kind(kind) or names.problem_of_classes(group, version, kind))
    if plural:
        _check(_GROUP, plural, "--plural", "must be a DNS label, such as memcacheds")
    unknown = [each for each in owns if each not in OWNED]
    if unknown:
        raise Mistake(f'--owns "{unknown[0]}": must be of {", ".join(sorted(OWNED))}; add other kinds to the controller by hand')


def _check_version(others, group, version, kind, plural, cluster, owns):
    """Checks a further version of a kind."""
    first = others[0]
    file = f"{names.folder_of(group)}/{version}/{snake(kind)}.proto"
    if first["group"] != group:
        raise Mistake(f'--kind "{kind}": exists in the group {first["group"]}; choose another name, or --group {first["group"]}')
    if any(api["version"] == version for api in others):
        raise Mistake(f"{kind} of {group}/{version} exists already: change api/{file}, or choose another version")
    if plural not in ("", first["plural"]):
        raise Mistake(f'--plural "{plural}": all versions of a kind have the same, {first["plural"]}')
    if cluster not in (None, first["cluster"]):
        raise Mistake("--cluster and --namespaced: all versions of a kind have the same scope")
    if owns:
        raise Mistake(f"--owns: {kind} has a controller already; add the watch to controllers/{snake(kind)}_controller.h by hand")


def add_api(model, group, version, kind, plural="", cluster=None, owns=()):
    _check_api(group, version, kind, plural, owns)
    others = versions_of(model, kind)
    if others:
        _check_version(others, group, version, kind, plural, cluster, owns)
    first = others[0] if others else {}
    api = {
        "group": group,
        "version": version,
        "kind": kind,
        "plural": first.get("plural") or plural or names.plural_of(kind),
        "cluster": first.get("cluster", bool(cluster)),
        "owns": sorted(set(owns)),
        # The version that is stored, and that the controller works with.
        "stored": not first,
        "defaulting": False,
        "validating": False,
        "hub": False,
    }
    _refuse("--kind", kind, names.problem_of_neighbours(api, model["apis"]))
    model["apis"].append(api)


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
