"""What kubectl prints, without that which no two servers have in common."""

import re

_RULES = [
    # What explain says about built-in kinds: their descriptions are this library's own words.
    (
        r"\A((?:GROUP: +(?:[a-z]+|[a-z.]+\.k8s\.io)\n)?KIND: +\w+\nVERSION: +\S+\n(?:.*\n)*?DESCRIPTION:\n)(?: .*\n|\n)*",
        r"\1    TEXT\n",
    ),
    # The files that diff compares.
    (r"\S*/(LIVE|MERGED)-\d+/", r"\1/"),
    (r"\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ [+-]\d{4}", "TIME"),
    # What kubectl logs.
    (r"^([IWE])\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ (\w+\.go:\d+\])", r"\1 \2"),
    # Of object metadata.
    (r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UID"),
    (r'(resourceVersion"?: ?)"[0-9]+"', r'\1"VERSION"'),
    (r"(Resource Version: +)[0-9]+", r"\1VERSION"),
    # Times: RFC 3339, as describe has them, and since when.
    (r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", "TIME"),
    (r"\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4} UTC", "TIME"),
    (r"\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}", "TIME"),
    (r"(?<![\w:.-])(\d+[dhms]){1,2}(?![\w:.-])", "AGE"),
    # What a server gives a service.
    (r"\b10\.0\.\d+\.\d+\b", "ADDRESS"),
    (r"\b3[0-2]\d{3}\b", "PORT"),
    (r"https://127\.0\.0\.1:\d+", "SERVER"),
    # A real server looks at addresses a while after its start, and may find that those of the first services are younger.
    (r"^  Warning +ClusterIPNotAllocated .*\n", ""),
    (r"^Events:\n  Type +Reason +Age +From +Message\n[ -]+\n(?!  )", "Events:  <none>\n"),
    # Columns are as wide as what stands in them.
    (r"(?<=\S)[ \t]{2,}(?=\S)", "  "),
    (r"[ \t]+$", ""),
]
_COMPILED = [(re.compile(pattern, re.MULTILINE), text) for pattern, text in _RULES]


def normal_form(text):
    for pattern, replacement in _COMPILED:
        text = pattern.sub(replacement, text)
    return text
