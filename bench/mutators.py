"""Mutants of CUDA sources: mechanical changes that make a mistake with a barrier."""
import dataclasses
import re

import mutators_copy
import mutators_group
from mutant_source import (ARRIVE, COMMIT, DROP, EXPECT, FENCE, INIT, NAMED, SYNC, WAIT, WARP, Source,
                           ancestors, replace, sites_of, take_away, text, twice, walk, worth)

# Within a warp and by warp, so that the threads of a role differ, whichever warp they are in.
HALF_WARP, ODD_WARPS = "threadIdx.x % 32 < 16", "threadIdx.x / 32 % 2 == 1"
# In a string of PTX, where \n and \t stand as they are written.
BRANCH = re.compile(r"(?:@!?\w+ )?(?:(?<=\\[nt])|\b)bra (\w+);?")
THREAD_CONDITION = re.compile(rb"threadIdx|rank|lane|warp|elect|leader|first|thread")


@dataclasses.dataclass
class Operator:
    what: str
    expected: set
    pedantic: bool = False  # what is about it is reported with --pedantic only


def _expect(words):
    return {word.replace("_", "-") for word in words.split()}


PROTOCOL = ("init_count_mismatch arrive_divergent arrive_over arrive_granularity "
            "arrive_loop_mismatch phase_parity_lag phase_token_invalid phase_self_deadlock "
            "exit_missing_drop named_participants named_double_arrive named_exit phase_unobserved "
            "phase_stale_token init_missing init_no_sync phase_parity_flip cluster_pairing "
            "group_arrive_wait sync_missing ")
DIVERGENT = ("sync_divergent named_divergent cluster_divergent grid_skip group_arrive_wait "
             "group_collective_divergent warp_mask_agree ")
COUNT = "init_count_mismatch arrive_over init_count_range arrive_granularity phase_parity_lag "
EXIT = ("exit_missing_drop named_exit exit_before_sync sync_divergent named_divergent "
        "init_count_mismatch grid_skip cluster_divergent cluster_exit group_tile_shape ")
