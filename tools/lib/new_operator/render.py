"""Makes the text of each file of an operator, of the templates.

A template looks like its output. @{name} is replaced; lines between "@if NAME" and "@end" stay if NAME is true. Lines of
kinds and webhooks go above comments such as "+new_operator:controllers", as they do in files that a person has changed.
"""

import dataclasses
import re
from pathlib import Path

import write
from names import folder_of, plural_of_camel, snake
from project import OWNED, versions_of

TEMPLATES = Path(__file__).resolve().parent / "templates"


@dataclasses.dataclass
class File:
    # The text without the lines.
    base: str
    # (marker, the line by which the block is known, the block)
    lines: list = dataclasses.field(default_factory=list)

    @property
    def text(self):
        text, lost = write.insert(self.base, self.lines)
        assert not lost, lost
        return text


def expand(template, values):
    """Returns the text of a template."""
    source = (TEMPLATES / (template + ".tmpl")).read_text(encoding="utf-8")
    kept, shown = [], [True]
    for line in source.splitlines():
        if condition := re.fullmatch(r"@if (\w+)", line):
            shown.append(shown[-1] and bool(values[condition.group(1)]))
        elif line == "@end":
            shown.pop()
        elif shown[-1]:
            kept.append(re.sub(r"@\{(\w+)\}", lambda match: str(values[match.group(1)]), line))
    return "\n".join(kept) + "\n"


def _block(marker, template, values):
    """A block of a BUILD file, known by the line with its name."""
    text = expand(template, values)
    key = next(line.strip() for line in text.splitlines() if line.strip().startswith("name = "))
    return marker, key, text.rstrip("\n") + "\n\n"


def _line(marker, text):
    return marker, text, text


def _general(model):
    source = model["client_cpp"]
    name = model["repo_name"].replace("_", "-")
    converted = sorted(f'"{api["plural"]}.{api["group"]}.{model["domain"]}"' for api in model["apis"] if api["hub"])
    webhooks = any(api["defaulting"] or api["validating"] or api["hub"] for api in model["apis"])
    return {
        "repo": model["repo_name"],
        "guard": model["repo_name"].upper(),
        "name": name,
        "domain": model["domain"],
        "by_path": "path" in source,
        "by_archive": "url" in source,
        "path": source.get("path", ""),
        "url": source.get("url", ""),
        "sha256": source.get("sha256", ""),
        "strip_prefix": source.get("strip_prefix", ""),
        "webhooks": webhooks,
        "plain": not webhooks,
        "converted": ", ".join(converted),
    }


def _owned(kinds):
    """The lines of a controller's header and target for the kinds that it owns."""
    places = sorted({OWNED[kind] for kind in kinds})
    includes = [f'#include "api/{group}/{version}/types.kube.h"' for group, version in places]
    clients = [f'#include "clientset/kubernetes/{group}/{version}/client.h"' for group, version in places]
    members = []
    for kind in kinds:
        group, version = OWNED[kind]
        full = f"kube::api::{group}::{version}::{kind}"
        member = snake(plural_of_camel(kind)) + "_"
        members.append(f"  const kube::controller::Owned<{full}> {member} =\n      objects_.Owns<{full}>();")
    deps = [f'        "@client_cpp//clientset/kubernetes:{group}_{version}",' for group, version in places]
    return {
        "owns": bool(kinds),
        "owned_types": "\n".join(includes),
        "owned_clients": "\n".join(clients),
        "owned_members": "\n".join(members),
        "owned_deps": "\n".join(deps),
        "first_owned": snake(plural_of_camel(kinds[0])) + "_" if kinds else "",
    }


def _of_api(general, api):
    folder = folder_of(api["group"])
    file = snake(api["kind"])
    return {
        **general,
        **_owned(api["owns"]),
        "group": f'{api["group"]}.{general["domain"]}',
        "folder": folder,
        "version": api["version"],
        "kind": api["kind"],
        "plural": api["plural"],
        "file": file,
        "kind_guard": file.upper(),
        # Each kind has a namespace of its own: the code of each has classes of its group.
        "type": f'{file}::{api["version"]}::{api["kind"]}',
        "scope": "CLUSTER" if api["cluster"] else "NAMESPACED",
        "where": "" if api["cluster"] else ', "default"',
        "stored": api["stored"],
        "defaulting": api["defaulting"],
        "validating": api["validating"],
    }


