#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps the floors of the house apart (docs/ARCHITECTURE.md) and finds what the style forbids.

    check_floors.py [ROOT]        prints PATH:LINE: rule: sentence for each finding; exit 1 when there is one
    check_floors.py --self-test   plants a violation of each rule in a small tree and must find it

It reads C as text: comments and strings are blanked first, then lines and brace depth are enough. It
is no compiler: what the compiler already refuses (-Wvla, missing prototypes) is not looked for here.
"""
import pathlib
import re
import sys
import tempfile

FLOORS = {
    # floor: (floors it may include beside itself, libraries it may include)
    "cli": ({"load", "serve", "report", "net", "capture", "plan", "soap", "measure", "base"},
            {"uv", "llhttp", "curl", "openssl", "libxml2", "jansson", "libzip", "zlib"}),
    "load": ({"net", "plan", "soap", "measure", "base"}, {"uv"}),
    "serve": ({"soap", "base"}, {"uv", "llhttp"}),
    "report": ({"measure", "base"}, {"jansson"}),
    "net": ({"soap", "measure", "base"}, {"uv", "llhttp", "curl", "openssl"}),
    "capture": ({"soap", "base"}, {"jansson", "libzip", "libxml2"}),
    "plan": ({"soap", "base"}, set()),
    "soap": ({"base"}, {"libxml2", "openssl", "zlib"}),
    "measure": ({"base"}, set()),
    "base": (set(), set()),
}

LIBRARIES = [  # library, pattern of its headers
    ("uv", r"uv\.h|uv/.*"),
    ("llhttp", r"llhttp\.h"),
    ("openssl", r"openssl/.*"),
    ("curl", r"curl/.*"),
    ("libxml2", r"libxml/.*"),
    ("jansson", r"jansson\.h"),
    ("libzip", r"zip\.h"),
    ("zlib", r"zlib\.h"),
]

# Headers that only one family of systems has: theirs is the second implementation of platform.h.
SYSTEM_HEADER = re.compile(
    r"(sys/(?!types|stat|time)\w+|netinet/\w+|arpa/\w+|net/\w+|netdb|poll|pthread|termios|pwd|grp|dlfcn|sched|"
    r"linux/\w+|windows|winsock2?|ws2tcpip|iphlpapi|psapi)\.h", re.IGNORECASE)
SYSTEM_MACRO = re.compile(r"\b(_WIN32|_WIN64|WIN32|__MINGW32__|__linux__|__unix__|__APPLE__|__FreeBSD__)\b")

FORBIDDEN = re.compile(
    r"(?<![\w.>])(strcpy|stpcpy|strcat|v?sprintf|strtok|ato[ifl]|atoll|v?[sf]?scanf|setjmp|longjmp|system|"
    r"gettimeofday|s?rand)(?!\w)")

SOURCES = ("src", "include", "win32", "tests")
SPDX = "SPDX-License-Identifier: Apache-2.0"


def blank(text, keep_strings):
    """The text with comments (and strings, unless kept) turned into blanks; lines and columns stay."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)

    def cover(match):
        piece = match.group()
        if piece[0] in "\"'":
            if keep_strings:
                return piece
            return piece[0] + " " * (len(piece) - 2) + piece[-1]
        return re.sub(r"[^\n]", " ", piece)

    return pattern.sub(cover, text)


def without_preprocessor(code):
    """Blanks directives with their continuation lines."""
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: re.sub(r"[^\n]", " ", m.group()), code, flags=re.MULTILINE)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


class Findings:
    def __init__(self, root):
        self.root = root
        self.list = []

    def add(self, path, line, rule, sentence):
        self.list.append((str(path.relative_to(self.root)), line, rule, sentence))


def place(root, path):
    """(area, floor): ("src", "net") for src/net/x.c, ("include", "net"), ("win32", None), ("tests", None)."""
    parts = path.relative_to(root).parts
    if parts[0] == "src" and len(parts) == 3:
        return "src", parts[1]
    if parts[0] == "include" and len(parts) == 4 and parts[1] == "lather":
        return "include", parts[2]
    return parts[0], None