MASK = "warp_mask_agree warp_mask_self warp_elect group_collective_divergent warp_activemask "
BYTES = "tx_bytes tx_no_expect tx_size_align tx_late_expect phase_parity_lag "
UNWAITED = "sync_missing tx_read_early group_copy_no_wait tx_source_reuse "
STAGES = "pipe_unbalanced pipe_overrun pipe_role pipe_quit "
PARITY = "phase_parity_flip phase_parity_lag arrive_over "
# By the family of the mistake: what is done, and the rules that are about it.
FAMILIES = {
    "init": {
        "init-remove": ("an initialisation is taken away", "init_missing"),
        "init-sync-remove": ("the barrier between initialisation and use is taken away",
                             "init_no_sync init_missing init_cluster_fence"),
        "init-by-all": ("the condition around an initialisation becomes true",
                        "init_by_many init_reinit_live"),
        "count-plus": ("a count is one warp (one, where it is small) too large",
                       COUNT + "arrive_divergent arrive_loop_mismatch"),
        "count-minus": ("a count is one warp (one, where it is small) too small", COUNT),
        "count-warps": ("a count is in warps instead of threads", COUNT),
    },
    "arrive": {
        "arrive-remove": ("an arrival is taken away", PROTOCOL),
        "arrive-duplicate": ("an arrival is made twice", PROTOCOL),
        "drop-to-arrive": ("a drop becomes an arrival", PROTOCOL),
        "barrier-other": ("an arrival or a wait is at another barrier of the kernel", PROTOCOL +
                          "phase_foreign_token named_order_cycle " + BYTES + UNWAITED),
    },
    "sync": {
        "sync-remove": ("a barrier is taken away",
                        PROTOCOL + "sync_divergent sync_two_sites cluster_exit cluster_dsmem_start"),
        "guard-low": ("`if (threadIdx.x < 16)` in front of a barrier operation", PROTOCOL + DIVERGENT),
        "guard-nonzero": ("`if (threadIdx.x % 32 != 0)` in front of a barrier operation",
                          PROTOCOL + DIVERGENT),
        "branch-arm": ("a barrier operation moves into the `if` beside it",
                       PROTOCOL + DIVERGENT + "sync_divergent_loop"),
    },
    "exit": {
        "exit-return": ("`if (threadIdx.x % 32 < 16) return;` before a barrier operation", EXIT),
        "exit-warp": ("`if (threadIdx.x / 32 % 2 == 1) return;` before a barrier operation", EXIT),
        "exit-continue": ("`if (threadIdx.x % 32 < 16) continue;` before a barrier operation",
                          PROTOCOL + DIVERGENT + "sync_divergent_loop"),
    },
    "phase": {
        "parity-flip-remove": ("a parity stays the same", PARITY),
        "parity-initial": ("a parity starts with the other value", PARITY + "phase_parity_initial"),
        "parity-per-stage": ("a parity flips at each stage instead of at each wrap", PARITY),
        "token-older": ("a wait uses the token of an earlier arrival",
                        "phase_stale_token phase_token_invalid"),
        "trywait-single": ("a loop around a test of the phase becomes a single test",
                           "phase_trywait_ignored phase_unobserved arrive_over"),
        "wait-remove": ("a wait for a phase is taken away", PROTOCOL + UNWAITED + "exit_inflight"),
        "arrive-relaxed": ("an arrival releases nothing", "phase_order phase_scope init_cluster_fence"),
        "fence-remove": ("a fence is taken away",
                         "init_cluster_fence phase_order tx_proxy_fence sync_missing"),
    },
    "named": {
        "named-id": ("another id of a named barrier", "named_participants named_count_mismatch "
                     "named_id_conflict named_id_range named_double_arrive named_order_cycle"),
        "named-count-plus": ("a count of a named barrier is one warp too large",
                             "named_participants named_count_mismatch named_count_block"),
        "named-count-minus": ("a count of a named barrier is one warp too small",
                              "named_participants named_count_mismatch named_count_block "
                              "named_double_arrive"),
    },
    "warp": {
        "syncwarp-remove": ("a barrier of the warp is taken away", "sync_missing init_no_sync"),
        "mask-part": ("half of a full mask", MASK),
        "mask-full": ("a full mask in place of another", MASK),
        "mask-active": ("the active lanes in place of those that a mask names", MASK),
        "vote-lanes": ("an operation with a mask by half of the lanes", MASK),
        "wide-lanes": ("an instruction of the whole warp by half of the lanes",
                       "warp_warpgroup warp_mask_agree"),
    },
    "cluster": {
        "cluster-sync-remove": ("a barrier of the cluster is taken away",
                                "cluster_exit cluster_dsmem_start init_cluster_fence sync_missing"),
        "cluster-wait-remove": ("a wait at the barrier of the cluster is taken away",
                                "cluster_pairing cluster_exit"),
        "cluster-wait-again": ("a wait at the barrier of the cluster is made twice", "cluster_pairing"),
        "cluster-relaxed": ("an arrival at the barrier of the cluster releases nothing",
                            "cluster_relaxed init_cluster_fence"),
        "rank-beyond": ("a rank that no block of the cluster has", "launch_cluster"),
        "rank-zero": ("all arrive in the first block of the cluster", PROTOCOL + "phase_wait_remote"),
    },
    "group": {
        "group-wait-remove": ("a wait at the barrier of a group is taken away",
                              "group_arrive_wait cluster_pairing"),
        "group-wait-again": ("a token of a group is used twice", "group_arrive_wait cluster_pairing"),
        "collective-lanes": ("a collective of a group by half of the lanes", MASK),
        "tile-large": ("a tile is larger than its block", "group_tile_shape"),
    },
    "grid": {
        "grid-guard": ("`if (blockIdx.x != 0)` in front of a barrier of the grid", "grid_skip"),
        "grid-exit": ("`if (blockIdx.x == 0) return;` before a barrier of the grid", "grid_skip"),
    },
    "tx": {
        "bytes-plus": ("16 bytes too many are expected", BYTES),
        "bytes-half": ("half of the bytes are expected", BYTES),
        "bytes-none": ("no bytes are expected", BYTES),
        "expect-remove": ("bytes are not announced", BYTES),
        "expect-duplicate": ("bytes are announced twice", BYTES),
        "expect-late": ("bytes are announced behind the next arrival", BYTES),
        "copy-by-all": ("the condition around a copy or its announcement becomes true",
                        "tx_leader tx_bytes init_count_mismatch arrive_over"),
        "copy-remove": ("a copy is taken away", BYTES),
        "copy-duplicate": ("a copy is made twice", BYTES),
        "copy-plus": ("16 bytes too many are copied", BYTES),
        "copy-half": ("half of the bytes are copied", BYTES),
        "noinc-other": (".noinc is added, or taken away", "tx_noinc " + COUNT),
    },
    "pipe": {
        "commit-remove": ("a commit is taken away", STAGES + UNWAITED),
        "drain-remove": ("a wait for groups of copies is taken away", STAGES + UNWAITED),
        "drain-plus": ("one more group of copies may stay open", STAGES + UNWAITED),
        "acquire-remove": ("an acquire of a pipeline is taken away", STAGES + UNWAITED),
        "submit-remove": ("a commit of a pipeline is taken away", STAGES + UNWAITED),
        "receive-remove": ("a wait of a pipeline is taken away", STAGES + UNWAITED),
        "release-remove": ("a release of a pipeline is taken away", STAGES + UNWAITED),
        "stage-again": ("an operation of a pipeline is made twice", STAGES),
        "stage-guard": ("an operation of a pipeline is made by half of the lanes", STAGES),
        "role-other": ("producers and consumers change their roles", STAGES),
        "role-same": ("the consumers of a pipeline become producers", STAGES),
    },
    "launch": {
        "launch-beyond": ("blocks of 1056 threads", "launch_block_size"),
        "launch-plus": ("blocks are one warp larger than counts or bounds say",
                        "launch_block_size " + COUNT),
        "launch-odd": ("one block more than clusters can hold", "launch_cluster"),
        "launch-no-cluster": ("a launch without its cluster", "launch_cluster"),
        "launch-ordinary": ("a launch that is not cooperative", "launch_cooperative"),
        "earlier-remove": ("the wait for the kernel before is taken away", "launch_pdl"),
    },
    "port": {
        "arch-lower": ("a target that lacks the instructions", "port_arch"),
        "clobber-remove": ("inline assembly of barriers does not say that it touches memory",
                           "port_asm_clobber"),
    },
    "perf": {
        "sync-again": ("a barrier of the block is made twice", "perf_redundant_sync", True),
        "try-to-test": ("a loop tests the phase and does not sleep", "perf_test_wait_spin", True),
    },
}
FAMILY_OF = {name: family for family, operators in FAMILIES.items() for name in operators}
OPERATORS = {name: Operator(what, _expect(expected), *pedantic)
             for operators in FAMILIES.values()
             for name, (what, expected, *pedantic) in operators.items()}


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
    pedantic: list = None  # rules that --pedantic adds
    original: object = None  # the path of what it was made of


