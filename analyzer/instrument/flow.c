#define _GNU_SOURCE // memmem
#include "instrument/flow.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "instrument/calls.h"
#include "instrument/items.h"

// Kernels of more nodes than any compiler makes are not looked at: the time goes with the square.
enum { NOWHERE = FLOW_NOWHERE, LARGEST_KERNEL = 1 << 14 };

// Names of inner braces, as inline assembly has them, are known within these and are often alike.
static char *scoped_key(struct flow *flow, ptrdiff_t scope, const char *name, size_t length)
{
    return arena_printf(&flow->arena, "%td %.*s", scope, (int)length, name);
}

bool flow_is_register(const char *key)
{
    return *key == '%' || (*key >= '0' && *key <= '9');
}

// What the name is called in `names` where it stands in the scope.
static char *name_key(struct flow *flow, ptrdiff_t scope, const char *name, size_t length)
{
    for (; flow->inner && scope >= 0; scope = flow->around[scope]) {
        char *key = scoped_key(flow, scope, name, length);
        if (shgeti(flow->inner, key) >= 0)
            return key;
    }
    return arena_strndup(&flow->arena, name, length);
}

static ptrdiff_t find_in(struct flow_name *map, const char *name)
{
    ptrdiff_t at = map ? shgeti(map, name) : NOWHERE; // which makes a map where none is
    return at < 0 ? NOWHERE : map[at].value;
}

static ptrdiff_t name_index(struct flow *flow, const char *text, size_t length)
{
    char *key = name_key(flow, flow->scope, text, length);
    ptrdiff_t at = shgeti(flow->names, key);
    if (at >= 0)
        return flow->names[at].value;
    ptrdiff_t index = arrlen(flow->value);
    struct flow_value value = {.written_by = NOWHERE};
    char *name = arena_strndup(&flow->arena, text, length);
    bool is_inner = *key >= '0' && *key <= '9', is_taken = shgeti(flow->only, name) >= 0;
    if (*name == '%' && (is_inner ? shgeti(flow->names, name) >= 0 : is_taken))
        shput(flow->hidden, name, 0);
    shput(flow->names, key, index);
    arrput(flow->value, value);
    if (is_inner)
        shput(flow->only, name, is_taken ? NOWHERE : index);
    return index;
}

// --- Reading -------------------------------------------------------------------------------------

static struct flow_node *open_node(struct flow *flow)
{
    if (!flow->is_open) {
        struct flow_node node = {.first = arrlen(flow->step),
                                 .end = arrlen(flow->step),
                                 .next = {NOWHERE, NOWHERE},
                                 .condition = NOWHERE,
                                 .order = NOWHERE,
                                 .dominator = NOWHERE};
        arrput(flow->node, node);
        flow->is_open = true;
    }
    return &arrlast(flow->node);
}

size_t flow_next_name(const char **at)
{
    bool is_part = false; // the x of %tid.x
    while (**at) {
        size_t length = 0;
        while (item_is_name((*at)[length]))
            ++length;
        if (length && !(**at >= '0' && **at <= '9') && !is_part)
            return length;
        *at += length ? length : 1;
        is_part = (*at)[-1] == '.';
    }
    return 0;
}

// Enters the names in an operand. Returns how many.
static uint32_t read_names(struct flow *flow, const char *operand)
{
    uint32_t count = 0;
    size_t length;
    for (const char *at = operand; (length = flow_next_name(&at)); at += length) {
        arrput(flow->operand, name_index(flow, at, length));
        ++count;
    }
    return count;
}

// Does the instruction do nothing but compute from its operands?
static bool is_arithmetic(const char *word)
{
    static const char *const words[] = {
        "mov",  "add",  "sub",   "mul",   "mad",  "mul24",   "mad24", "sad",   "div",
        "rem",  "abs",  "neg",   "min",   "max",  "and",     "or",    "xor",   "not",
        "cnot", "shl",  "shr",   "shf",   "setp", "set",     "selp",  "slct",  "cvt",
        "cvta", "fma",  "popc",  "clz",   "bfe",  "bfi",     "brev",  "prmt",  "bfind",
        "lop3", "bmsk", "szext", "testp", "dp4a", "dp2a",    "sqrt",  "rsqrt", "rcp",
        "sin",  "cos",  "ex2",   "lg2",   "tanh", "copysign"};
    return IS_ANY(word, words);
}

