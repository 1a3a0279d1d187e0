"""Mutants of what whole warps, clusters, groups and grids do together, and of launches and targets."""
import re

from mutant_source import (ARRIVE, Vocabulary, ancestors, edit_in_asm, replace, sites_of, take_away,
                           text, twice, walk, worth)

# A vote or exchange of lanes that a mask names, an instruction of a whole warp, the two halves of a
# barrier of a cluster and of a group, a barrier and a collective of a group, and a wait for the kernel
# before.
VOTE, WIDE, MAPPED, CLUSTER_ARRIVE, CLUSTER_WAIT, GROUP_ARRIVE, GROUP_WAIT, GROUP_SYNC, COLLECTIVE, EARLIER = (
    "vote", "wide", "mapped", "cluster-arrive", "cluster-wait", "group-arrive", "group-wait", "group-sync",
    "collective", "earlier")
# Half of a warp, and half of each tile.
SOME_LANES, EVEN_LANES = "threadIdx.x % 32 < 16", "threadIdx.x % 2 == 0"


def _call(name, called, arguments):
    del called, arguments
    return frozenset({GROUP_SYNC}) if name == "sync" else frozenset()


GROUPS = Vocabulary([
    (r"__(shfl|ballot|any|all|match|reduce)\w*_sync|__syncwarp", VOTE),
    (r"map_shared_rank", MAPPED),
    (r"mbarrier_arrive", ARRIVE),
    (r"barrier_cluster_arrive|__cluster_barrier_arrive\w*", CLUSTER_ARRIVE),
    (r"barrier_cluster_wait|__cluster_barrier_wait", CLUSTER_WAIT),
    (r"barrier_arrive", GROUP_ARRIVE),
    (r"barrier_wait", GROUP_WAIT),
    (r"reduce|shfl(_\w+)?|any|all|ballot|inclusive_scan|exclusive_scan", COLLECTIVE),
    (r"cudaGridDependencySynchronize", EARLIER),
], [
    (r"barrier\.cluster\.arrive", CLUSTER_ARRIVE),
    (r"barrier\.cluster\.wait", CLUSTER_WAIT),
    (r"elect\.sync|bar\.warp\.sync|(shfl|vote|match|redux)\.sync", VOTE),
    (r"ldmatrix|stmatrix|mma\.sync|wgmma|setmaxnreg", WIDE),
    (r"mapa\.", MAPPED),
    (r"mbarrier\.arrive", ARRIVE),
    (r"griddepcontrol\.wait", EARLIER),
], _call)


def mutants(source):
    for make in (_warp, _cluster, _ranks, _groups, _grid, _launches, _targets, _assembly, _speed):
        yield from make(source)


def _is_statement(site):
    return site.statement.type == "expression_statement"


def _some_lanes(site, lanes):
    """The operation by some of the lanes."""
    if _is_statement(site) and text(site.statement).rstrip("; ") == text(site.node) or (
            site.node.type == "gnu_asm_expression"):
        return replace(site.statement, f"if ({lanes}) {text(site.statement)}")
    call = text(site.node)
    return replace(site.node, f"({lanes} ? {call} : decltype({call}){{}})")


def _warp(source):
    for site in worth(source):
        if site.kinds == {WIDE}:
            yield "wide-lanes", _some_lanes(site, SOME_LANES)
        elif site.kinds == {VOTE}:
            yield "vote-lanes", _some_lanes(site, SOME_LANES)
        elif site.kinds == {COLLECTIVE} and "<<<" not in text(site.node):
            yield "collective-lanes", _some_lanes(site, EVEN_LANES)
        if site.name == "__syncwarp" and _is_statement(site):
            yield "syncwarp-remove", take_away(site.statement)
            if not site.arguments:
                yield "mask-part", replace(site.node, "__syncwarp(0x0000ffffu)")
        if not re.fullmatch(r"__\w+_sync|__syncwarp", site.name) or not site.arguments:
            continue
        mask = site.arguments[0]
        if re.fullmatch(r"(0xffffffff|-1|~0)[uU]?", text(mask), re.IGNORECASE):
            yield "mask-part", replace(mask, "0x0000ffffu")
        else:
            yield "mask-full", replace(mask, "0xffffffffu")
            yield "mask-active", replace(mask, "__activemask()")