def mutants_of(data):
    """All mutants of one source, in order."""
    made = []
    for operator, edits in _all(data):
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


def _all(data):
    source = Source(data)
    for make in (_init, _arrive, _sync, _guards, _exits, _parity, _tokens, _try_wait, _waits, _others,
                 _named, _bytes, _fences):
        yield from make(source)
    yield from mutators_copy.mutants(Source(data, mutators_copy.COPIES))
    yield from mutators_group.mutants(Source(data, mutators_group.GROUPS))


def _steps(expression):
    """(larger, smaller, in warps) of the text of a count."""
    literal = re.fullmatch(r"(\d+)[uUlL]*", expression)
    if literal and int(literal.group(1)) < 32:
        return f"({expression}) + 1", f"({expression}) - 1", None
    return f"({expression}) + 32", f"({expression}) - 32", f"({expression}) / 32"


def _init(source):
    for site in sites_of(source, INIT):
        own = INIT in site.kinds and not site.kinds & {ARRIVE, WAIT, SYNC}
        if site.statement.type == "expression_statement" and own:
            yield "init-remove", take_away(site.statement)
        later = next((other for other in source.sites
                      if other.function is site.function and other.kinds & {SYNC, WARP}
                      and other.node.start_byte > site.node.end_byte), None)
        if later and later.statement.type == "expression_statement":
            yield "init-sync-remove", take_away(later.statement)
        for above in ancestors(site.statement):
            if above.type == "if_statement":
                condition = above.child_by_field_name("condition")
                one_each = b"threadIdx" in condition.text and "threadIdx" in text(site.node)
                if (not text(above).startswith("if constexpr") and not one_each
                        and THREAD_CONDITION.search(condition.text)):
                    yield "init-by-all", replace(condition, "(true)")
                break
        if site.arguments and own:
            count = site.arguments[-1]
            if site.callee and not re.search(r"count|arriv|thread|warp|expect|producer|consumer|n$",
                                             site.callee.parameters[-1]):
                continue
            more, less, warps = _steps(text(count))
            yield "count-plus", replace(count, more)
            yield "count-minus", replace(count, less)
            if warps:
                yield "count-warps", replace(count, warps)