// Does the kernel's header have the name?
static bool is_parameter(const struct flow *flow, const char *name, size_t length)
{
    const char *at = flow->text + flow->header, *end = flow->text + flow->body;
    for (; length && (at = memmem(at, (size_t)(end - at), name, length)); ++at)
        if (!item_is_name(at[-1]) && at[-1] != '.' && !item_is_name(at[length]))
            return true;
    return false;
}

// A load that gives all threads the same from the same address: of the kernel's parameters, or of
// memory that nobody writes meanwhile.
static bool is_constant_load(const struct flow *flow, const struct instruction *instruction)
{
    if (instruction->operand_count != 2 || !operand_is_address(instruction->operand[1]))
        return false;
    if (instruction_has(instruction, "const") || instruction_has(instruction, "nc"))
        return true;
    const char *name = instruction->operand[1] + 1;
    size_t length = 0;
    while (item_is_name(name[length]))
        ++length;
    // Addresses in registers are those of the kernel's, too; what calls return is named.
    return instruction_has(instruction, "param") &&
           (*name == '%' || is_parameter(flow, name, length));
}

static bool is_small_number(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return digits && digits < 3 && !text[digits] && strtoul(text, NULL, 10) < 16;
}

// Is it an operation on an mbarrier of this CTA, by its shared address and for the CTA, that the
// block can execute as a whole?
static enum flow_barrier mbarrier_kind(const struct instruction *instruction)
{
    static const char *const plain[] = {"mbarrier", "shared", "shared::cta", "b64"};
    static const char *const arrive[] = {"arrive", "release", "cta"};
    static const char *const test[] = {"test_wait", "try_wait", "parity", "acquire", "cta"};
    static const char *const init[] = {"init"};
    const char *word = instruction->part[1];
    bool is_init = strcmp(word, "init") == 0, is_arrive = strcmp(word, "arrive") == 0;
    for (uint32_t i = 0; i < instruction->part_count; ++i) {
        const char *part = instruction->part[i];
        bool is_known = IS_ANY(part, plain) || (is_init     ? IS_ANY(part, init)
                                                : is_arrive ? IS_ANY(part, arrive)
                                                            : IS_ANY(part, test));
        if (!is_known)
            return FLOW_OTHER;
    }
    bool is_shared =
        instruction_has(instruction, "shared") || instruction_has(instruction, "shared::cta");
    uint32_t at = is_init ? 0 : 1, count = instruction->operand_count;
    if (!is_shared || count <= at || !operand_is_address(instruction->operand[at]) ||
        (!is_init && !item_is_name(*instruction->operand[0])))
        return FLOW_OTHER;
    if (is_init)
        return count == 2 && !instruction->guard ? FLOW_INIT : FLOW_OTHER;
    return is_arrive                                ? FLOW_ARRIVE
           : instruction_has(instruction, "parity") ? FLOW_PARITY
                                                    : FLOW_TEST;
}

static enum flow_barrier cluster_barrier_kind(const struct instruction *instruction)
{
    if (instruction->operand_count)
        return FLOW_OTHER;
    return instruction_has(instruction, "arrive") ? FLOW_CLUSTER_ARRIVE
           : instruction_has(instruction, "wait") ? FLOW_CLUSTER_WAIT
                                                  : FLOW_OTHER;
}

// bar and barrier, of a block or a cluster.
static enum flow_barrier block_barrier_kind(const struct instruction *instruction)
{
    if (instruction_has(instruction, "cluster"))
        return cluster_barrier_kind(instruction);
    uint32_t count = instruction->operand_count;
    bool is_sync = instruction_has(instruction, "sync") && count == 1;
    bool is_counted = instruction_has(instruction, "sync") && count == 2;
    bool is_red = instruction_has(instruction, "red") && count == 3;
    if (!(is_sync || is_counted || is_red))
        return FLOW_OTHER;
    bool is_said = is_small_number(instruction->operand[is_red ? 1 : 0]);
    return is_said && !is_counted ? FLOW_OF_BLOCK : is_red || is_sync ? FLOW_OTHER : FLOW_COUNTED;
}

