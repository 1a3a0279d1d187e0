"""Mutants of CUDA sources: mechanical changes that make a mistake with a barrier."""
import dataclasses
import re

import tree_sitter
import tree_sitter_cuda

PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_cuda.language()))

INIT, ARRIVE, WAIT, SYNC, WARP, FENCE, COMMIT, EXPECT, NAMED, DROP = (
    "init", "arrive", "wait", "sync", "warp", "fence", "commit", "expect", "named", "drop")

# What the functions of CUDA do, by the last part of their name.
API = [(re.compile(pattern), frozenset(kinds.split())) for pattern, kinds in (
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
)]
PTX = [(re.compile(pattern), frozenset(kinds.split())) for pattern, kinds in (
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
)]
SPACED = re.compile(rb"__(?:cluster_dims|launch_bounds|align|block_size)__\s*\([^()]*\)")
# Within a warp and by warp, so that the threads of a role differ, whichever warp they are in.
HALF_WARP, ODD_WARPS = "threadIdx.x % 32 < 16", "threadIdx.x / 32 % 2 == 1"
THREAD_CONDITION = re.compile(rb"threadIdx|rank|lane|warp|elect|leader|first|thread")


@dataclasses.dataclass
class Operator:
    what: str
    expected: set


def _expect(words):
    return {word.replace("_", "-") for word in words.split()}


PROTOCOL = ("init_count_mismatch arrive_divergent arrive_over arrive_granularity "
            "arrive_loop_mismatch phase_parity_lag phase_token_invalid phase_self_deadlock "
            "exit_missing_drop named_participants named_double_arrive named_exit phase_unobserved "
            "phase_stale_token init_missing init_no_sync phase_parity_flip ")
COUNT = "init_count_mismatch arrive_over init_count_range arrive_granularity phase_parity_lag "
EXIT = ("exit_missing_drop named_exit exit_before_sync sync_divergent named_divergent "
        "init_count_mismatch ")
OPERATORS = {
    "init-remove": Operator("an initialisation is taken away", _expect("init_missing")),
    "init-sync-remove": Operator("the barrier between initialisation and use is taken away",
                                 _expect("init_no_sync init_missing init_cluster_fence")),
    "init-by-all": Operator("the condition around an initialisation becomes true",
                            _expect("init_by_many init_reinit_live")),
    "count-plus": Operator("a count is one warp (one, where it is small) too large",
                           _expect(COUNT + "arrive_divergent arrive_loop_mismatch")),
    "count-minus": Operator("a count is one warp (one, where it is small) too small",
                            _expect(COUNT)),
    "count-warps": Operator("a count is in warps instead of threads", _expect(COUNT)),
    "arrive-remove": Operator("an arrival is taken away", _expect(PROTOCOL)),
    "arrive-duplicate": Operator("an arrival is made twice", _expect(PROTOCOL)),
    "drop-to-arrive": Operator("a drop becomes an arrival", _expect(PROTOCOL)),
    "sync-remove": Operator("a barrier is taken away",
                            _expect(PROTOCOL + "sync_divergent sync_two_sites")),
    "guard-low": Operator("`if (threadIdx.x < 16)` in front of a barrier operation",
                          _expect(PROTOCOL + "sync_divergent named_divergent")),
    "guard-nonzero": Operator("`if (threadIdx.x % 32 != 0)` in front of a barrier operation",
                              _expect(PROTOCOL + "sync_divergent named_divergent")),
    "branch-arm": Operator("a barrier operation moves into the `if` beside it",
                           _expect(PROTOCOL + "sync_divergent named_divergent "
                                              "sync_divergent_loop")),
    "exit-return": Operator("`if (threadIdx.x % 32 < 16) return;` before a barrier operation",
                            _expect(EXIT)),
    "exit-warp": Operator("`if (threadIdx.x / 32 % 2 == 1) return;` before a barrier operation",
                          _expect(EXIT)),
    "exit-continue": Operator("`if (threadIdx.x % 32 < 16) continue;` before a barrier operation",
                              _expect(PROTOCOL + "sync_divergent named_divergent "
                                                 "sync_divergent_loop")),
    "parity-flip-remove": Operator("a parity stays the same",
                                   _expect("phase_parity_flip phase_parity_lag arrive_over")),
    "parity-initial": Operator("a parity starts with the other value",
                               _expect("phase_parity_initial phase_parity_flip phase_parity_lag "
                                       "arrive_over")),
    "parity-per-stage": Operator("a parity flips at each stage instead of at each wrap",
                                 _expect("phase_parity_flip phase_parity_lag arrive_over")),
    "token-older": Operator("a wait uses the token of an earlier arrival",
                            _expect("phase_stale_token phase_token_invalid")),
    "trywait-single": Operator("a loop around a test of the phase becomes a single test",
                               _expect("phase_trywait_ignored phase_unobserved arrive_over")),
    "named-id": Operator("another id of a named barrier", _expect(
        "named_participants named_count_mismatch named_id_conflict named_id_range "
        "named_double_arrive named_order_cycle")),
    "named-count-plus": Operator("a count of a named barrier is one warp too large",
                                 _expect("named_participants named_count_mismatch "
                                         "named_count_block")),
    "named-count-minus": Operator("a count of a named barrier is one warp too small",
                                  _expect("named_participants named_count_mismatch "
                                          "named_count_block named_double_arrive")),
    "bytes-plus": Operator("16 bytes too many are expected", _expect("tx_bytes")),
    "bytes-half": Operator("half of the bytes are expected", _expect("tx_bytes")),
    "commit-remove": Operator("a commit is taken away", _expect("pipe_unbalanced")),
    "fence-remove": Operator("a fence is taken away",
                             _expect("init_cluster_fence phase_order tx_proxy_fence")),
}


