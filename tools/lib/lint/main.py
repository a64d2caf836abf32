"""The style test: `tools/lint [FILE-OR-FOLDER...]` runs every rule over every file that Git knows or would add.

A rule is a function check(path, text) that yields (line, message), or (line, message, subject) where a reason
must name something other than the path. It looks at one file, and its message says what to do instead. To add one:
write it, name it in RULES, and give it a bad and a good sample in rules_test.py.

reasons.txt lists the exceptions. A reason that nothing needs any more is a finding too.
"""

import os
import subprocess
import sys
from typing import NamedTuple

import build_rules
import comment_rules
import cpp_rules
import examples
import files
import layers
import one_definition
import reasons
import text_rules
import versions
import walls
import words

RULES = {
    **{ban.rule: ban.check for ban in words.BANS},
    "header-guard": cpp_rules.header_guard,
    "global-alias": cpp_rules.global_alias,
    "macro": cpp_rules.macro,
    "raw-new": cpp_rules.raw_new,
    "output": cpp_rules.output,
    "locale-date": cpp_rules.locale_date,
    "skip-without-reason": cpp_rules.skip_without_reason,
    "riddle": comment_rules.riddle,
    "include-layer": layers.include_layer,
    "dep-layer": layers.dep_layer,
    "internal-visibility": walls.internal_visibility,
    "public-internal-type": walls.public_internal_type,
    "test-support": walls.test_support,
    "testing-target": walls.testing_target,
    "testing-include": walls.testing_include,
    "namespace": walls.namespace,
    "build-order": walls.build_order,
    "build-syntax": build_rules.build_syntax,
    "untested-library": build_rules.untested_library,
    "plain-cc-rule": build_rules.plain_cc_rule,
    "file-length": text_rules.file_length,
    "final-newline": text_rules.final_newline,
    "whitespace": text_rules.whitespace,
    "machine-path": text_rules.machine_path,
    "version": versions.version,
}
# A rule over all files at once: a function check(sources) that yields (path, line, message).
TREE_RULES = {
    "example": examples.check,
    "one-definition": one_definition.check,
    "internal-include": walls.internal_include,
    "folder-size": walls.folder_size,
    "adr-numbers": walls.adr_numbers,
    "project-card": walls.project_card,
}
REASONS_PATH = "tools/lib/lint/reasons.txt"


class Finding(NamedTuple):
    path: str
    line: int
    rule: str
    message: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.rule}: {self.message}"


def lint(sources, reasons_text, whole_tree):
    """Runs all rules over {path: text}. Only a run over the whole tree can tell that a reason is not needed."""
    allowed, problems = reasons.parse(reasons_text, [*RULES, *TREE_RULES])
    findings = [Finding(REASONS_PATH, line, "reasons", message) for line, message in problems]
    needed = set()

    def report(rule, path, line, message, subject):
        covering = [reason for reason in allowed if reason.covers(rule, subject)]
        needed.update(covering)
        if not covering:
            findings.append(Finding(path, line, rule, message))

    for path, text in sources.items():
        if files.is_generated(text):
            continue
        for rule, check in RULES.items():
            for line, message, *subject in check(path, text):
                report(rule, path, line, message, (subject or [path])[0])
    for rule, check in TREE_RULES.items():
        for path, line, message in check(sources):
            report(rule, path, line, message, path)
    if whole_tree:
        for reason in allowed:
            if reason not in needed:
                message = f"nothing needs the reason for {reason.rule} {reason.subject}: remove the line"
                findings.append(Finding(REASONS_PATH, reason.line, "reasons", message))
    return sorted(findings)


def list_files(root):
    """Files that Git tracks or would add; where there is no repository, all of them."""
    git = ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if os.path.exists(os.path.join(root, ".git")):
        return sorted(set(subprocess.run(git, check=True, stdout=subprocess.PIPE).stdout.decode().split("\0")[:-1]))
    paths = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(("bazel-", "."))]
        paths += [os.path.relpath(os.path.join(folder, name), root) for name in names]
    return sorted(paths)


def read_sources(root, paths):
    """{path: text} of the text files; what is deleted, a link or binary is left out."""
    sources = {}
    for path in paths:
        full = os.path.join(root, path)
        if not os.path.isfile(full) or os.path.islink(full):
            continue
        with open(full, "rb") as file:
            data = file.read()
        try:
            if b"\0" not in data:
                sources[path] = data.decode()
        except UnicodeDecodeError:
            pass
    return sources


def main(arguments):
    root = os.path.abspath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", ".."))
    paths = list_files(root)
    if arguments:
        wanted = [os.path.relpath(argument, root) for argument in arguments]
        paths = [path for path in paths if any(path == want or path.startswith(want + "/") for want in wanted)]
    with open(os.path.join(root, REASONS_PATH), encoding="utf-8") as file:
        reasons_text = file.read()
    sources = read_sources(root, paths)
    findings = lint(sources, reasons_text, whole_tree=not arguments)
    for finding in findings:
        print(finding)
    print(f"{len(sources)} files, {len(RULES) + len(TREE_RULES)} rules, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