// What kind of barrier is it? Copies' groups and fences cannot hold anybody.
static enum flow_barrier barrier_kind(const struct instruction *instruction)
{
    static const char *const warp[] = {"shfl", "vote", "match", "redux", "elect"};
    static const char *const other[] = {
        "tcgen05", "clusterlaunchcontrol", "setmaxnreg", "red.async", "st.async", "mapa"};
    const char *word = instruction->part[0];
    if (IS_ANY(word, warp) || instruction_is(instruction, "bar.warp"))
        return instruction->operand_count ? FLOW_OF_WARP : FLOW_OTHER;
    if (strcmp(word, "bar") == 0 || strcmp(word, "barrier") == 0)
        return block_barrier_kind(instruction);
    if (strcmp(word, "mbarrier") == 0 && instruction->part_count > 1)
        return mbarrier_kind(instruction);
    if (strcmp(word, "cp") == 0)
        return instruction_has(instruction, "mbarrier") ||
                       instruction_has(instruction, "mbarrier::complete_tx::bytes")
                   ? FLOW_OTHER
                   : FLOW_NO_BARRIER;
    for (size_t i = 0; i < sizeof other / sizeof *other; ++i)
        if (instruction_is(instruction, other[i]))
            return FLOW_OTHER;
    return FLOW_NO_BARRIER;
}

// Does every lane of a warp get the same from it?
static bool agrees_in_warp(const struct instruction *instruction)
{
    static const char *const votes[] = {"all", "any", "uni", "ballot"};
    bool is_vote = strcmp(instruction->part[0], "vote") == 0;
    for (uint32_t i = 1; is_vote && i < instruction->part_count; ++i)
        if (IS_ANY(instruction->part[i], votes))
            return instruction_has(instruction, "sync");
    return strcmp(instruction->part[0], "redux") == 0;
}

static enum flow_result result_of(const struct flow *flow, const struct instruction *instruction)
{
    const char *word = instruction->part[0];
    if (is_arithmetic(word) || (strcmp(word, "ld") == 0 && is_constant_load(flow, instruction)))
        return FLOW_COMPUTES;
    if (agrees_in_warp(instruction))
        return FLOW_AGREES_IN_WARP;
    bool reduces = strcmp(word, "bar") == 0 || strcmp(word, "barrier") == 0;
    return reduces ? FLOW_AGREES : FLOW_VARIES;
}

// Is the first operand what the instruction writes?
static bool writes_first(const struct instruction *instruction)
{
    const char *word = instruction->part[0];
    bool is_barrier = strcmp(word, "bar") == 0 || strcmp(word, "barrier") == 0;
    return instruction->operand_count && !operand_is_address(instruction->operand[0]) &&
           (!is_barrier || instruction_has(instruction, "red"));
}

static void read_step(struct flow *flow, const struct item *item,
                      const struct instruction *instruction, enum flow_barrier barrier)
{
    struct flow_node *node = open_node(flow);
    struct flow_step step = {.begin = item->begin,
                             .end = item->end,
                             .scope = flow->scope,
                             .result = result_of(flow, instruction),
                             .barrier = barrier,
                             .guard = NOWHERE,
                             .names = arrlen(flow->operand)};
    uint32_t count = instruction->operand_count;
    bool writes = writes_first(instruction);
    if (writes)
        step.writes = read_names(flow, instruction->operand[0]);
    for (uint32_t i = 0; i < step.writes; ++i) {
        struct flow_value *value = &flow->value[flow->operand[step.names + i]];
        ++value->written;
        value->written_by = arrlen(flow->step);
    }
    for (uint32_t i = writes; i < count; ++i)
        step.reads += read_names(flow, instruction->operand[i]);
    if (instruction->guard)
        step.guard = name_index(flow, instruction->guard, strlen(instruction->guard));
    arrput(flow->step, step);
    node->end = arrlen(flow->step);
}

// A branch, or the end of a thread. Returns false for what is not followed.
static bool read_jump(struct flow *flow, const struct instruction *instruction)
{
    struct flow_node *node = open_node(flow);
    bool jumps = strcmp(instruction->part[0], "bra") == 0;
    if (jumps && instruction->operand_count != 1)
        return false;
    node->aborts = strcmp(instruction->part[0], "trap") == 0;
    node->target = jumps ? instruction->operand[0] : ""; // "": the end
    node->scope = flow->scope;
    node->falls = instruction->guard != NULL;
    if (instruction->guard)
        node->condition = name_index(flow, instruction->guard, strlen(instruction->guard));
    node->is_negated = instruction->guard_negated;
    flow->is_open = false;
    return true;
}