@dataclasses.dataclass
class Mutant:
    operator: str
    text: bytes
    line: str    # the line of the original the change begins in
    number: int  # of that line, from 1
    change: str  # the text that was replaced and what it became
    key: tuple = ()
    rules: list = None
    outcome: str = ""
    pedantic: bool = False


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
    def __init__(self, data):
        self.data = data
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
            kinds = frozenset()
            for pattern, which in PTX:
                if pattern.search(text(node)) and not (which & kinds):
                    kinds |= which
            return kinds, None, "", []
        if node.type == "new_expression":
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
        if name == "init" and function.type != "field_expression" and len(arguments) == 2:
            return frozenset({INIT}), None, name, arguments
        if name == "sync":
            group = text(function)
            warp = "tile" in group or "coalesced" in group
            return frozenset({WARP if warp else SYNC}), None, name, arguments
        for pattern, kinds in API:
            if pattern.fullmatch(name):
                return kinds, None, name, arguments
        return frozenset(), None, name, arguments

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


def mutants_of(data):
    """All mutants of one source, in order."""
    source = Source(data)
    made = []
    for operator, edits in _all(source):
        changed = data
        for start, end, new in sorted(edits, reverse=True):
            changed = changed[:start] + new.encode() + changed[end:]
        if changed == data:
            continue
        start = min(edits)[0]
        number = data.count(b"\n", 0, start) + 1
        line = data.splitlines()[number - 1].decode()
        change = " // ".join(f"{data[a:b].decode()} => {n}" for a, b, n in sorted(edits))
        made.append(Mutant(operator, changed, line, number, change))
    unique = {}
    for mutant in made:
        unique.setdefault((mutant.operator, mutant.text), mutant)
    return list(unique.values())


def _all(source):
    for make in (_init, _arrive, _sync, _guards, _exits, _parity, _tokens, _try_wait, _named,
                 _bytes, _fences):
        for operator, edits in make(source):
            yield operator, edits


def _replace(node, new):
    return [(node.start_byte, node.end_byte, new)]


def _take_away(statement):
    return _replace(statement, ";")


def _worth(source):
    """Sites outside functions that do nothing else: those are changed where they are called."""
    return [site for site in source.sites if not site.function.plain]


def _sites_of(source, kind):
    return [site for site in _worth(source) if kind in site.kinds]


def _steps(expression):
    """(larger, smaller, in warps) of the text of a count."""
    literal = re.fullmatch(r"(\d+)[uUlL]*", expression)
    if literal and int(literal.group(1)) < 32:
        return f"({expression}) + 1", f"({expression}) - 1", None
    return f"({expression}) + 32", f"({expression}) - 32", f"({expression}) / 32"


