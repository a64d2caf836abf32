"""The command line of tools/new_operator: makes the workspace of an operator, and adds kinds and webhooks to it.

What is asked for is kept in .new_operator.json (project.py); every command changes that, renders all files of it
(render.py), and writes what differs without touching what a person has changed (write.py).
"""

import argparse
import os
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import project
import render
import write
from project import Mistake

CLIENT_CPP = Path(__file__).resolve().parents[3]

EPILOG = """A file that you have changed is never overwritten: lines are added at its "+new_operator" comments, and where that
is not possible the tool writes FILE.new beside it and says so. docs/new-operator.md explains the files."""


def parser():
    result = argparse.ArgumentParser(prog="new_operator", description="Makes an operator, and adds to it.", epilog=EPILOG)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--directory", help="the operator's workspace; default: that of Bazel, or the current folder and those above it")
    common.add_argument("--dry-run", action="store_true", help="say what would change, and change nothing")
    commands = result.add_subparsers(dest="command", metavar="COMMAND", required=True)
    init = commands.add_parser("init", parents=[common], help="make a workspace")
    init.add_argument("--domain", help="of the groups: example.com")
    init.add_argument("--repo-name", help="of the workspace and the C++ namespace: my_operator")
    source = init.add_mutually_exclusive_group()
    source.add_argument("--client-cpp-path", help="a checkout of client-cpp; default: that of this tool")
    source.add_argument("--client-cpp-archive", metavar="URL", help="an archive of client-cpp")
    init.add_argument("--client-cpp-sha256", default="", help="of the archive")
    init.add_argument("--client-cpp-strip-prefix", default="", help="the folder within the archive")
    create = commands.add_parser("create", help="add a kind or a webhook")
    what = create.add_subparsers(dest="what", metavar="api|webhook", required=True)
    api = what.add_parser("api", parents=[common], help="add a kind with a controller, or a version of a kind")
    api.add_argument("--group", help="the first label of the group: apps")
    api.add_argument("--version", help="such as v1 or v1alpha1")
    api.add_argument("--kind", help="such as Memcached")
    api.add_argument("--plural", default="", help="the resource; default: made of the kind")
    scope = api.add_mutually_exclusive_group()
    scope.add_argument("--namespaced", dest="cluster", action="store_const", const=False, help="objects are in namespaces (the default)")
    scope.add_argument("--cluster", dest="cluster", action="store_const", const=True, help="objects are in no namespace")
    api.add_argument("--owns", default="", help="kinds of Kubernetes that the controller owns: Deployment,Service")
    webhook = what.add_parser("webhook", parents=[common], help="add webhooks of a kind")
    webhook.add_argument("--kind")
    webhook.add_argument("--version", default="", help="the version that admission is about; default: the hub, or the first one")
    webhook.add_argument("--defaulting", action="store_true")
    webhook.add_argument("--validating", action="store_true")
    webhook.add_argument("--conversion", action="store_true")
    webhook.add_argument("--hub", default="", help="the version that others are converted to; default: the first one")
    commands.add_parser("update", parents=[common], help="refresh the files that you have not changed")
    return result


def ask(options, name, question, default=""):
    """Asks for an option that is missing, if somebody can answer."""
    if getattr(options, name) not in (None, ""):
        return
    flag = "--" + name.replace("_", "-")
    if not sys.stdin.isatty():
        raise Mistake(f"{flag} is missing: say {flag} VALUE")
    answer = input(f"{question}{f' [{default}]' if default else ''}: ").strip()
    setattr(options, name, answer or default)


def confirm(question):
    return input(f"{question} [y/N]: ").strip().lower() in ("y", "yes")


def find_root(options):
    named = options.directory or os.environ.get("BUILD_WORKSPACE_DIRECTORY")
    if named:
        return Path(named).resolve()
    here = Path.cwd()
    if options.command == "init":
        return here
    return next((each for each in (here, *here.parents) if (each / project.FILE).exists()), here)


def init(options, root):
    if (root / project.FILE).exists():
        raise Mistake(f"{root / project.FILE} exists already: go on with create api, or choose another folder")
    ask(options, "domain", "Domain of the groups", "example.com")
    ask(options, "repo_name", "Name of the workspace", root.name.replace("-", "_"))
    if options.client_cpp_archive:
        source = {
            "url": options.client_cpp_archive,
            "sha256": options.client_cpp_sha256,
            "strip_prefix": options.client_cpp_strip_prefix,
        }
    else:
        path = options.client_cpp_path or str(CLIENT_CPP)
        if not (root / path / "deps.bzl").exists():
            raise Mistake(f'--client-cpp-path "{path}" is no checkout of client-cpp: it has no deps.bzl')
        source = {"path": path}
    return project.new(options.domain, options.repo_name, source)


def create_api(options, model):
    talk = options.kind is None and sys.stdin.isatty()
    ask(options, "group", "Group, without the domain")
    ask(options, "version", "Version", "v1")
    ask(options, "kind", "Kind")
    if talk and options.cluster is None:
        options.cluster = confirm("Are its objects in no namespace?")
    if talk and not options.owns:
        options.owns = input("Kinds that the controller owns, such as Deployment,Service []: ").strip()
    owns = [each.strip() for each in options.owns.split(",") if each.strip()]
    project.add_api(model, options.group, options.version, options.kind, options.plural, options.cluster, owns)


def create_webhook(options, model):
    ask(options, "kind", "Kind")
    if not (options.defaulting or options.validating or options.conversion):
        if not sys.stdin.isatty():
            raise Mistake("say which webhooks: --defaulting, --validating, --conversion")
        options.defaulting = confirm("Complete objects (--defaulting)?")
        options.validating = confirm("Check objects (--validating)?")
        options.conversion = confirm("Convert between versions (--conversion)?")
    if options.defaulting or options.validating:
        project.add_admission(model, options.kind, options.version, options.defaulting, options.validating)
    if options.conversion:
        project.add_conversion(model, options.kind, options.hub)


def run(options, root):
    if options.command == "init":
        model = init(options, root)
    else:
        model = project.load(root)
        if options.command == "create":
            (create_api if options.what == "api" else create_webhook)(options, model)
    messages = write.write(root, model, render.render(model), options.dry_run)
    for message in messages:
        print(message)
    if not messages:
        print("nothing to change")


def main(arguments=None):
    options = parser().parse_args(arguments)
    try:
        run(options, find_root(options))
    except (Mistake, OSError) as error:
        print(f"new_operator: {error}", file=sys.stderr)
        return 1
    except (EOFError, KeyboardInterrupt):
        print("new_operator: ended; nothing was changed", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
