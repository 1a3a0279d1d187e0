"""Barrier operations by text search: the yardstick that barlint's own list is held against."""
import bisect
import re

# What is a barrier operation wherever it stands in code.
CALL = re.compile(r"""
    \b(?:__syncthreads(?:_count|_and|_or)?|__syncwarp|__barrier_sync(?:_count)?
       |__mbarrier_\w+|__pipeline_(?:commit|wait_prior|arrive_on|memcpy_async)
       |__cluster_barrier_\w+)\s*\(
    |(?:\.|->)\s*(?:template\s+)?(?:arrive|wait|arrive_and_wait|arrive_and_drop|wait_parity
       |try_wait\w*|test_wait\w*|sync|barrier_arrive|barrier_wait|arrive_and_expect_tx
       |producer_acquire|producer_commit|consumer_wait|consumer_release|expect_tx)\s*\(
    |\b(?:cg|cooperative_groups)::(?:sync|wait|wait_prior|memcpy_async)\s*\(
    |\bcuda::(?:device::)?(?:memcpy_async\w*|barrier_\w+_tx)\s*\(
    |\bptx::(?:mbarrier_\w+|cp_async_\w+|barrier_cluster_\w+)\s*\(
    |\bcde::(?:cp_async_bulk_\w+)\s*\(
    """, re.VERBOSE)
INSTRUCTION = re.compile(r"""
    (?<![\w.])(?:bar\.(?:sync|arrive|red|warp\.sync|cta\.\w+)|barrier\.(?:cta\.)?(?:sync|arrive|red)
      |barrier\.cluster\.\w+|mbarrier\.(?!init_)\w+|cp\.async\.mbarrier|cp\.async\.wait_\w+
      |cp\.async\.commit_group|cp\.async\.bulk|cp\.reduce\.async\.bulk)
    """, re.VERBOSE)
TOKEN = re.compile(r"""
    //[^\n]*(?:\\\n[^\n]*)* | /\*.*?(?:\*/|\Z)
    | R"(?P<tag>[^()\s\\]{0,16})\(.*?(?:\)(?P=tag)"|\Z)
    | "(?:\\.|[^"\\\n])*(?:"|$) | (?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'
    """, re.VERBOSE | re.DOTALL | re.MULTILINE)
DEFINE = re.compile(r"^[ \t]*\#[ \t]*define[ \t]+(\w+)((?:[^\n\\]|\\\n|\\.)*)", re.MULTILINE)
DIRECTIVE = re.compile(r"^[ \t]*\#(?:[^\n\\]|\\\n|\\.)*", re.MULTILINE)


