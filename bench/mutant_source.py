"""What the operators of mutants work on: the operations in a CUDA source, and edits of it."""
import dataclasses
import re

import tree_sitter
import tree_sitter_cuda

PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_cuda.language()))

INIT, ARRIVE, WAIT, SYNC, WARP, FENCE, COMMIT, EXPECT, NAMED, DROP = (
    "init", "arrive", "wait", "sync", "warp", "fence", "commit", "expect", "named", "drop")


@dataclasses.dataclass
class Vocabulary:
    """What is an operation: functions by the last part of their name, PTX by the instruction."""
    api: list
    ptx: list
    call: object  # (name, text of what is called, arguments) -> kinds, before `api`

    def __post_init__(self):
        self.api, self.ptx = ([(re.compile(pattern), frozenset(kinds.split()))
                               for pattern, kinds in rows] for rows in (self.api, self.ptx))

    def of_call(self, name, called, arguments):
        kinds = self.call(name, called, arguments)
        return kinds or next((kinds for pattern, kinds in self.api if pattern.fullmatch(name)),
                             frozenset())

    def of_asm(self, whole):
        found = frozenset()
        for pattern, kinds in self.ptx:
            if pattern.search(whole) and not kinds & found:
                found |= kinds
        return found


def _barrier_call(name, called, arguments):
    if name == "init" and not re.search(r"\.|->", called) and len(arguments) == 2:
        return frozenset({INIT})
    if name == "sync":
        return frozenset({WARP if "tile" in called or "coalesced" in called else SYNC})
    return frozenset()


BARRIERS = Vocabulary([
    (r"(__)?mbarrier_init", "init"),
    (r"mbarrier_arrive_expect_tx|barrier_arrive_tx", "arrive expect"),
    (r"(__)?mbarrier_arrive_and_drop|arrive_and_drop", "arrive drop"),
    (r"(__)?mbarrier_arrive\w*|arrive|barrier_arrive", "arrive"),
    (r"(__)?mbarrier_(try|test)_wait\w*|wait|wait_parity|barrier_wait|try_wait\w*", "wait"),
    (r"mbarrier_expect_tx|barrier_expect_tx", "expect"),
    (r"__syncthreads(_and|_or|_count)?|arrive_and_wait", "sync"),
    (r"__barrier_sync(_count)?", "sync named"),
    (r"__syncwarp", "warp"),
    (r"fence_\w+|__threadfence\w*", "fence"),
    (r"__pipeline_commit", "commit"),
], [
    (r"mbarrier\.init\.", "init"),
    (r"mbarrier\.arrive\.expect_tx", "arrive expect"),
    (r"mbarrier\.arrive_drop", "arrive drop"),
    (r"mbarrier\.arrive\.", "arrive"),
    (r"mbarrier\.(try|test)_wait", "wait"),
    (r"mbarrier\.expect_tx", "expect"),
    (r"barrier\.cluster\.arrive", "arrive"),
    (r"barrier\.cluster\.wait", "wait"),
    (r"\bbar(rier)?(\.cta)?\.(sync|red)\b", "sync named"),
    (r"\bbar(rier)?(\.cta)?\.arrive\b", "arrive named"),
    (r"\bfence\.|\bmembar\.", "fence"),
    (r"cp\.async\.commit_group", "commit"),
], _barrier_call)
SPACED = re.compile(rb"__(?:cluster_dims|launch_bounds|align|block_size)__\s*\([^()]*\)")
def walk(node):
    yield node
    for child in node.children:
        yield from walk(child)


def ancestors(node):
    while node.parent is not None:
        node = node.parent
        yield node


def text(node):
    return node.text.decode()


def last_name(node):
    """The last part of the name of what is called."""
    names = [part for part in walk(node) if part.type in ("identifier", "field_identifier")
             and not any(above.type in ("template_argument_list", "subscript_argument_list",
                                        "argument_list")
                         for above in ancestors(part)
                         if above.start_byte >= node.start_byte and above.end_byte <= node.end_byte
                         and above != node)]
    return text(names[-1]) if names else ""


@dataclasses.dataclass
class Function:
    name: str
    node: object
    body: object
    kernel: bool
    parameters: list
    kinds: frozenset = frozenset()
    plain: bool = False  # does nothing but its one barrier operation


@dataclasses.dataclass
class Site:
    node: object       # the call or asm
    kinds: frozenset
    function: Function  # that it stands in
    callee: object     # Function, or None
    name: str          # of what is called, "" for asm
    arguments: list
    statement: object