def _about(source, site, what):
    """Whether the group an operation is about is one of `what`, by how the source makes it."""
    words = set(re.findall(r"\w+", text(site.node)))
    made = {m[1] for m in re.finditer(rf"(\w+)\s*(?:=|\(|\{{)\s*(?:\w+::)*this_{what}\b",
                                      source.data.decode())}
    made |= {m[1] for m in re.finditer(rf"\b{what}_group\s*&?\s*(\w+)", source.data.decode())}
    return bool(words & (made | {f"this_{what}"}))


def _cluster(source):
    for site in sites_of(source, CLUSTER_WAIT):
        if site.kinds == {CLUSTER_WAIT} and _is_statement(site):
            yield "cluster-wait-remove", take_away(site.statement)
            yield "cluster-wait-again", twice(site.statement)
    for site in worth(source):
        if site.kinds == {CLUSTER_ARRIVE, CLUSTER_WAIT} and _is_statement(site):
            yield "cluster-sync-remove", take_away(site.statement)
    for site in source.sites:
        if site.name in ("barrier_cluster_arrive", "__cluster_barrier_arrive") and not (
                site.callee or site.arguments):
            call = text(site.node.child_by_field_name("function"))
            yield "cluster-relaxed", replace(site.node, f"{call}_relaxed()" if call.startswith("__")
                                             else f"{call}(cuda::ptx::sem_relaxed)")
    for node in walk(source.root):
        yield from edit_in_asm("cluster-relaxed", node,
                               r"barrier\.cluster\.arrive(\.release)?(?=\.aligned|;)",
                               lambda m: "barrier.cluster.arrive.relaxed")
        yield from edit_in_asm("arrive-relaxed", node, r"mbarrier\.arrive\.release\.",
                               lambda m: "mbarrier.arrive.relaxed.")
        yield from edit_in_asm("arrive-relaxed", node, r"(?<!async\.)mbarrier\.arrive(?=\.shared)",
                               lambda m: "mbarrier.arrive.relaxed.cta")


def _ranks(source):
    for site in worth(source):
        if MAPPED not in site.kinds:
            continue
        ranks = site.arguments[1:2] if site.name == "map_shared_rank" else [
            argument for name, argument in zip(site.callee.parameters, site.arguments)
            if re.search(r"rank|cta|peer|block|target", name)] if site.callee else []
        for rank in ranks:
            yield "rank-beyond", replace(rank, f"({text(rank)}) + 8")
            if ARRIVE in site.kinds or any("arrive" in text(above) for above in ancestors(site.node)
                                           if above.type == "expression_statement"):
                yield "rank-zero", replace(rank, "0")


def _groups(source):
    for site in sites_of(source, GROUP_WAIT):
        if _is_statement(site):
            yield "group-wait-remove", take_away(site.statement)
            yield "group-wait-again", twice(site.statement)
    for node in walk(source.root):
        if node.type == "template_function" and "tiled_partition" in text(node).split("<")[0]:
            size = node.child_by_field_name("arguments").named_children[0]
            yield "tile-large", replace(size, "1024")


def _grid(source):
    for site in worth(source):
        if not (site.kinds & {GROUP_SYNC, GROUP_ARRIVE} and _about(source, site, "grid")):
            continue
        if _is_statement(site):
            yield "grid-guard", replace(site.statement, f"if (blockIdx.x != 0) {text(site.statement)}")
        if site.function.kernel and site.statement.parent.type == "compound_statement":
            yield "grid-exit", [(site.statement.start_byte, site.statement.start_byte,
                                 "if (blockIdx.x == 0) return; ")]