def is_platform(root, path):
    """The files that may ask which system this is."""
    relative = path.relative_to(root)
    return relative.parts[0] == "win32" or re.fullmatch(r"src/base/\w+_posix\.c", relative.as_posix()) is not None


def check_includes(root, path, text, found):
    area, floor = place(root, path)
    if area in ("src", "include") and floor not in FLOORS:
        found.add(path, 1, "place", "stands on no floor: src/<floor>/name.c or include/lather/<floor>/name.h")
        return
    for match in re.finditer(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', blank(text, True), re.MULTILINE):
        quote, header = match.groups()
        line = line_of(text, match.start())
        if area in ("src", "include"):
            check_one_include(root, path, floor, quote, header, line, found)


def check_one_include(root, path, floor, quote, header, line, found):
    floors, libraries = FLOORS[floor]
    ours = re.fullmatch(r"lather/(\w+)/\w+\.h", header)
    if ours:
        if ours.group(1) != floor and ours.group(1) not in floors:
            found.add(path, line, "direction", f"{floor} may not include {ours.group(1)} ({header})")
        return
    for library, pattern in LIBRARIES:
        if re.fullmatch(pattern, header):
            if library not in libraries:
                found.add(path, line, "library", f"{floor} may not include {header} of {library}")
            return
    if quote == '"':
        found.add(path, line, "path", f'"{header}" does not name its floor as "lather/<floor>/name.h"')
    elif SYSTEM_HEADER.fullmatch(header) and not is_platform(root, path):
        found.add(path, line, "system", f"<{header}> is not on every system: use libuv or platform.h")


def check_system_macros(root, path, text, found):
    if is_platform(root, path) or place(root, path)[0] == "tests":
        return
    for match in SYSTEM_MACRO.finditer(blank(text, False)):
        found.add(path, line_of(text, match.start()), "system", f"{match.group()} belongs behind platform.h")


def check_forbidden(path, text, found):
    for match in FORBIDDEN.finditer(without_preprocessor(blank(text, False))):
        found.add(path, line_of(text, match.start()), "forbidden", f"{match.group(1)} is not used here")


def check_spdx(path, text, found):
    head = "\n".join(text.splitlines()[:2])
    if SPDX not in head:
        found.add(path, 1, "licence", f'no "{SPDX}" in the first two lines')


def check_contract(root, path, found):
    """src/<floor>/name.c has include/lather/<floor>/name.h."""
    area, floor = place(root, path)
    if area != "src" or floor not in FLOORS or path.name == "main.c" or path.suffix != ".c":
        return
    name = "platform" if path.stem.endswith("_posix") else path.stem
    if not (root / "include" / "lather" / floor / f"{name}.h").is_file():
        found.add(path, 1, "contract", f"include/lather/{floor}/{name}.h is missing")


def check_documented(root, path, text, found):
    """Each function of a public header stands under a comment, alone or in an unbroken group of declarations."""
    if place(root, path)[0] != "include":
        return
    code = hide_bodies(without_preprocessor(blank(text, False)))
    lines = text.splitlines()
    for match in re.finditer(r"(?:^|(?<=[;}]))\s*((?:[\w*]+[\s*]+)+?(\w+)\s*\([^;{}]*\)[^;{}]*;)", code):
        declaration, name = match.group(1), match.group(2)
        if re.match(r"typedef\b|return\b", declaration):
            continue
        first = line_of(code, match.start(1))
        if not group_has_comment(lines, first):
            found.add(path, line_of(code, match.start(2)), "documented", f"{name} has no comment above it")


def group_has_comment(lines, first):
    """Looks upward from the 1-based line `first` to the paragraph's top: does a comment open it?"""
    index = first - 1
    while index > 0 and lines[index - 1].strip():
        index -= 1
    return lines[index].lstrip().startswith(("/*", "//"))


def hide_bodies(code):
    """Brace bodies (structs, enums, functions) emptied, so that only file scope is left."""
    out, depth = [], 0
    for char in code:
        if char == "}":
            depth -= 1
        out.append(char if depth == 0 or char == "\n" else " ")
        if char == "{":
            depth += 1
    return "".join(out)


def check_state(root, path, text, found):
    """No variable at file scope and no static local that can change; `mutable: why` in a comment excuses one."""
    area, _ = place(root, path)
    if area not in ("src", "include"):
        return
    code = without_preprocessor(blank(text, False))
    scope = hide_bodies(code)
    start = 0
    for match in re.finditer(r";|\)\s*\{\s*\}", scope):
        piece = scope[start:match.end()]
        if match.group() == ";" and is_mutable_variable(piece):
            report_state(path, text, start + len(piece) - len(piece.lstrip()), found)
        start = match.end()
    for match in re.finditer(r"^[ \t]+static\b[^;{]*[;{]", code, re.MULTILINE):
        if is_mutable_variable(match.group().replace("{", "= ;")):
            report_state(path, text, match.start(), found)


def is_mutable_variable(piece):
    declaration = re.sub(r"\{\s*\}", "{}", piece).strip().rstrip(";").strip()
    declaration = declaration.split("=", 1)[0].strip()
    declaration = re.sub(r"__attribute__\s*\(\(.*?\)\)|_Static_assert\s*\(.*", "", declaration, flags=re.DOTALL).strip()
    if not declaration or re.match(r"(__extension__\s+)?(typedef|extern)\b", declaration):
        return False
    if re.search(r"\(\s*\*", declaration):  # a function pointer; a function taking one has a name before the first (
        if re.match(r"[^(]*\w\s*\(", declaration) and not re.match(r"[^(]*?[\w\s*]*\(\s*\*", declaration):
            return False
        return not re.search(r"\(\s*\*\s*const\b", declaration)
    if "(" in declaration:
        return False
    if re.fullmatch(r"(struct|union|enum)(\s+\w+)?\s*(\{\})?", declaration):
        return False
    if "*" in declaration:
        return not re.search(r"\*\s*(restrict\s+)?const\b[^*]*$", declaration)
    return not re.search(r"\bconst\b", declaration)


def report_state(path, text, offset, found):
    line = line_of(text, offset)
    around = text.splitlines()[max(0, line - 2):line]
    if not any("mutable: " in each for each in around):
        found.add(path, line, "state", "a variable outside any struct that can change")


def rooms_of(text):
    """{floor: [(name, line)]} of the section "The rooms": what stands in backticks in the second column of its tables."""
    rooms, floor = {}, None
    is_inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("## "):
            is_inside = line == "## The rooms"
        elif is_inside and line.startswith("### "):
            floor = rooms.setdefault(line.removeprefix("### ").strip("`"), [])
        elif is_inside and floor is not None and line.startswith("| "):
            floor += [(name, number) for name in re.findall(r"`(\w+)`", line.split("|")[2])]
    return rooms


def check_rooms(root, found):
    """Each file of src/ stands once in its floor's list in docs/ARCHITECTURE.md."""
    page = root / "docs" / "ARCHITECTURE.md"
    if not page.is_file():
        return
    rooms = rooms_of(page.read_text(encoding="utf-8"))
    for floor in FLOORS:
        listed = rooms.get(floor, [])
        names = [name for name, _ in listed]
        for path in sorted((root / "src" / floor).glob("*.c")):
            if names.count(path.stem) != 1:
                found.add(path, 1, "rooms", f"stands {names.count(path.stem)} times in docs/ARCHITECTURE.md, The rooms, {floor}")
        for name, line in listed:
            if not (root / "src" / floor / f"{name}.c").is_file():
                found.add(page, line, "rooms", f"src/{floor}/{name}.c is not there")


def check_tree(root):
    root = pathlib.Path(root).resolve()
    found = Findings(root)
    check_rooms(root, found)
    for folder in SOURCES:
        for path in sorted((root / folder).rglob("*")):
            if not path.is_file() or path.suffix not in (".c", ".h", ".py", ".sh", ".cs"):
                continue
            text = path.read_text(encoding="utf-8")
            check_spdx(path, text, found)
            if path.suffix in (".c", ".h"):
                check_includes(root, path, text, found)
                check_system_macros(root, path, text, found)
                check_forbidden(path, text, found)
                check_contract(root, path, found)
                check_documented(root, path, text, found)
                check_state(root, path, text, found)
    return found.list


# ---- self-test: a clean tree, then one planted violation at a time

LICENCE = f"/* {SPDX} */\n"
CLEAN = {
    "src/cli/main.c": LICENCE + '#include "lather/load/run.h"\nint main(void)\n{\n    return 0;\n}\n',
    "src/base/str.c": LICENCE + """#include "lather/base/str.h"
#include <string.h>
/* strcpy and rand are only named in this comment; _WIN32 too */
struct pair { int a; int b; };
enum { LIMIT = 3 };
__extension__ typedef unsigned __int128 wide;
static const char *const names[] = {"system", "atoi(\\"x\\")"};
static const struct pair pairs[2] = {{1, 2}, {3, 4}};
static int (*const table[])(void) = {0};
static void visit(void (*each)(int), int n);
struct err;
static int helper(const char *text)
{
    static const int steps[] = {1, 2};
    int rand_count = steps[0];
    return rand_count + (int)strlen(text) + record.system + record->rand;
}
""",
    "include/lather/base/str.h": LICENCE + """#ifndef LATHER_BASE_STR_H
#define LATHER_BASE_STR_H
/* Plain text. */
struct str {
    const char *at;
    int (*compare)(int, int);
};
/* Two of a kind. */
int str_one(const char *a,
            int b);
int str_two(void);

/* Inline, with a body. */
static inline int str_three(void)
{
    return str_two();
}
#endif
""",
    "src/base/platform_posix.c": LICENCE + "#include <sys/socket.h>\n#ifdef __linux__\n#endif\n",
    "include/lather/base/platform.h": LICENCE,
    "include/lather/load/run.h": LICENCE + '#include "lather/base/str.h"\n',
    "src/net/tls.c": LICENCE + '#include "lather/net/tls.h"\n#include <openssl/ssl.h>\n#include <uv.h>\n',
    "include/lather/net/tls.h": LICENCE,
    "win32/platform.c": LICENCE + "#include <windows.h>\n#ifdef _WIN32\n#endif\n",
    "tests/run.py": "#!/usr/bin/env python3\n# " + SPDX + "\n",
}

PLANTED = [  # rule, file, what is put at its end
    ("direction", "src/base/str.c", '#include "lather/soap/judge.h"\n'),
    ("direction", "src/net/tls.c", '#include "lather/plan/plan.h"\n'),
    ("direction", "include/lather/net/tls.h", '#  include "lather/load/run.h"\n'),
    ("library", "src/base/str.c", "#include <uv.h>\n"),
    ("library", "src/net/tls.c", "#include <libxml/parser.h>\n"),
    ("library", "include/lather/load/run.h", "#include <jansson.h>\n"),
    ("library", "src/base/str.c", "#include <zlib.h>\n"),
    ("path", "src/net/tls.c", '#include "tls_private.h"\n'),
    ("path", "src/net/tls.c", '#include "../base/str.h"\n'),
    ("place", "src/attic/old.c", LICENCE),
    ("place", "include/lather/loose.h", LICENCE),
    ("system", "src/net/tls.c", "#include <sys/epoll.h>\n"),
    ("system", "src/base/str.c", "#ifdef _WIN32\n#endif\n"),
    ("system", "include/lather/net/tls.h", "#if defined(__linux__)\n#endif\n"),
    ("contract", "src/net/dns.c", LICENCE),
    ("documented", "include/lather/net/tls.h", "\nint tls_undocumented(int a);\n"),
    ("documented", "include/lather/net/tls.h", "/* One. */\nint tls_a(void);\n\nint tls_b(void);\n"),
    ("documented", "include/lather/net/tls.h", "/* far away */\n\nstruct tls *\ntls_new(void) MUST_USE;\n"),
    ("documented", "include/lather/net/tls.h", "/* of the struct */\nstruct x {\n    int a;\n};\n\nvoid tls_x(struct x *x);\n"),
    ("licence", "src/net/tls.c", None),
    ("licence", "tests/run.py", None),
    ("state", "src/net/tls.c", "int counter;\n"),
    ("state", "src/net/tls.c", "static struct pair pair = {1, 2};\n"),
    ("state", "src/net/tls.c", 'static const char *names[] = {"a"};\n'),
    ("state", "src/net/tls.c", "static void (*handler)(int) = 0;\n"),
    ("state", "src/net/tls.c", "static _Thread_local int depth;\n"),
    ("state", "src/net/tls.c", "int f(void)\n{\n    static int calls;\n    return calls++;\n}\n"),
    ("state", "src/net/tls.c", "int f(void)\n{\n    return 0;\n}\nstatic char page[4096];\n"),
] + [
    ("forbidden", "src/net/tls.c", f"int f(void)\n{{\n    {word}(x);\n}}\n")
    for word in ("strcpy", "strcat", "sprintf", "vsprintf", "strtok", "atoi", "atol", "scanf", "sscanf", "fscanf",
                 "setjmp", "longjmp", "system", "gettimeofday", "rand", "srand")
]


ROOMS = """# Architecture
## The rooms
### `cli`
| about | rooms |
| the `str`ing | `main` |
### `base`
| text | `str` |
| the system | `platform_posix` |
### `net`
| TLS | `tls` |
## More
| no list | `attic` |
"""
PLANTED_ROOMS = [  # where the finding is, the page
    ("src/base/str.c", ROOMS.replace("`str` |", "|")),
    ("src/net/tls.c", ROOMS.replace("`tls`", "`tls` `tls`")),
    ("docs/ARCHITECTURE.md", ROOMS.replace("`tls`", "`tls` `gone`")),
]


def write_tree(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def self_test():
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        write_tree(pathlib.Path(folder), CLEAN)
        failures += [f"clean tree: {finding}" for finding in check_tree(folder)]
    for rule, name, addition in PLANTED:
        with tempfile.TemporaryDirectory() as folder:
            files = dict(CLEAN)
            files[name] = "\n" if addition is None else files.get(name, "") + addition
            write_tree(pathlib.Path(folder), files)
            got = [(found_rule, path) for path, _, found_rule, _ in check_tree(folder)]
            if got != [(rule, name)]:
                failures.append(f"planted {rule} in {name} {addition!r}: found {got}")
    for name, page in [(None, ROOMS), *PLANTED_ROOMS]:
        with tempfile.TemporaryDirectory() as folder:
            write_tree(pathlib.Path(folder), {**CLEAN, "docs/ARCHITECTURE.md": page})
            got = [(path, rule) for path, _, rule, _ in check_tree(folder)]
            if got != ([(name, "rooms")] if name else []):
                failures.append(f"rooms, planted {name}: found {got}")
    excused = "/* mutable: set once before any thread starts */\nstatic int excused;\n"
    with tempfile.TemporaryDirectory() as folder:
        write_tree(pathlib.Path(folder), {**CLEAN, "src/net/tls.c": CLEAN["src/net/tls.c"] + excused})
        failures += [f"excused state: {finding}" for finding in check_tree(folder)]
    for failure in failures:
        print(failure)
    print(f"{len(PLANTED) + len(PLANTED_ROOMS)} violations planted, {len(failures)} failures")
    return 1 if failures else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if len(arguments) > 1:
        print(__doc__)
        return 2
    root = arguments[0] if arguments else pathlib.Path(__file__).resolve().parents[2]
    findings = check_tree(root)
    for path, line, rule, sentence in findings:
        print(f"{path}:{line}: {rule}: {sentence}")
    if not findings:
        print("floors: nothing found")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
