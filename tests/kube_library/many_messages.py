#!/usr/bin/env python3
"""Prints an IDL of 250 messages and 1,250 fields, shaped as those of the core group."""

import random

MESSAGES = 250
FIELDS = 5
LEAVES = ["string", "string", "bool", "int32", "int64", "optional string", "optional int32", "optional bool", "kube.Quantity"]
LISTS = ["repeated string", "map<string, string>", "map<string, kube.Quantity>"]


def field_type(chance, message):
    other = f"Message{chance.randrange(MESSAGES)}"
    holders = [f"optional {other}", f"optional {other}", f"repeated {other}", f"map<string, {other}>"]
    # By value only what comes before it: no message contains itself. Rarely, or sizes explode.
    values = [f"Message{chance.randrange(message // 2)}"] if message > 1 and chance.random() < 0.3 else []
    return chance.choice(LEAVES + LISTS + holders + values)


def main():
    chance = random.Random(1)
    print('syntax = "proto3";\n\npackage kube.tests.many.v1;\n')
    for path in ("kube/options.proto", "kube/types.proto", "tests/kube_library/base/base.proto"):
        print(f'import "{path}";')
    print('\noption (kube.group_version) = {version: "v1"};')
    for message in range(MESSAGES):
        print(f"\n// The purpose of message {message}.\nmessage Message{message} {{")
        if message % 10 == 0:
            print("  option (kube.kind) = {};\n\n  kube.tests.base.v1.ObjectMeta metadata = 1;")
        for field in range(2, FIELDS + 2):
            print(f"  // What it says.\n  {field_type(chance, message)} some_field_{field} = {field};")
        print("}")


if __name__ == "__main__":
    main()
