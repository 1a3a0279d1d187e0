"""What a Makefile says about folders and macros, by text: enough for the corpus, no more."""
import functools
import re

ASSIGNMENT = re.compile(r"^\s*(\w+)\s*[:?+]?=\s*(.*)$")
USE = re.compile(r"\$[({](\w+)[)}]")
CONDITION = re.compile(r"^\s*(ifeq|ifneq|ifdef|ifndef|else|endif)\b\s*(.*)$")


def nearest(folder, root):
    """The Makefile of a folder or of the closest one around it."""
    while folder != root and root in folder.parents:
        if (folder / "Makefile").is_file():
            return folder / "Makefile"
        folder = folder.parent
    return None


def expand(text, values):
    """The text with variables in their places; those nobody sets stay."""
    for _ in range(4):
        text = USE.sub(lambda use: values.get(use.group(1), use.group()), text)
    return text


def holds(word, rest, values):
    """Whether the condition does, every variable nobody sets being empty."""
    if word in ("ifdef", "ifndef"):
        return (rest.strip() in values) == (word == "ifdef")
    sides = [side.strip(" \t\"'") for side in USE.sub("", expand(rest, values)).strip("() ")
             .split(",")]
    return (len(sides) == 2 and sides[0] == sides[1]) == (word == "ifeq")


def lines_of(path, values):
    """The lines that hold without any option; assignments go to `values`."""
    taken = []  # of the conditions around
    for line in path.read_text(errors="replace").replace("\\\n", " ").splitlines():
        condition = CONDITION.match(line)
        if condition and condition.group(1) == "endif":
            del taken[-1:]
        elif condition and condition.group(1) == "else":
            taken[-1:] = [not taken[-1] if taken else True]
        elif condition:
            taken.append(holds(*condition.groups(), values))
        elif all(taken) and not line.lstrip().startswith("#"):
            assignment = ASSIGNMENT.match(line)
            if assignment:
                values.setdefault(assignment.group(1), assignment.group(2).strip())
            yield line


@functools.lru_cache(maxsize=None)
def flags(path):
    """Its -I with the folders that are there, and its -D, as they hold without any option."""
    values, result = {}, []
    found = [word for line in lines_of(path, values)
             for word in re.findall(r"(?:(?<=[\s=])|^)-([ID])\s*([^\s\"']+)", line)]
    for kind, word in found:
        word = expand(word, values)
        if kind == "D" and "$" not in word:
            result.append("-D" + word)
        elif kind == "I" and "$" not in word and (path.parent / word).is_dir():
            result.append(f"-I{path.parent / word}")
    return list(dict.fromkeys(result))