def _arrive(source):
    for site in sites_of(source, ARRIVE):
        if site.kinds & {INIT, SYNC, WAIT}:
            continue
        statement = site.statement
        if statement.type == "declaration":
            if site.callee is None:
                yield "arrive-remove", replace(site.node, f"decltype({text(site.node)}){{}}")
            yield "arrive-duplicate", [(statement.start_byte, statement.start_byte,
                                        f"(void)({text(site.node)}); ")]
        elif statement.type == "expression_statement":
            yield "arrive-remove", take_away(statement)
            yield "arrive-duplicate", twice(statement)
        if DROP in site.kinds and site.name.endswith("arrive_and_drop"):
            new = text(site.node).replace("arrive_and_drop", "arrive")
            yield "drop-to-arrive", replace(site.node, "(void)" + new)
    for site in source.sites:
        if site.node.type == "gnu_asm_expression" and "mbarrier.arrive_drop" in text(site.node):
            yield "drop-to-arrive", replace(
                site.node, text(site.node).replace("mbarrier.arrive_drop", "mbarrier.arrive"))


def _sync(source):
    after_init = {edits[0][0] for operator, edits in _init(source)
                  if operator == "init-sync-remove"}
    for site in sites_of(source, SYNC):
        if (INIT not in site.kinds and site.statement.type == "expression_statement"
                and site.statement.start_byte not in after_init):
            yield "sync-remove", take_away(site.statement)


def _guards(source):
    for site in worth(source):
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
                added = replace(arm, "{ " + " ".join(parts) + " }")
            yield "branch-arm", [*take_away(statement), *added]


def _exits(source):
    for site in worth(source):
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
                yield operator, replace(statement, f"{{ {exit_text}{text(statement)} }}")


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
        yield "parity-flip-remove", take_away(statement)
        above = next((above for above in ancestors(statement)
                      if above.type in ("if_statement", "function_definition")), None)
        if above and above.type == "if_statement" and re.search(r"= 0\b", text(above)):
            yield "parity-per-stage", [*take_away(statement),
                                       (above.end_byte, above.end_byte, " " + text(statement))]
    for node in walk(source.root):
        if node.type == "init_declarator" and re.search(
                r"parity|phase|bits", text(node.child_by_field_name("declarator"))):
            value = node.child_by_field_name("value")
            if value is not None and text(value) in ("0", "1", "0u", "1u", "false", "true"):
                other = {"0": "1", "1": "0", "f": "true", "t": "false"}[text(value)[0]]
                yield "parity-initial", replace(value, other)
    for site in source.sites:
        if site.function.plain and site.function.parameters:
            continue
        for argument in _parity_arguments(site):
            yield "parity-initial", replace(argument, f"(({text(argument)}) ^ 1)")
            for node in walk(argument):
                if node.type != "binary_expression":
                    continue
                operator = text(node.child_by_field_name("operator"))
                left, right = (node.child_by_field_name(side) for side in ("left", "right"))
                if operator in ("&", "%") and text(right).rstrip("uU") == (
                        "1" if operator == "&" else "2"):
                    yield "parity-flip-remove", replace(node, "(0)")
                    while left.type == "parenthesized_expression":
                        left = left.named_children[0]
                    if left.type == "binary_expression" and text(
                            left.child_by_field_name("operator")) in ("/", ">>"):
                        yield "parity-per-stage", replace(
                            left, text(left.child_by_field_name("left")))