class Source:
    def __init__(self, data, vocabulary=BARRIERS):
        self.data = data
        self.vocabulary = vocabulary
        blank = SPACED.sub(lambda match: b" " * len(match.group()), data)
        self.root = PARSER.parse(blank).root_node
        self.functions = self._functions()
        self._classify()
        self.sites = [site for function in self.functions for site in self._sites(function)]

    def _functions(self):
        found = []
        for node in walk(self.root):
            if node.type != "function_definition" or not node.child_by_field_name("body"):
                continue
            declarator = node.child_by_field_name("declarator")
            while declarator and declarator.type != "function_declarator":
                declarator = declarator.child_by_field_name("declarator") or next(
                    (child for child in declarator.named_children
                     if "declarator" in child.type), None)
            if not declarator:
                continue
            parameters = []
            for parameter in declarator.child_by_field_name("parameters").named_children:
                names = [part for part in walk(parameter) if part.type == "identifier"]
                parameters.append(text(names[-1]) if names else "")
            head = self.data[node.start_byte:node.child_by_field_name("body").start_byte]
            found.append(Function(last_name(declarator.child_by_field_name("declarator")), node,
                                  node.child_by_field_name("body"), b"__global__" in head,
                                  parameters))
        return found

    def _callee(self, name, count):
        same = [f for f in self.functions if f.name == name and not f.kernel]
        return next((f for f in same if len(f.parameters) == count), same[0] if same else None)

    def _operation(self, node):
        """(kinds, callee, name, arguments) of a call or an asm statement."""
        if node.type == "gnu_asm_expression":
            return self.vocabulary.of_asm(text(node)), None, "", []
        if node.type == "new_expression" and self.vocabulary is BARRIERS:
            place = node.child_by_field_name("placement")
            arguments = node.child_by_field_name("arguments")
            if place is None or arguments is None or "barrier" not in text(node):
                return frozenset(), None, "", []
            return frozenset({INIT}), None, "new", arguments.named_children
        if node.type != "call_expression":
            return frozenset(), None, "", []
        function = node.child_by_field_name("function")
        arguments = node.child_by_field_name("arguments")
        if not function or not arguments or function.type == "kernel_call_syntax":
            return frozenset(), None, "", []
        arguments = [child for child in arguments.named_children if child.type != "comment"]
        name = last_name(function)
        callee = self._callee(name, len(arguments))
        if callee:
            return callee.kinds, callee, name, arguments
        kinds = self.vocabulary.of_call(name, text(function), arguments)
        return kinds, None, name, arguments

    def _classify(self):
        for _ in self.functions:
            before = [function.kinds for function in self.functions]
            for function in self.functions:
                function.kinds = frozenset().union(
                    *(self._operation(node)[0] for node in walk(function.body)))
            if before == [function.kinds for function in self.functions]:
                break
        for function in self.functions:
            operations = [node for node in walk(function.body) if self._operation(node)[0]]
            function.plain = not function.kernel and len(operations) <= 1

    def _sites(self, function):
        for node in walk(function.body):
            kinds, callee, name, arguments = self._operation(node)
            if kinds:
                yield Site(node, kinds, function, callee, name, arguments,
                           self._statement(node, kinds))

    @staticmethod
    def _statement(node, kinds):
        """The innermost statement that the operation belongs to as a whole."""
        chain = [node, *ancestors(node)]
        for at, part in enumerate(chain[:-1]):
            above = chain[at + 1]
            if above.type in ("compound_statement", "case_statement") or (
                    part.type.endswith("statement") and above.type in (
                        "if_statement", "else_clause", "for_statement", "while_statement",
                        "do_statement")):
                break
        if kinds == {WAIT}:
            for above in chain[at + 1:]:
                if above.type in ("function_definition", "lambda_expression"):
                    break
                if above.type in ("do_statement", "while_statement", "for_statement"):
                    return above if Source.polls(above) else part
        return part

    @staticmethod
    def polls(loop):
        """Whether the loop is there to wait: no other work is in it."""
        condition = loop.child_by_field_name("condition")
        if loop.type == "do_statement":
            return True
        plain = condition is None or text(condition).strip("()") in ("true", "1", "")
        return plain and any(part.type == "break_statement" for part in walk(loop))



def replace(node, new):
    return [(node.start_byte, node.end_byte, new)]


def take_away(statement):
    return replace(statement, ";")


def twice(statement):
    return replace(statement, f"{{ {text(statement)} {text(statement)} }}")


def worth(source):
    """Sites outside functions that do nothing else: those are changed where they are called."""
    return [site for site in source.sites if not site.function.plain]


def sites_of(source, kind):
    return [site for site in worth(source) if kind in site.kinds]


def edit_in_asm(operator, node, pattern, new):
    """The mutants that write `new(match)` for each match of the pattern in an asm statement."""
    if node.type == "gnu_asm_expression":
        for match in re.finditer(pattern, text(node)):
            at = node.start_byte + match.start()
            yield operator, [(at, at + len(match[0]), new(match))]
