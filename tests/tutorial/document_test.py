#!/usr/bin/env python3
"""Tests of document.py."""

import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import document

TUTORIAL = """# Title

`BUILD`. Of one rule:

```python
a(
    name = "a",

    srcs = [],
)
```

`main.cc`:

```cpp
int main() {}
```

Some words

and `BUILD`, which is not their beginning.

```sh
make it &

make END <<END
# it is text
END
```

`BUILD`, at its end:

```
b()
```

`make` is a command.

```sh
look 'at it'     # web   Running
```
"""


class DocumentTest(unittest.TestCase):
    def test_files(self):
        build = 'a(\n    name = "a",\n\n    srcs = [],\n)\n\nb()\n'
        self.assertEqual(document.read(TUTORIAL).files, {"BUILD": build, "main.cc": "int main() {}\n"})

    def test_commands(self):
        self.assertEqual(
            document.read(TUTORIAL).commands,
            "make it &\n\nmake END <<END\n# it is text\nEND\nlook 'at it'     # web   Running\n",
        )

    def test_a_block_without_a_file(self):
        for name, before in {
            "nothing": "",
            "a name in the middle": "See `main.cc`:\n\n",
            "another block's name": "`main.cc`:\n\n```\nx\n```\n\n",
            "a piece of code": "`main.cc()`:\n\n",
        }.items():
            with self.subTest(name):
                line = before.count("\n") + 1
                with self.assertRaisesRegex(ValueError, f"line {line}: "):
                    document.read(before + "```cpp\nint x;\n```\n")

    def test_awaiting(self):
        for command, want in {
            "look 'at it'     # web   Running": "await 'web Running' look 'at it'",
            "look | sort # a": "await 'a' look | sort",
            "make it &": "make it &",
            "# it is text": "# it is text",
            "echo a#b": "echo a#b",
            "": "",
        }.items():
            with self.subTest(command):
                self.assertEqual(document.awaiting(f"first\n{command}\nlast"), f"first\n{want}\nlast")

    def test_main(self):
        with tempfile.TemporaryDirectory() as folder:
            tutorial, out = os.path.join(folder, "t.md"), os.path.join(folder, "main.cc")
            with open(tutorial, "w", encoding="utf-8") as file:
                file.write(TUTORIAL)
            document.main(tutorial, out)
            with open(out, encoding="utf-8") as file:
                self.assertEqual(file.read(), "int main() {}\n")
            with self.assertRaises(KeyError):
                document.main(tutorial, os.path.join(folder, "other.cc"))


if __name__ == "__main__":
    unittest.main()
