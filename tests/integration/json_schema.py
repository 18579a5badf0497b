# SPDX-License-Identifier: Apache-2.0
"""As much of JSON Schema (2020-12) as docs/result.schema.json uses; a word it does not know is an error.

check(schema, value) gives a sentence for each place where the value does not fit. With strict=True members that the
schema does not name are told, too: readers ignore them, but what lather writes is to be documented.
"""

import re

KNOWN = {"$schema", "$defs", "title", "description", "$ref", "type", "enum", "const", "properties", "required",
         "additionalProperties", "propertyNames", "items", "minItems", "maxItems", "pattern", "minimum", "maximum",
         "anyOf"}


def is_of(kind, value):
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, {"object": dict, "array": list, "string": str, "boolean": bool}[kind])


def check(schema, value, strict=False):
    found = []
    visit(schema, schema, value, "$", strict, found)
    return found


def visit(root, schema, value, place, strict, found):
    unknown = set(schema) - KNOWN
    if unknown:
        raise ValueError(f"{place}: this validator does not know {sorted(unknown)}")
    if "$ref" in schema:
        target = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        visit(root, target, value, place, strict, found)
    if "anyOf" in schema and all(check_one(root, one, value) for one in schema["anyOf"]):
        found.append(f"{place}: {value!r:.60} fits none of its forms")
    if "type" in schema and not is_of(schema["type"], value):
        found.append(f"{place}: {value!r:.60} is no {schema['type']}")
        return
    if "enum" in schema and value not in schema["enum"] or "const" in schema and value != schema["const"]:
        found.append(f"{place}: {value!r:.60} is none of its values")
    if isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
        found.append(f"{place}: {value!r:.60} does not match {schema['pattern']}")
    if is_of("number", value) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        found.append(f"{place}: {value} is out of its range")
    if isinstance(value, list):
        visit_list(root, schema, value, place, strict, found)
    if isinstance(value, dict):
        visit_object(root, schema, value, place, strict, found)


def check_one(root, schema, value):
    found = []
    visit(root, schema, value, "", False, found)
    return found


def visit_list(root, schema, value, place, strict, found):
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        found.append(f"{place}: {len(value)} members")
    for number, member in enumerate(value if "items" in schema else ()):
        visit(root, schema["items"], member, f"{place}[{number}]", strict, found)


def visit_object(root, schema, value, place, strict, found):
    if not {"properties", "additionalProperties", "propertyNames"} & set(schema):
        return
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            found.append(f"{place}: {name} is missing")
    for name, member in value.items():
        if "propertyNames" in schema:
            visit(root, schema["propertyNames"], name, f"{place}.{name}", strict, found)
        if name in properties:
            visit(root, properties[name], member, f"{place}.{name}", strict, found)
        elif isinstance(schema.get("additionalProperties"), dict):
            visit(root, schema["additionalProperties"], member, f"{place}.{name}", strict, found)
        elif schema.get("additionalProperties") is False or strict:
            found.append(f"{place}: {name} is not named in the schema")
