#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Adds to docs/result.schema.json the members of the golden results that it does not name yet.

    add_to_schema.py [ROOT]    with the words of docs/JSON.md; look at what git says has changed

Plain members only, and none is required: results of older versions do not have them.
"""
import json
import pathlib
import re
import sys


def kind_of(value):
    if isinstance(value, bool):
        return {"type": "boolean"}
    if isinstance(value, int):
        return {"$ref": "#/$defs/count"}
    return {"type": "number"} if isinstance(value, float) else {"type": "string"}


def words(page):
    return {name: re.sub(r"\[([^\]]*)\]\([^)]*\)|`", r"\1", text)
            for name, text in re.findall(r"^\|\s*`([^`]+)`\s*\|\s*(.*?)\s*\|$", page, re.M)}


def add(root, schema, value, texts):
    while "$ref" in schema:
        target = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        schema = target
    if isinstance(value, list) and "items" in schema:
        for member in value[:1]:
            add(root, schema["items"], member, texts)
    if not isinstance(value, dict) or "properties" not in schema:
        return
    for name, member in value.items():
        if name in schema["properties"]:
            add(root, schema["properties"][name], member, texts)
        elif not isinstance(member, (dict, list)):
            schema["properties"][name] = {**kind_of(member), "description": texts.get(name, "")}
            print(f"added {name}")
        else:
            print(f"{name} is no plain member: write it by hand")


def main(arguments):
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parents[2])
    path = root / "docs/result.schema.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    texts = words((root / "docs/JSON.md").read_text(encoding="utf-8"))
    for golden in sorted((root / "tests/unit/report/golden").glob("*.json")):
        add(schema, schema, json.loads(golden.read_text(encoding="utf-8")), texts)
    path.write_text(json.dumps(schema, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