def _tokens(source):
    for site in sites_of(source, ARRIVE):
        if site.statement.type == "expression_statement":
            assignment = site.statement.named_children[0]
            if assignment.type == "assignment_expression" and text(
                    assignment.child_by_field_name("operator")) == "=":
                yield "token-older", replace(site.statement, f"(void)({text(site.node)});")
    declared = {}
    for site in source.sites:
        if ARRIVE in site.kinds and site.statement.type == "declaration":
            names = [text(part.child_by_field_name("declarator"))
                     for part in site.statement.named_children if part.type == "init_declarator"]
            if len(names) == 1:
                declared[site.function.node.id, names[0]] = site
    for site in sites_of(source, WAIT):
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
                *replace(name, old)]
        # The token of an earlier arrival at the same barrier.
        for (function, other), earlier in declared.items():
            if (function == site.function.node.id and other != text(name)
                    and earlier.node.start_byte < arrival.node.start_byte
                    and text(earlier.node) == text(arrival.node)):
                yield "token-older", replace(name, other)


def _try_wait(source):
    for node in walk(source.root):
        if node.type == "gnu_asm_expression" and "_wait" in text(node):
            for part in walk(node):
                # The branch back to the test.
                for branch in BRANCH.finditer(text(part) if part.type == "string_literal" else ""):
                    at = part.start_byte + branch.start()
                    if f"{branch.group(1)}:" in text(node)[:at - node.start_byte]:
                        yield "trywait-single", [(at, part.start_byte + branch.end(), "")]
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
            yield "trywait-single", replace(loop, f"(void){text(condition)};")
        elif loop.type == "do_statement":
            condition = loop.child_by_field_name("condition")
            yield "trywait-single", [(loop.start_byte, body.start_byte, ""),
                                     (body.end_byte, loop.end_byte, f" (void){text(condition)};")]
        elif loop.type in ("while_statement", "for_statement") and Source.polls(loop):
            edits = [(loop.start_byte, body.start_byte, "")]
            for part in walk(body):
                if part.type == "break_statement":
                    edits += replace(part, ";")
            yield "trywait-single", edits


def _waits(source):
    for site in sites_of(source, WAIT):
        # The barriers of clusters and groups, and groups of copies, have operators of their own.
        other = (site.name in ("barrier_wait", "barrier_cluster_wait") or "cluster.wait" in text(site.node) or
                 site.name == "wait" and ".wait" not in text(site.node) and not site.callee)
        if site.kinds == {WAIT} and not other and site.statement.type.endswith("statement"):
            yield "wait-remove", take_away(site.statement)


def _others(source):
    """Arrivals and waits at another barrier: those that some initialisation names."""
    barriers = {name: array for site in source.sites if INIT in site.kinds
                for name, array in _barriers_in(site)}
    for site in source.sites:
        if site.kinds & {INIT, NAMED} or not site.kinds & {ARRIVE, WAIT}:
            continue
        for part in walk(site.node):
            if part.type == "identifier" and text(part) in barriers:
                array = barriers[text(part)]
                other = next((name for name in barriers
                              if name != text(part) and barriers[name] == array), None)
                if other:
                    yield "barrier-other", replace(part, other)
                break


def _barriers_in(site):
    """(name, whether it is an array) of the barrier that an initialisation is about."""
    if not site.arguments or site.name == "new":
        return
    subject = site.arguments[0]
    names = [part for part in walk(subject) if part.type == "identifier"]
    if names and (subject.type in ("identifier", "pointer_expression", "subscript_expression")):
        yield text(names[0]), any(part.type == "subscript_expression" for part in walk(subject))


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
                    yield operator, replace(argument, new)


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
        yield "bytes-plus", replace(argument, f"({text(argument)}) + 16")
        yield "bytes-half", replace(argument, f"({text(argument)}) / 2")


def _fences(source):
    for site in source.sites:
        if site.statement.type != "expression_statement":
            continue
        if site.kinds == {COMMIT}:
            yield "commit-remove", take_away(site.statement)
        if site.kinds == {FENCE} and not (site.function.plain and site.callee is None
                                          and not site.function.kernel):
            yield "fence-remove", take_away(site.statement)
