"""Writes rendered files into a workspace, and leaves alone what a person has changed.

For each file .new_operator.json has the hash of the text that was last rendered, of that text without the lines of kinds
and webhooks, the keys of these lines, and the hash of what was last written beside the file. A file with the first hash is
as the tool wrote it, and is written again. Any other one is a person's: lines of new kinds go above its markers, and if
anything else of the text is new, FILE.new has it. A FILE.new that is not as the tool wrote it is a person's, too: the new
text then goes into FILE.2.new.
"""

import dataclasses
import hashlib
import itertools
import re

import project

MARKER = "+new_operator:"


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


def _has(text, line):
    wanted = line.strip()
    return any(each.strip() == wanted for each in text.splitlines())


def insert(text, lines):
    """Returns the text with the blocks of `lines` above their markers, and those that have no marker."""
    result, lost = text, []
    for marker, key, block in lines:
        if _has(result, key):
            continue
        place = re.search(rf"^([ \t]*)\S+ {re.escape(MARKER + marker)}( -->)?$", result, re.MULTILINE)
        if place is None:
            lost.append((marker, block))
            continue
        indented = "".join(place.group(1) + line + "\n" if line else "\n" for line in block.splitlines())
        result = result[: place.start()] + indented + result[place.start() :]
    return result, lost


@dataclasses.dataclass
class _Changes:
    """What a run writes, by path from the root, and what it says."""

    texts: dict = dataclasses.field(default_factory=dict)
    messages: list = dataclasses.field(default_factory=list)


def _read(place):
    """Returns the text of a file and the ends of its lines, or None."""
    try:
        text = place.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None, "\n"
    except UnicodeDecodeError as error:
        raise project.Mistake(
            f"{place}: is not UTF-8 at byte {error.start}: save it as UTF-8, or move it away. Nothing was changed"
        ) from None
    return text.replace("\r\n", "\n"), "\r\n" if "\r\n" in text else "\n"


def _beside(root, path, text, known):
    """Returns the path of a new file for the text: FILE.new, unless a person has changed that."""
    for number in itertools.count(1):
        name = f"{path}.new" if number == 1 else f"{path}.{number}.new"
        try:
            found = (root / name).read_bytes()
        except FileNotFoundError:
            return name
        if found == text.encode() or hashlib.sha256(found).hexdigest() == known.get("beside"):
            return name


def _write_beside(changes, root, path, file, known, why):
    name = _beside(root, path, file.text, known)
    changes.texts[name] = file.text
    kept = "" if name == f"{path}.new" else f" ({path}.new is not as this tool wrote it, and stays)"
    changes.messages.append(f"left {path}, which {why}: merge {name} into it, and delete that{kept}")


def _add_lines(changes, path, text, ends, file, known):
    """Puts the lines of new kinds into a file that a person has changed."""
    added = [each for each in file.lines if each[1] not in known["lines"]]
    result, lost = insert(text, added)
    if result != text:
        changes.texts[path] = result.replace("\n", ends)
        changes.messages.append(f"changed {path}: lines were added at its markers")
    for marker, block in lost:
        indented = "\n".join("    " + line for line in block.splitlines())
        changes.messages.append(f'{path} has no comment "{MARKER}{marker}" any more. Add, where that stood in {path}:\n{indented}')


def _decide(changes, root, path, file, known):
    """Decides what becomes of one file. `known` is empty if the tool has not made it."""
    text, ends = _read(root / path)
    if text == file.text:
        return
    if text is None and not known:
        changes.texts[path] = file.text
        changes.messages.append(f"new {path}")
    elif text is None:
        if known["sha256"] != digest(file.text):
            again = f"delete its entry in {project.FILE} and call update to get it again"
            changes.messages.append(f"left {path}, which you have deleted; {again}")
    elif not known:
        _write_beside(changes, root, path, file, known, "is not of this tool")
    elif digest(text) == known["sha256"]:
        changes.texts[path] = file.text.replace("\n", ends)
        changes.messages.append(f"changed {path}")
    elif known["sha256"] != digest(file.text):
        _add_lines(changes, path, text, ends, file, known)
        if known["base"] != digest(file.base):
            _write_beside(changes, root, path, file, known, "you have changed")


def _entry(file, texts, path, known):
    """What .new_operator.json says of a file."""
    entry = {"sha256": digest(file.text), "base": digest(file.base), "lines": [key for _, key, _ in file.lines]}
    if any(name.startswith(path) and name.endswith(".new") for name in texts):
        entry["beside"] = entry["sha256"]
    elif "beside" in known:
        entry["beside"] = known["beside"]
    return entry


def _store(place, text):
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text.encode())


def write(root, model, files, dry_run):
    """Writes what differs, or with `dry_run` nothing. Returns what was done, one message each."""
    changes = _Changes()
    for path, file in sorted(files.items()):
        known = model["files"].get(path, {})
        before = set(changes.texts)
        _decide(changes, root, path, file, known)
        model["files"][path] = _entry(file, set(changes.texts) - before, path, known)
    if dry_run:
        return [f"would do: {message}" for message in changes.messages]
    for path, text in changes.texts.items():
        _store(root / path, text)
    # Last, so that a run that was interrupted is done again.
    _store(root / project.FILE, project.dump(model))
    return changes.messages