// Returns false for what is not followed.
static bool read_instruction(struct flow *flow, const struct item *item)
{
    static const char *const jumps[] = {"bra", "ret", "exit", "trap"};
    struct instruction instruction;
    if (!instruction_parse(&flow->arena, flow->text + item->begin, item->end - item->begin,
                           &instruction))
        return false;
    if (IS_ANY(instruction.part[0], jumps))
        return read_jump(flow, &instruction);
    if (strcmp(instruction.part[0], "brx") == 0 ||
        (strcmp(instruction.part[0], "call") == 0 &&
         !calls_harmless(flow->text, flow->length, &instruction)))
        return false;
    // The grid's barrier is made of ordinary instructions; its workspace is in these registers.
    for (uint32_t i = 0; i < instruction.operand_count; ++i)
        if (strncmp(instruction.operand[i], "%envreg", strlen("%envreg")) == 0)
            return false;
    read_step(flow, item, &instruction, barrier_kind(&instruction));
    return true;
}

// A label begins a node. Returns false if there is another of its name.
static bool read_label(struct flow *flow, const struct item *item)
{
    size_t length = 0;
    while (item_is_name(flow->text[item->begin + length]))
        ++length;
    char *label = scoped_key(flow, flow->scope, flow->text + item->begin, length);
    if (shgeti(flow->label, label) >= 0)
        return false;
    if (flow->is_open) {
        arrlast(flow->node).falls = true;
        flow->is_open = false;
    }
    open_node(flow);
    shput(flow->label, label, arrlen(flow->node) - 1);
    return true;
}

// Registers of inner braces, and those of the outermost that are called as variables are, as
// inline assembly may: `.reg .pred P1, P2`. One may hide another of the kernel's, as in what nvcc
// makes of __syncthreads_or(). Returns false for what no compiler writes there.
static bool read_registers(struct flow *flow, const struct item *item)
{
    const char *at = flow->text + item->begin, *end = flow->text + item->end;
    if (!items_is_directive(flow->text, item->begin, ".reg"))
        return true;
    size_t length;
    for (at += strlen(".reg"); at < end && *at != '.'; ++at) // the type
        ;
    for (++at; (length = flow_next_name(&at)) && at < end; at += length) {
        bool is_type = at[-1] == '.';
        if (flow->scope == 0 && *at == '%') // known by that
            continue;
        bool hides = shgeti(flow->names, arena_strndup(&flow->arena, at, length)) >= 0;
        if (at[length] == '<' || (hides && *at != '%'))
            return false; // many, or one that hides what may be a variable
        if (!is_type)
            shput(flow->inner, scoped_key(flow, flow->scope, at, length), 0);
    }
    return true;
}

// A variable in shared memory: `.shared .align 8 .b8 NAME[8]`.
static void read_declaration(struct flow *flow, const struct item *item)
{
    const char *at = flow->text + item->begin, *end = flow->text + item->end;
    if (!items_is_directive(flow->text, item->begin, ".shared"))
        return;
    const char *align = memmem(at, (size_t)(end - at), ".align", strlen(".align"));
    long alignment = align ? strtol(align + strlen(".align"), NULL, 10) : 1;
    const char *open = memchr(at, '[', (size_t)(end - at));
    const char *last = open ? open : end - 1;
    while (last > at && !item_is_name(last[-1]))
        --last;
    const char *first = last;
    while (first > at && item_is_name(first[-1]))
        --first;
    char *name = arena_strndup(&flow->arena, first, (size_t)(last - first));
    shput(flow->shared, name, alignment);
}

static void enter_scope(struct flow *flow)
{
    arrput(flow->around, flow->scope);
    flow->scope = arrlen(flow->around) - 1;
}

