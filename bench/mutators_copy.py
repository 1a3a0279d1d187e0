"""Mutants of asynchronous copies, of the bytes they announce, and of pipelines."""
import re

from mutant_source import (ARRIVE, COMMIT, EXPECT, Vocabulary, ancestors, edit_in_asm, replace, sites_of,
                           take_away, text, twice, walk, worth)

# A copy that completes on an mbarrier, a store, the wait for groups of copies, and the four operations of a
# pipeline.
BULK, STORE, DRAIN = "bulk", "store", "drain"
STAGES = {"acquire": "producer_acquire", "submit": "producer_commit", "receive": "consumer_wait",
          "release": "consumer_release"}
THREAD_CONDITION = re.compile(rb"threadIdx|rank|lane|warp|elect|leader|first|thread|[Pp]roduce")


def _call(name, called, arguments):
    # A store completes on no barrier.
    if name == "cp_async_bulk" and "space_global" in text(arguments[0]):
        return frozenset({STORE})
    # wait(group), which is no member, waits for copies of the group.
    if name == "wait" and len(arguments) == 1 and not re.search(r"\.|->", called):
        return frozenset({DRAIN})
    return frozenset()


COPIES = Vocabulary([
    (r"mbarrier_arrive_expect_tx|barrier_arrive_tx", "arrive expect"),
    (r"mbarrier_expect_tx|barrier_expect_tx", "expect"),
    (r"mbarrier_arrive|arrive", "arrive"),
    (r"cp_async_bulk(_tensor\w*_global_to_shared|_global_to_shared)?|memcpy_async_tx|st_async", "bulk"),
    (r"__pipeline_wait_prior|pipeline_consumer_wait_prior|wait_prior|"
     r"cp_async_bulk_wait_group(_read)?", "drain"),
    (r"cp_async_bulk_commit_group", "commit"),
    *((name, kind) for kind, name in STAGES.items()),
], [
    (r"mbarrier\.arrive\.expect_tx", "arrive expect"),
    (r"mbarrier\.expect_tx", "expect"),
    (r"mbarrier\.arrive\.(?!expect)", "arrive"),
    (r"complete_tx::bytes", "bulk"),
    (r"cp\.async\.(bulk\.)?wait_(group|all)", "drain"),
    (r"cp\.async\.bulk\.commit_group", "commit"),
], _call)


def mutants(source):
    for make in (_announced, _copies, _drained, _noinc, _stages, _roles):
        yield from make(source)


def _is_statement(site):
    return site.statement.type == "expression_statement"


def _bytes_of(site):
    """The argument that says how many bytes are announced or copied."""
    if site.callee:
        return next((argument for name, argument in zip(site.callee.parameters, site.arguments)
                     if re.search(r"bytes|tx|size", name)), None)
    if EXPECT in site.kinds and site.arguments:
        return site.arguments[-1]
    if site.name == "cp_async_bulk" and len(site.arguments) >= 6:
        return site.arguments[4]
    return site.arguments[2] if site.name == "memcpy_async_tx" else None


def _by_all(site):
    for above in ancestors(site.statement):
        if above.start_byte < site.function.body.start_byte:
            break
        if above.type == "if_statement":
            condition = above.child_by_field_name("condition")
            if THREAD_CONDITION.search(condition.text) and b"constexpr" not in above.text[:14]:
                return replace(condition, "(true)")
            break
    return None


def _announced(source):
    for site in sites_of(source, EXPECT):
        count = _bytes_of(site)
        if ARRIVE in site.kinds and BULK not in site.kinds and count:
            yield "bytes-none", replace(count, "0")
        if site.kinds != {EXPECT} or not _is_statement(site):
            continue
        yield "expect-remove", take_away(site.statement)
        yield "expect-duplicate", twice(site.statement)
        later = next((other for other in sites_of(source, ARRIVE) if other.function is site.function
                      and other.node.start_byte > site.statement.end_byte
                      and other.statement.parent == site.statement.parent), None)
        if later:
            yield "expect-late", [*take_away(site.statement), (
                later.statement.end_byte, later.statement.end_byte, " " + text(site.statement))]


def _copies(source):
    seen = set()
    for site in worth(source):
        if not site.kinds & {BULK, EXPECT}:
            continue
        edit = _by_all(site)
        if edit and edit[0] not in seen:
            seen.add(edit[0])
            yield "copy-by-all", edit
        if site.kinds != {BULK} or not _is_statement(site):
            continue
        yield "copy-remove", take_away(site.statement)
        yield "copy-duplicate", twice(site.statement)
        count = _bytes_of(site)
        if count:
            yield "copy-plus", replace(count, f"({text(count)}) + 16")
            yield "copy-half", replace(count, f"({text(count)}) / 2")


def _open_groups(site):
    """What says how many groups may stay open: an argument, one of the template, or an operand."""
    function = site.node.child_by_field_name("function")
    if site.name in ("__pipeline_wait_prior", "") or not function:
        return site.arguments[0] if site.arguments else None
    lists = [part for part in walk(function) if part.type == "template_argument_list"]
    if lists:
        return lists[-1].named_children[0]
    return site.arguments[0] if re.search(r"cp_async_bulk_wait_group", site.name) else None


def _drained(source):
    for site in sites_of(source, DRAIN):
        if site.kinds != {DRAIN} or not _is_statement(site):
            continue
        yield "drain-remove", take_away(site.statement)
        count = _open_groups(site)
        if count:
            yield "drain-plus", replace(count, f"({text(count)}) + 1")
        yield from edit_in_asm("drain-plus", site.node, r"(wait_group(?:\.read)? )(\d+)",
                               lambda m: m[1] + str(int(m[2]) + 1))
    for site in sites_of(source, COMMIT):
        if site.kinds == {COMMIT} and _is_statement(site):
            yield "commit-remove", take_away(site.statement)


def _noinc(source):
    for node in walk(source.root):
        yield from edit_in_asm("noinc-other", node,
                               r"cp\.async\.mbarrier\.arrive(\.noinc)?(?=\.shared)",
                               lambda m: "cp.async.mbarrier.arrive" + ("" if m[1] else ".noinc"))


def _stages(source):
    for kind in STAGES:
        for site in sites_of(source, kind):
            if site.kinds != {kind} or not _is_statement(site):
                continue
            yield f"{kind}-remove", take_away(site.statement)
            yield "stage-again", twice(site.statement)
            yield "stage-guard", replace(site.statement,
                                         f"if (threadIdx.x % 32 < 16) {text(site.statement)}")


def _roles(source):
    for node in walk(source.root):
        if node.type != "conditional_expression" or "pipeline_role" not in text(node):
            continue
        arms = [node.child_by_field_name(name) for name in ("consequence", "alternative")]
        yield "role-other", [*replace(arms[0], text(arms[1])), *replace(arms[1], text(arms[0]))]
        yield "role-same", replace(arms[1], text(arms[0]))
