"""What the API reference has, as Doxygen's tag file lists it: names, and where each is."""

import re
import xml.etree.ElementTree as ElementTree
from typing import NamedTuple

_SCOPES = {"class", "struct", "namespace", "concept"}
_KINDS = {"class", "struct", "namespace", "concept", "function", "variable", "typedef", "enumeration", "define"}
# A name that is meant whatever stands around it: of several words, or a macro. "Client" or "Get" may be anything.
_TELLING = re.compile(r"[A-Z]\w*[a-z0-9][A-Z]\w*|[A-Z][A-Z0-9]*_\w+")
_WRITTEN = re.compile(r"([A-Za-z_]\w*(?:::~?[A-Za-z_]\w*)*)(?:<.*>)?(?:\(.*\))?", re.DOTALL)


class Symbol(NamedTuple):
    name: str
    scope: str  # the namespaces and classes around it, with ::
    kind: str
    url: str  # below the folder of the reference

    def qualified(self):
        return f"{self.scope}::{self.name}" if self.scope else self.name


class Reference:
    """Symbols, and the pages of headers by their paths."""

    def __init__(self, symbols=(), headers=None):
        self.symbols = sorted(set(symbols))
        self.headers = headers or {}
        self._by_name = {}
        for symbol in self.symbols:
            self._by_name.setdefault(symbol.name, []).append(symbol)

    def resolve(self, text):
        """The URL of what some code names, such as `rest::Client` or `WaitForCacheSync()`, or None if it may be several."""
        match = _WRITTEN.fullmatch(text)
        if not match:
            return None
        written = match[1]
        if "::" not in written and not _TELLING.fullmatch(written):
            return None
        found = [each for each in self._by_name.get(written.rpartition("::")[2], ()) if self._names(written, each)]
        if len({each.scope for each in found}) != 1:
            return None
        return found[0].url

    def _names(self, written, symbol):
        if "::" not in written:  # what a class has is told by the class
            return symbol.kind not in ("function", "variable") or symbol.scope not in self._classes()
        return symbol.qualified() == written or symbol.qualified().endswith("::" + written)

    def _classes(self):
        if not hasattr(self, "_class_names"):
            self._class_names = {each.qualified() for each in self.symbols if each.kind in ("class", "struct")}
        return self._class_names


def read(text, root):
    """Text of a tag file, and the folder from which its headers were read -> Reference."""
    symbols, headers = [], {}
    for compound in ElementTree.fromstring(text).findall("compound"):
        kind, name, url = compound.get("kind"), compound.findtext("name"), _page(compound.findtext("filename"))
        if kind == "file":
            path = (compound.findtext("path") or "") + name
            if path.startswith(root + "/"):
                headers[path[len(root) + 1 :]] = url
        scope, _, last = name.rpartition("::")
        if kind in _SCOPES:
            symbols.append(Symbol(last, scope, kind, url))
        for member in compound.findall("member"):
            if member.get("kind") not in _KINDS or (kind == "file" and member.get("kind") != "define"):
                continue
            at = f"{_page(member.findtext('anchorfile'))}#{member.findtext('anchor')}"
            symbols.append(Symbol(member.findtext("name"), name if kind in _SCOPES else "", member.get("kind"), at))
    return Reference(symbols, headers)


def _page(filename):
    return filename if filename.endswith(".html") else filename + ".html"