def _extents(source):
    """(grid, block) expressions of the launches."""
    for node in walk(source.root):
        if node.type == "kernel_call_syntax" and len(node.named_children) >= 2:
            yield node.named_children[0], node.named_children[1]
        if node.type == "call_expression" and re.fullmatch(
                r"cudaLaunch(Cooperative)?Kernel", text(node.child_by_field_name("function"))):
            arguments = node.child_by_field_name("arguments").named_children
            yield arguments[1], arguments[2]
    fields = {}
    for node in walk(source.root):
        if node.type == "assignment_expression":
            field = re.fullmatch(r"\w+\.(grid|block)Dim", text(node.child_by_field_name("left")))
            if field:
                fields[field[1]] = node.child_by_field_name("right")
    if len(fields) == 2:
        yield fields["grid"], fields["block"]


def _launches(source):
    whole = source.data.decode()
    clusters = re.search(r"__cluster_dims__\s*\(\s*[2-9]|clusterDim\.x = [2-9]", whole)
    for grid, block in _extents(source):
        size = re.fullmatch(r"(?:dim3\()?(\d+)\)?", text(block))
        if size:
            yield "launch-beyond", replace(block, "1056")
            number = size[1]
            counted = re.search(rf"(launch_bounds__|[iI]nit\w*|b64 \[%0\])[^;\n]*\b{number}\b", whole)
            if counted:
                yield "launch-plus", replace(block, str(int(number) + 32))
        size = re.fullmatch(r"(?:dim3\()?(\d+)\)?", text(grid))
        if size and clusters:
            yield "launch-odd", replace(grid, str(int(size[1]) + 1))
    for pattern, new, operator in (
            (r"__cluster_dims__\s*\([^()]*\)", "", "launch-no-cluster"),
            (r"cudaLaunchAttributeClusterDimension", "cudaLaunchAttributePriority", "launch-no-cluster"),
            (r"cudaLaunchCooperativeKernel", "cudaLaunchKernel", "launch-ordinary"),
            (r"(?<=\.cooperative = )1", "0", "launch-ordinary")):
        for match in re.finditer(pattern.encode(), source.data):
            # A kernel that addresses no other block can do without its cluster.
            if operator != "launch-no-cluster" or re.search(r"mapa\.|map_shared_rank", whole):
                yield operator, [(match.start(), match.end(), new)]
    for site in sites_of(source, EARLIER):
        if _is_statement(site):
            yield "earlier-remove", take_away(site.statement)


# The instructions that a target lacks, and the target.
LACKING = (("sm_80", r"expect_tx|arrive_tx|cluster|cp\.async\.bulk|cp_async_bulk"),
           ("sm_75", r"\bmbarrier\.|ptx::mbarrier_|__mbarrier_|cp\.async"))


def _targets(source):
    code = re.sub(r"//[^\n]*|#include[^\n]*", "", source.data.decode())
    arch = next((arch for arch, pattern in LACKING if re.search(pattern, code)), None)
    if arch and not source.data.startswith(b"// arch:") and "__CUDA_ARCH__" not in code:
        yield "arch-lower", [(0, 0, f"// arch: {arch}\n")]


def _assembly(source):
    edits = []
    for node in walk(source.root):
        clobbers = node.child_by_field_name("clobbers") if node.type == "gnu_asm_expression" else None
        if clobbers and re.search(
                r"\bbar(rier)?\.|mbarrier\.(arrive|test_wait|try_wait)|wait_group|wait_all", text(node)):
            edits += replace(clobbers, text(clobbers).replace('"memory"', '"cc"'))
    if edits:
        yield "clobber-remove", edits


def _speed(source):
    for node in walk(source.root):
        if node.type != "call_expression":
            continue
        function = text(node.child_by_field_name("function"))
        if function == "__syncthreads" and node.parent.type == "expression_statement":
            yield "sync-again", twice(node.parent)
        loop = next((above for above in ancestors(node) if above.type in (
            "while_statement", "do_statement", "compound_statement")), None)
        if re.fullmatch(r"(\w+::)*mbarrier_try_wait_parity|__mbarrier_try_wait(_parity)?", function) and (
                loop and loop.type != "compound_statement"):
            arguments = [text(part) for part in node.child_by_field_name("arguments").named_children]
            yield "try-to-test", replace(node, function.replace("try_wait", "test_wait") + "(" +
                                         ", ".join(arguments[:2]) + ")")