# Path of the output and name of the template.
_ONCE = {
    "WORKSPACE": "WORKSPACE",
    "MODULE.bazel": "MODULE.bazel",
    ".bazelrc": "bazelrc",
    ".gitignore": "gitignore",
    ".github/workflows/ci.yml": "ci.yml",
    "BUILD.bazel": "BUILD.bazel",
    "README.md": "README.md",
    "api/BUILD.bazel": "api.BUILD.bazel",
    "controllers/BUILD.bazel": "folder.BUILD.bazel",
    "main.cc": "main.cc",
    "operator.h": "operator.h",
    "test/BUILD.bazel": "folder.BUILD.bazel",
}


def _add_controller(files, values):
    file, kind = values["file"], values["kind"]
    for suffix in ("controller.h", "controller.cc", "controller_test.cc"):
        files[f"controllers/{file}_{suffix}"] = File(expand(suffix, values))
    for suffix in ("simulated_test.cc", "e2e_test.cc"):
        files[f"test/{file}_{suffix}"] = File(expand(suffix, values))
    files["controllers/BUILD.bazel"].lines.append(_block("targets", "controller_target", values))
    files["test/BUILD.bazel"].lines += [
        _block("targets", "test_target", {**values, "test": test, "environment": environment})
        for test, environment in (("e2e", "operator_environment"), ("simulated", "operator_world"))
    ]
    files["operator.h"].lines += [
        _line("includes", f'#include "controllers/{file}_controller.h"'),
        _line("controllers", f"{kind}Controller {file}_{{manager_}};"),
    ]
    files["BUILD.bazel"].lines.append(_line("deps", f'"//controllers:{file}_controller",'))


def _add_webhook(files, values, name, templates, target):
    folder = files.setdefault("webhooks/BUILD.bazel", File(expand("folder.BUILD.bazel", values)))
    for suffix, template in templates.items():
        files[f"webhooks/{name}{suffix}"] = File(expand(template, values))
    folder.lines.append(_block("targets", target, {**values, "target": name}))
    files["operator.h"].lines.append(_line("includes", f'#include "webhooks/{name}.h"'))
    files["BUILD.bazel"].lines.append(_line("deps", f'"//webhooks:{name}",'))


def _add_admission(files, values):
    name = f'{values["file"]}_webhook'
    _add_webhook(files, values, name, {".h": "webhook.h", ".cc": "webhook.cc", "_test.cc": "webhook_test.cc"}, "webhook_target")
    files["operator.h"].lines.append(_line("webhooks", f'Register{values["kind"]}Webhooks(manager_.webhooks());'))


def _add_conversion(files, general, hub, spoke):
    values, other = _of_api(general, hub), _of_api(general, spoke)
    values = {
        **values,
        "spoke_type": other["type"],
        "spoke_version": other["version"],
        "spoke_name": other["version"].capitalize(),
        "spoke_guard": other["version"].upper(),
    }
    name = f'{values["file"]}_{other["version"]}_conversion'
    templates = {".h": "conversion.h", ".cc": "conversion.cc", "_test.cc": "conversion_test.cc"}
    _add_webhook(files, values, name, templates, "conversion_target")
    files["operator.h"].lines.append(_line("webhooks", f'Register{values["kind"]}{values["spoke_name"]}Conversion(manager_.webhooks());'))


def render(model):
    """Returns the File of each path."""
    general = _general(model)
    files = {path: File(expand(template, general)) for path, template in _ONCE.items()}
    for api in model["apis"]:
        values = _of_api(general, api)
        package = f'api/{values["folder"]}/{values["version"]}'
        files[f'{package}/{values["file"]}.proto'] = File(expand("kind.proto", values))
        targets = files.setdefault(f"{package}/BUILD.bazel", File(expand("group.BUILD.bazel", values)))
        targets.lines.append(_block("targets", "api_target", values))
        files["api/BUILD.bazel"].lines.append(_line("libraries", f'"//{package}:{values["file"]}",'))
        files["README.md"].lines.append(_line("kinds", f'* `{api["kind"]}`: `{package}/{values["file"]}.proto`'))
        if api["stored"]:
            _add_controller(files, values)
        if api["defaulting"] or api["validating"]:
            _add_admission(files, values)
        if api["hub"]:
            for spoke in versions_of(model, api["kind"]):
                if spoke is not api:
                    _add_conversion(files, general, api, spoke)
    return files
