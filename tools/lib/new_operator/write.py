"""Writes rendered files into a workspace, and leaves alone what a person has changed.

For each file .new_operator.json has the hash of the text that was last rendered, of that text without the lines of kinds
and webhooks, and the keys of these lines. A file with that hash is as the tool wrote it, and is written anew. Any other
one is a person's: lines of new kinds go above its markers, and if anything else of the text is new, FILE.new has it.
"""

import hashlib
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


def _changed_by_hand(path, text, known, file):
    """Returns the new text of a file that a person has changed, messages, and whether FILE.new is needed."""
    added = [each for each in file.lines if each[1] not in known["lines"]]
    result, lost = insert(text, added)
    messages = [f"changed {path}: lines were added at its markers"] if result != text else []
    for marker, block in lost:
        indented = "\n".join("    " + line for line in block.splitlines())
        messages.append(f'{path} has no comment "{MARKER}{marker}" any more. Add, where that stood in {path}:\n{indented}')
    return result, messages, known["base"] != digest(file.base)


def write(root, model, files, dry_run):
    """Writes what differs, or with `dry_run` nothing. Returns what was done, one message each."""
    messages, texts = [], {}
    for path, file in sorted(files.items()):
        place, known = root / path, model["files"].get(path)
        text = place.read_text(encoding="utf-8") if place.exists() else None
        now = digest(file.text)
        if text == file.text:
            pass
        elif text is None and known is None:
            texts[path] = file.text
            messages.append(f"new {path}")
        elif text is None:
            if known["sha256"] != now:
                messages.append(f"left {path}, which you have deleted; delete its entry in {project.FILE} and call update to get it again")
        elif known is not None and digest(text) == known["sha256"]:
            texts[path] = file.text
            messages.append(f"changed {path}")
        elif known is None:
            texts[path + ".new"] = file.text
            messages.append(f"left {path}, which is not of this tool: merge {path}.new into it, and delete that")
        elif known["sha256"] != now:
            result, said, beside = _changed_by_hand(path, text, known, file)
            if result != text:
                texts[path] = result
            messages += said
            if beside:
                texts[path + ".new"] = file.text
                messages.append(f"left {path}, which you have changed: merge {path}.new into it, and delete that")
        model["files"][path] = {"sha256": now, "base": digest(file.base), "lines": [key for _, key, _ in file.lines]}
    if dry_run:
        return [f"would do: {message}" for message in messages]
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    # Last, so that a run that was interrupted is done again.
    (root / project.FILE).parent.mkdir(parents=True, exist_ok=True)
    (root / project.FILE).write_text(project.dump(model), encoding="utf-8")
    return messages