def _init(source):
    for site in _sites_of(source, INIT):
        own = INIT in site.kinds and not site.kinds & {ARRIVE, WAIT, SYNC}
        if site.statement.type == "expression_statement" and own:
            yield "init-remove", _take_away(site.statement)
        later = next((other for other in source.sites
                      if other.function is site.function and other.kinds & {SYNC, WARP}
                      and other.node.start_byte > site.node.end_byte), None)
        if later and later.statement.type == "expression_statement":
            yield "init-sync-remove", _take_away(later.statement)
        for above in ancestors(site.statement):
            if above.type == "if_statement":
                condition = above.child_by_field_name("condition")
                one_each = b"threadIdx" in condition.text and "threadIdx" in text(site.node)
                if (not text(above).startswith("if constexpr") and not one_each
                        and THREAD_CONDITION.search(condition.text)):
                    yield "init-by-all", _replace(condition, "(true)")
                break
        if site.arguments and own:
            count = site.arguments[-1]
            if site.callee and not re.search(r"count|arriv|thread|warp|expect|producer|consumer|n$",
                                             site.callee.parameters[-1]):
                continue
            more, less, warps = _steps(text(count))
            yield "count-plus", _replace(count, more)
            yield "count-minus", _replace(count, less)
            if warps:
                yield "count-warps", _replace(count, warps)


def _arrive(source):
    for site in _sites_of(source, ARRIVE):
        if site.kinds & {INIT, SYNC, WAIT}:
            continue
        statement = site.statement
        if statement.type == "declaration":
            if site.callee is None:
                yield "arrive-remove", _replace(site.node, f"decltype({text(site.node)}){{}}")
            yield "arrive-duplicate", [(statement.start_byte, statement.start_byte,
                                        f"(void)({text(site.node)}); ")]
        elif statement.type == "expression_statement":
            yield "arrive-remove", _take_away(statement)
            yield "arrive-duplicate", _replace(statement,
                                               f"{{ {text(statement)} {text(statement)} }}")
        if DROP in site.kinds and site.name.endswith("arrive_and_drop"):
            new = text(site.node).replace("arrive_and_drop", "arrive")
            yield "drop-to-arrive", _replace(site.node, "(void)" + new)
    for site in source.sites:
        if site.node.type == "gnu_asm_expression" and "mbarrier.arrive_drop" in text(site.node):
            yield "drop-to-arrive", _replace(
                site.node, text(site.node).replace("mbarrier.arrive_drop", "mbarrier.arrive"))


def _sync(source):
    after_init = {edits[0][0] for operator, edits in _init(source)
                  if operator == "init-sync-remove"}
    for site in _sites_of(source, SYNC):
        if (INIT not in site.kinds and site.statement.type == "expression_statement"
                and site.statement.start_byte not in after_init):
            yield "sync-remove", _take_away(site.statement)


def _guards(source):
    for site in _worth(source):
        if not site.kinds & {ARRIVE, WAIT, SYNC} or INIT in site.kinds:
            continue
        statement = site.statement
        if statement.type == "declaration":
            continue
        yield "guard-low", [(statement.start_byte, statement.start_byte,
                             "if (threadIdx.x < 16) ")]
        yield "guard-nonzero", [(statement.start_byte, statement.start_byte,
                                 "if (threadIdx.x % 32 != 0) ")]
        if statement.type != "expression_statement":
            continue
        for beside, last in ((statement.prev_named_sibling, True),
                             (statement.next_named_sibling, False)):
            if (beside is None or beside.type != "if_statement"
                    or statement.parent.type != "compound_statement"):
                continue
            arm = beside.child_by_field_name("consequence")
            if arm.type == "compound_statement":
                at = arm.end_byte - 1 if last else arm.start_byte + 1
                added = [(at, at, f" {text(statement)} ")]
            else:
                parts = ((text(arm), text(statement)) if last else (text(statement), text(arm)))
                added = _replace(arm, "{ " + " ".join(parts) + " }")
            yield "branch-arm", [*_take_away(statement), *added]


def _exits(source):
    for site in _worth(source):
        if not site.kinds & {ARRIVE, WAIT, SYNC} or INIT in site.kinds:
            continue
        statement = site.statement
        inside = [above for above in ancestors(statement)
                  if above.start_byte >= site.function.body.start_byte]
        if any(above.type == "lambda_expression" for above in inside):
            continue
        loop = any(above.type in ("for_statement", "while_statement", "do_statement")
                   for above in inside)
        for operator, who, word, allowed in (
                ("exit-return", HALF_WARP, "return", site.function.kernel),
                ("exit-warp", ODD_WARPS, "return", site.function.kernel),
                ("exit-continue", HALF_WARP, "continue", loop)):
            if not allowed:
                continue
            exit_text = f"if ({who}) {word}; "
            if statement.parent.type in ("compound_statement", "case_statement"):
                yield operator, [(statement.start_byte, statement.start_byte, exit_text)]
            elif statement.type != "declaration":
                yield operator, _replace(statement, f"{{ {exit_text}{text(statement)} }}")