static bool read_kernel(struct flow *flow, size_t length, size_t begin)
{
    struct items items;
    items_init(&items, flow->text, length);
    items.at = begin;
    struct item item = items_next(&items); // the header
    flow->header = begin;
    flow->body = item.end;
    if (items_next(&items).kind != ITEM_OPEN)
        return false;
    flow->scope = NOWHERE;
    enter_scope(flow);
    while (items.depth && (item = items_next(&items)).kind != ITEM_END) {
        if (item.kind == ITEM_OPEN)
            enter_scope(flow);
        if (item.kind == ITEM_CLOSE)
            flow->scope = flow->around[flow->scope];
        if (item.kind == ITEM_DECLARATION && !read_registers(flow, &item))
            return false;
        if (item.kind == ITEM_DECLARATION)
            read_declaration(flow, &item);
        if (item.kind == ITEM_LABEL && !read_label(flow, &item))
            return false;
        if (item.kind == ITEM_INSTRUCTION && !read_instruction(flow, &item))
            return false;
    }
    return item.kind == ITEM_CLOSE && arrlen(flow->node) < LARGEST_KERNEL;
}

// --- Control flow --------------------------------------------------------------------------------

// The node at the label that a branch names; NOWHERE for none.
static ptrdiff_t find_label(struct flow *flow, const struct flow_node *node)
{
    for (ptrdiff_t scope = node->scope; scope >= 0; scope = flow->around[scope]) {
        char *key = scoped_key(flow, scope, node->target, strlen(node->target));
        ptrdiff_t label = shgeti(flow->label, key);
        if (label >= 0)
            return flow->label[label].value;
    }
    return NOWHERE;
}

// Labels become nodes; a node more is the end. Returns false for a label that is not there.
static bool link_nodes(struct flow *flow)
{
    flow->is_open = false;
    ptrdiff_t end = arrlen(flow->node);
    (void)open_node(flow);
    for (ptrdiff_t i = 0; i < end; ++i) {
        struct flow_node *node = &flow->node[i];
        ptrdiff_t to = NOWHERE;
        if (node->target && *node->target) {
            to = find_label(flow, node);
            if (to < 0)
                return false;
        } else if (node->target && !node->aborts) {
            to = end;
        }
        node->next[0] = node->falls || !node->target ? i + 1 : NOWHERE;
        node->next[1] = to;
    }
    return true;
}

// Numbers the nodes that lead to the end, each after one of those it leads to.
static ptrdiff_t *order_nodes(struct flow *flow)
{
    ptrdiff_t count = arrlen(flow->node), *order = NULL, *into = NULL, *from = NULL;
    arrsetlen(into, count + 1);
    memset(into, 0, (size_t)(count + 1) * sizeof *into);
    for (ptrdiff_t i = 0; i < count; ++i)
        for (int j = 0; j < 2; ++j)
            if (flow->node[i].next[j] >= 0)
                ++into[flow->node[i].next[j] + 1];
    for (ptrdiff_t i = 0; i < count; ++i)
        into[i + 1] += into[i];
    arrsetlen(from, into[count] + 1);
    ptrdiff_t *used = NULL;
    arrsetlen(used, count);
    memset(used, 0, (size_t)count * sizeof *used);
    for (ptrdiff_t i = 0; i < count; ++i)
        for (int j = 0; j < 2; ++j) {
            ptrdiff_t to = flow->node[i].next[j];
            if (to >= 0)
                from[into[to] + used[to]++] = i;
        }
    // Depth first, written when left: reversed it is an order in which dominators come first.
    ptrdiff_t *stack = NULL;
    memset(used, 0, (size_t)count * sizeof *used);
    arrput(stack, count - 1);
    flow->node[count - 1].order = 0;
    while (arrlen(stack)) {
        ptrdiff_t at = arrlast(stack);
        if (into[at] + used[at] == into[at + 1]) {
            arrput(order, arrpop(stack));
            continue;
        }
        ptrdiff_t before = from[into[at] + used[at]++];
        if (flow->node[before].order == NOWHERE) {
            flow->node[before].order = 0;
            arrput(stack, before);
        }
    }
    for (ptrdiff_t i = 0; i < arrlen(order); ++i)
        flow->node[order[i]].order = i;
    arrfree(stack);
    arrfree(used);
    arrfree(from);
    arrfree(into);
    return order;
}