class Source:
    """One file: its code without comments and strings, and the sites in it."""

    def __init__(self, text):
        self.starts = [0] + [match.end() for match in re.finditer("\n", text)]
        self.strings = []
        self.code = TOKEN.sub(self._blank, text)
        self.is_system_header = re.search(r"#\s*pragma\s+(?:GCC|clang)\s+system_header",
                                          self.code) is not None
        self.macros = [(*match.span(), match.group(1)) for match in DEFINE.finditer(self.code)]
        self._directives = [match.span() for match in DIRECTIVE.finditer(self.code)]
        self._used = None  # word -> lines
        self.sites = self._find_sites()

    def _blank(self, match):
        piece = match.group()
        if piece[0] in '"R':
            self.strings.append((match.start(), piece))
        # Lines stay where they are.
        return re.sub(r"[^\n]", " ", piece)

    def line(self, offset):
        return bisect.bisect_right(self.starts, offset)

    def _in_asm(self, offset):
        begin = max(self.code.rfind(mark, 0, offset) for mark in ";{}")
        return re.search(r"\b(?:asm|__asm__|__asm)\b", self.code[begin + 1:offset]) is not None

    def _find_sites(self):
        """Offset -> what stands there."""
        sites = {match.start(): match.group().strip(" \n\t(.->") for match in
                 CALL.finditer(self.code)}
        for start, piece in self.strings:
            macro = self.macro_at(start)
            if macro or self._in_asm(start):
                for match in INSTRUCTION.finditer(piece):
                    sites[start + match.start()] = match.group()
        return sites

    def macro_at(self, offset):
        """The name of the macro whose definition the offset is in."""
        at = bisect.bisect_right(self.macros, (offset, len(self.code) + 1, "")) - 1
        return self.macros[at][2] if at >= 0 and offset < self.macros[at][1] else None

    def site_lines(self):
        """(line, what, name of the macro it is the body of) of every site."""
        return sorted({(self.line(offset), what, self.macro_at(offset) or "")
                       for offset, what in self.sites.items()})

    def uses(self, name):
        """Lines outside directives where a macro is used."""
        if self._used is None:
            self._used = {}
            for match in re.finditer(r"\b[A-Za-z_]\w*", self.code):
                at = bisect.bisect_right(self._directives, (match.start(), len(self.code) + 1)) - 1
                if at < 0 or match.start() >= self._directives[at][1]:
                    self._used.setdefault(match.group(), set()).add(self.line(match.start()))
        return self._used.get(name, ())

    def in_target_macro(self, line):
        """Whether the line stands within an `NV_IF_TARGET(...)` or one of its like."""
        end = self.starts[line - 1]
        for match in re.finditer(r"\bNV_(?:IF|DISPATCH)\w*_TARGET\s*\(", self.code[:end]):
            inside = self.code[match.end():end]
            depth = 1
            for char in inside:
                depth += (char == "(") - (char == ")")
                if depth == 0:
                    break
            else:
                return True
        return False

    def is_discardable(self, line, first_line):
        """Whether the line stands under an `if constexpr` of the function that begins there."""
        begin = self.starts[min(first_line, len(self.starts)) - 1]
        end = self.starts[min(line, len(self.starts)) - 1]
        depth = 0
        at = end
        while at > begin:
            at -= 1
            char = self.code[at]
            if char == "}":
                depth += 1
            elif char == "{":
                if depth == 0 and self._opens_constexpr(begin, at):
                    return True
                depth = max(0, depth - 1)
        # A branch without braces.
        return self._opens_constexpr(begin, end)

    def _opens_constexpr(self, begin, brace):
        """Whether an `if constexpr (...)` or its `else` ends at the offset."""
        end = begin + len(self.code[begin:brace].rstrip())
        if self.code[begin:end].endswith("else"):
            return self._else_of_constexpr(begin, end - 4)
        if not self.code[begin:end].endswith(")"):
            return False
        depth = 0
        for at in range(end - 1, begin - 1, -1):
            depth += (self.code[at] == ")") - (self.code[at] == "(")
            if depth == 0:
                return re.search(r"\bif\s+constexpr\s*$", self.code[begin:at]) is not None
        return False

    def _else_of_constexpr(self, begin, offset):
        head = self.code[begin:offset].rstrip()
        if not head.endswith("}"):
            # A branch of one statement; conditions with braces in them are rare there.
            return re.search(r"\bif\s+constexpr\s*\([^{}]*;\s*$", head) is not None
        depth = 0
        for at in range(len(head) - 1, -1, -1):
            depth += (head[at] == "}") - (head[at] == "{")
            if depth == 0:
                return self._opens_constexpr(begin, begin + at)
        return False


def expand_macros(sources):
    """Macros that lead to sites: name -> True, over any number of macros."""
    leading = set()
    for source in sources.values():
        leading |= {source.macro_at(offset) for offset in source.sites} - {None}
    bodies = {}
    for source in sources.values():
        for begin, end, name in source.macros:
            bodies.setdefault(name, set()).update(re.findall(r"\w+", source.code[begin:end])[2:])
    while True:
        more = {name for name, words in bodies.items() if words & leading} - leading
        if not more:
            return leading
        leading |= more