def _parity_arguments(site):
    """The arguments of a wait that are parities."""
    if WAIT not in site.kinds:
        return []
    if site.callee:
        return [argument for name, argument in zip(site.callee.parameters, site.arguments)
                if re.search(r"parity|phase", name)]
    if site.name == "wait_parity":
        return site.arguments[:1]
    if re.fullmatch(r"(__)?mbarrier_(try|test)_wait_parity", site.name):
        return site.arguments[3:4] if len(site.arguments) >= 4 else site.arguments[1:2]
    return []


def _is_flip(node):
    """Whether an expression turns a parity over."""
    if node.type != "assignment_expression":
        return False
    left, right = (text(node.child_by_field_name(side)) for side in ("left", "right"))
    operator = text(node.child_by_field_name("operator"))
    if operator == "^=":
        return re.match(r"\(?(1|0x1)[uU]?\b", right) is not None
    return operator == "=" and right in (f"!{left}", f"{left} ^ 1", f"1 - {left}", f"{left} ^ 1u")


def _parity(source):
    for node in walk(source.root):
        if not _is_flip(node) or node.parent.type != "expression_statement":
            continue
        statement = node.parent
        yield "parity-flip-remove", _take_away(statement)
        above = next((above for above in ancestors(statement)
                      if above.type in ("if_statement", "function_definition")), None)
        if above and above.type == "if_statement" and re.search(r"= 0\b", text(above)):
            yield "parity-per-stage", [*_take_away(statement),
                                       (above.end_byte, above.end_byte, " " + text(statement))]
    for node in walk(source.root):
        if node.type == "init_declarator" and re.search(
                r"parity|phase|bits", text(node.child_by_field_name("declarator"))):
            value = node.child_by_field_name("value")
            if value is not None and text(value) in ("0", "1", "0u", "1u", "false", "true"):
                other = {"0": "1", "1": "0", "f": "true", "t": "false"}[text(value)[0]]
                yield "parity-initial", _replace(value, other)
    for site in source.sites:
        if site.function.plain and site.function.parameters:
            continue
        for argument in _parity_arguments(site):
            yield "parity-initial", _replace(argument, f"(({text(argument)}) ^ 1)")
            for node in walk(argument):
                if node.type != "binary_expression":
                    continue
                operator = text(node.child_by_field_name("operator"))
                left, right = (node.child_by_field_name(side) for side in ("left", "right"))
                if operator in ("&", "%") and text(right).rstrip("uU") == (
                        "1" if operator == "&" else "2"):
                    yield "parity-flip-remove", _replace(node, "(0)")
                    while left.type == "parenthesized_expression":
                        left = left.named_children[0]
                    if left.type == "binary_expression" and text(
                            left.child_by_field_name("operator")) in ("/", ">>"):
                        yield "parity-per-stage", _replace(
                            left, text(left.child_by_field_name("left")))


def _tokens(source):
    for site in _sites_of(source, ARRIVE):
        if site.statement.type == "expression_statement":
            assignment = site.statement.named_children[0]
            if assignment.type == "assignment_expression" and text(
                    assignment.child_by_field_name("operator")) == "=":
                yield "token-older", _replace(site.statement, f"(void)({text(site.node)});")
    declared = {}
    for site in source.sites:
        if ARRIVE in site.kinds and site.statement.type == "declaration":
            names = [text(part.child_by_field_name("declarator"))
                     for part in site.statement.named_children if part.type == "init_declarator"]
            if len(names) == 1:
                declared[site.function.node.id, names[0]] = site
    for site in _sites_of(source, WAIT):
        used = [(part, declared[site.function.node.id, text(part)])
                for argument in site.arguments for part in walk(argument)
                if part.type == "identifier" and (site.function.node.id, text(part)) in declared]
        if len(used) != 1:
            continue
        name, arrival = used[0]
        loop = next((above for above in ancestors(arrival.statement)
                     if above.type in ("for_statement", "while_statement")
                     and above.start_byte >= site.function.body.start_byte), None)
        old = f"old_{text(name)}"
        if loop and site.node.start_byte < loop.end_byte:
            yield "token-older", [
                (loop.start_byte, loop.start_byte,
                 f"decltype({text(arrival.node)}) {old}{{}}; bool kept_{old} = false; "
                 if "(" in text(arrival.node) else ""),
                (arrival.statement.end_byte, arrival.statement.end_byte,
                 f" if (!kept_{old}) {{ {old} = {text(name)}; kept_{old} = true; }}"),
                *_replace(name, old)]
        # The token of an earlier arrival at the same barrier.
        for (function, other), earlier in declared.items():
            if (function == site.function.node.id and other != text(name)
                    and earlier.node.start_byte < arrival.node.start_byte
                    and text(earlier.node) == text(arrival.node)):
                yield "token-older", _replace(name, other)