// Does every node lead to the end, or to where the grid is aborted? One that leads nowhere may keep
// threads for ever.
static bool all_end(const struct flow *flow)
{
    for (ptrdiff_t i = 0; i < arrlen(flow->node); ++i) {
        ptrdiff_t at = i;
        for (ptrdiff_t steps = arrlen(flow->node); steps-- > 0;) {
            const struct flow_node *node = &flow->node[at];
            if (node->order != NOWHERE || (node->aborts && !node->falls))
                break;
            bool is_line = (node->next[0] == NOWHERE) != (node->next[1] == NOWHERE);
            if (!is_line || steps == 0)
                return false;
            at = node->next[0] != NOWHERE ? node->next[0] : node->next[1];
        }
    }
    return true;
}

// Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm; on the graph turned round.
static void find_dominators(struct flow *flow, const ptrdiff_t *order)
{
    struct flow_node *node = flow->node;
    ptrdiff_t end = arrlen(node) - 1;
    node[end].dominator = end;
    for (bool changed = true; changed;) {
        changed = false;
        for (ptrdiff_t i = arrlen(order) - 1; i-- > 0;) {
            ptrdiff_t at = order[i], dominator = NOWHERE;
            for (int j = 0; j < 2; ++j) {
                ptrdiff_t next = node[at].next[j];
                if (next < 0 || node[next].dominator == NOWHERE)
                    continue;
                ptrdiff_t other = dominator < 0 ? next : dominator;
                while (next != other) {
                    if (node[next].order < node[other].order)
                        next = node[next].dominator;
                    else
                        other = node[other].dominator;
                }
                dominator = other;
            }
            changed |= node[at].dominator != dominator;
            node[at].dominator = dominator;
        }
    }
}

// --- Entry ---------------------------------------------------------------------------------------

bool flow_read(struct flow *flow, const char *text, size_t length, size_t begin)
{
    *flow = (struct flow){.text = text, .length = length};
    arena_init(&flow->arena);
    if (!read_kernel(flow, length, begin) || !link_nodes(flow))
        return false;
    ptrdiff_t *order = order_nodes(flow);
    bool ends = all_end(flow);
    if (ends)
        find_dominators(flow, order);
    arrfree(order);
    return ends;
}

void flow_release(struct flow *flow)
{
    shfree(flow->names);
    shfree(flow->label);
    shfree(flow->shared);
    arrfree(flow->value);
    arrfree(flow->operand);
    arrfree(flow->step);
    arrfree(flow->node);
    arrfree(flow->stack);
    arrfree(flow->around);
    shfree(flow->inner);
    shfree(flow->hidden);
    shfree(flow->only);
    arena_release(&flow->arena);
}

void flow_each_apart(struct flow *flow, ptrdiff_t from, int way, flow_visit *visit, void *context)
{
    struct flow_node *node = flow->node;
    size_t count = arrlenu(node);
    if (!flow->is_seen)
        flow->is_seen = arena_alloc(&flow->arena, count * sizeof *flow->is_seen);
    memset(flow->is_seen, 0, count * sizeof *flow->is_seen);
    if (node[from].next[way] >= 0)
        arrput(flow->stack, node[from].next[way]);
    while (arrlen(flow->stack)) {
        ptrdiff_t at = arrpop(flow->stack);
        if (at == node[from].dominator || flow->is_seen[at])
            continue;
        flow->is_seen[at] = true;
        visit(context, &node[at]);
        for (int j = 0; j < 2; ++j)
            if (node[at].next[j] >= 0)
                arrput(flow->stack, node[at].next[j]);
    }
}

ptrdiff_t flow_find(const struct flow *flow, const char *name)
{
    if (find_in(flow->hidden, name) >= 0)
        return NOWHERE;
    ptrdiff_t value = find_in(flow->names, name);
    return value >= 0 ? value : find_in(flow->only, name);
}

ptrdiff_t flow_find_at(struct flow *flow, const struct flow_step *step, const char *name,
                       size_t length)
{
    const char *key = name_key(flow, step->scope, name, length);
    ptrdiff_t value = find_in(flow->names, key);
    return value >= 0 ? value : flow_find(flow, key);
}

struct instruction flow_instruction(struct flow *flow, const struct flow_step *step)
{
    struct instruction instruction;
    (void)instruction_parse(&flow->arena, flow->text + step->begin, step->end - step->begin,
                            &instruction);
    return instruction;
}