def _try_wait(source):
    for node in walk(source.root):
        if node.type == "gnu_asm_expression" and "_wait" in text(node):
            for part in walk(node):
                # The branch back to the test.
                branch = part.type == "string_literal" and re.search(r"\bbra (\w+)", text(part))
                if branch and f"{branch.group(1)}:" in text(node)[:part.start_byte -
                                                                 node.start_byte]:
                    yield "trywait-single", _replace(part, '""')
    seen = set()
    for site in source.sites:
        if WAIT not in site.kinds or SYNC in site.kinds or ARRIVE in site.kinds:
            continue
        loop = site.statement
        if loop.type not in ("while_statement", "do_statement", "for_statement") or (
                loop.id in seen):
            continue
        seen.add(loop.id)
        body = loop.child_by_field_name("body")
        if loop.type == "while_statement" and not Source.polls(loop):
            condition = loop.child_by_field_name("condition")
            yield "trywait-single", _replace(loop, f"(void){text(condition)};")
        elif loop.type == "do_statement":
            condition = loop.child_by_field_name("condition")
            yield "trywait-single", [(loop.start_byte, body.start_byte, ""),
                                     (body.end_byte, loop.end_byte, f" (void){text(condition)};")]
        elif loop.type in ("while_statement", "for_statement") and Source.polls(loop):
            edits = [(loop.start_byte, body.start_byte, "")]
            for part in walk(body):
                if part.type == "break_statement":
                    edits += _replace(part, ";")
            yield "trywait-single", edits


ASM_NAMED = re.compile(r"\bbar(?:rier)?(?:\.\w+)* (?:%?[\w%]+, )??(\d+)(?:, (\d+))?")


def _named(source):
    for site in source.sites:
        if NAMED not in site.kinds:
            continue
        if site.node.type == "gnu_asm_expression":
            whole = text(site.node)
            match = re.search(r"\bbar(?:rier)?(?:\.(?!cluster)\w+)+ ([^;\"]*)", whole)
            operands = [(part.group(), part.start() + match.start(1))
                        for part in re.finditer(r"[%\w]+", match.group(1))]
            if "red" in match.group():
                operands = operands[1:]
            for number, (word, at) in enumerate(operands[:2]):
                at += site.node.start_byte
                for operator, new in _named_changes(number, word, False):
                    if word.isdigit():
                        yield operator, [(at, at + len(word), new)]
            continue
        names = site.callee.parameters if site.callee else ["id", "threads"]
        for name, argument in zip(names, site.arguments):
            number = (0 if re.search(r"^id$|_id$|^bar|^barrier|^name", name) else
                      1 if re.search(r"count|thread|warp|^n$|size", name) else None)
            if number is not None:
                for operator, new in _named_changes(number, text(argument), "warp" in name):
                    yield operator, _replace(argument, new)


def _named_changes(number, word, warps):
    literal = word.isdigit()
    if number == 0:
        yield "named-id", str(int(word) + 1) if literal else f"({word}) + 1"
    else:
        step = 1 if warps else 32
        yield "named-count-plus", str(int(word) + step) if literal else f"({word}) + {step}"
        yield "named-count-minus", str(int(word) - step) if literal else f"({word}) - {step}"


def _bytes(source):
    for site in source.sites:
        if EXPECT not in site.kinds or not site.arguments:
            continue
        argument = site.arguments[-1]
        if site.callee:
            argument = next((argument for name, argument in
                             zip(site.callee.parameters, site.arguments)
                             if re.search(r"bytes|tx|size", name)), None)
            if argument is None:
                continue
        yield "bytes-plus", _replace(argument, f"({text(argument)}) + 16")
        yield "bytes-half", _replace(argument, f"({text(argument)}) / 2")


def _fences(source):
    for site in source.sites:
        if site.statement.type != "expression_statement":
            continue
        if site.kinds == {COMMIT}:
            yield "commit-remove", _take_away(site.statement)
        if site.kinds == {FENCE} and not (site.function.plain and site.callee is None
                                          and not site.function.kernel):
            yield "fence-remove", _take_away(site.statement)
