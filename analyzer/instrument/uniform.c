// A value is uniform when it comes from parameters, constants and the block's place in the grid by
// arithmetic, in code that all threads execute. A branch by any other value divides the threads up
// to the branch's immediate postdominator: what is executed there, and what is computed there, is
// not uniform. Found as a fixed point, from below: nothing varies but what must.
#define _GNU_SOURCE // memmem
#include "instrument/uniform.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "instrument/instruction.h"
#include "instrument/items.h"

// Kernels of more nodes than any compiler makes are not looked at: the time goes with the square.
enum { NOWHERE = -1, LARGEST_KERNEL = 1 << 14 };

enum step_kind {
    STEP_COMPUTES, // what it writes varies if what it reads does
    STEP_VARIES,   // what it writes varies
    STEP_AGREES,   // what it writes is the same for all threads that are there
};

struct step {
    enum step_kind kind;
    bool is_barrier;
    ptrdiff_t guard;        // a name, or NOWHERE
    ptrdiff_t names;        // into kernel.operand: what it writes, then what it reads
    uint32_t writes, reads; // how many
};

// Instructions without a branch between them. The last node is the kernel's end.
struct node {
    ptrdiff_t first, end;       // steps
    ptrdiff_t next[2];          // nodes, or NOWHERE
    ptrdiff_t condition;        // the name that chooses between two; else NOWHERE
    const char *target;         // the label of next[1] until all are known
    bool falls, aborts;         // into the next node; ends the whole grid
    ptrdiff_t order, dominator; // number in a walk from the end; the immediate postdominator
    bool is_divided;            // some threads of the block are elsewhere
    bool parts;                 // its branch has divided them
};

struct name {
    char *key;
    ptrdiff_t value; // index into `varies`
};

struct kernel {
    struct arena arena;
    const char *text;
    size_t header, body;
    struct name *names; // stb_ds
    bool *varies;       // stb_ds, by name
    bool *is_written;   // stb_ds, by name
    ptrdiff_t *operand; // stb_ds
    struct step *step;  // stb_ds
    struct node *node;  // stb_ds
    struct name *label; // stb_ds: nodes
    bool is_open;       // the last node can still take steps
};

static ptrdiff_t name_index(struct kernel *kernel, const char *text, size_t length)
{
    char *key = arena_strndup(&kernel->arena, text, length);
    ptrdiff_t at = shgeti(kernel->names, key);
    if (at >= 0)
        return kernel->names[at].value;
    ptrdiff_t index = arrlen(kernel->varies);
    shput(kernel->names, key, index);
    arrput(kernel->varies, false);
    arrput(kernel->is_written, false);
    return index;
}

// --- Reading -------------------------------------------------------------------------------------

static struct node *open_node(struct kernel *kernel)
{
    if (!kernel->is_open) {
        struct node node = {.first = arrlen(kernel->step),
                            .end = arrlen(kernel->step),
                            .next = {NOWHERE, NOWHERE},
                            .condition = NOWHERE,
                            .order = NOWHERE,
                            .dominator = NOWHERE};
        arrput(kernel->node, node);
        kernel->is_open = true;
    }
    return &arrlast(kernel->node);
}

// The names in an operand: registers, special registers, variables. Returns how many.
static uint32_t read_names(struct kernel *kernel, const char *operand)
{
    uint32_t count = 0;
    for (const char *at = operand; *at;) {
        size_t length = 0;
        while (item_is_name(at[length]))
            ++length;
        bool is_part = at > operand && at[-1] == '.'; // the x of %tid.x
        if (length && !(*at >= '0' && *at <= '9') && !is_part) {
            arrput(kernel->operand, name_index(kernel, at, length));
            ++count;
        }
        at += length ? length : 1;
    }
    return count;
}

static bool is_any(const char *word, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (strcmp(word, list[i]) == 0)
            return true;
    return false;
}
#define IS_ANY(word, list) is_any(word, list, sizeof(list) / sizeof *(list))

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

// Special registers that are the same for all threads of a block.
static bool is_of_block(const char *name)
{
    static const char *const names[] = {"%ntid",
                                        "%ctaid",
                                        "%nctaid",
                                        "%gridid",
                                        "%nsmid",
                                        "%nwarpid",
                                        "%clusterid",
                                        "%nclusterid",
                                        "%cluster_ctaid",
                                        "%cluster_nctaid",
                                        "%cluster_ctarank",
                                        "%cluster_nctarank",
                                        "%dynamic_smem_size",
                                        "%total_smem_size",
                                        "%aggr_smem_size"};
    return IS_ANY(name, names);
}

// Does the kernel's header have the name?
static bool is_parameter(const struct kernel *kernel, const char *name, size_t length)
{
    const char *at = kernel->text + kernel->header, *end = kernel->text + kernel->body;
    for (; length && (at = memmem(at, (size_t)(end - at), name, length)); ++at)
        if (!item_is_name(at[-1]) && at[-1] != '.' && !item_is_name(at[length]))
            return true;
    return false;
}

// A load that gives all threads the same from the same address: of the kernel's parameters, or of
// memory that nobody writes meanwhile.
static bool is_constant_load(const struct kernel *kernel, const struct instruction *instruction)
{
    if (instruction->operand_count != 2 || !operand_is_address(instruction->operand[1]))
        return false;
    if (instruction_has(instruction, "const") || instruction_has(instruction, "nc"))
        return true;
    const char *name = instruction->operand[1] + 1;
    size_t length = 0;
    while (item_is_name(name[length]))
        ++length;
    return instruction_has(instruction, "param") && is_parameter(kernel, name, length);
}

static bool is_all_lanes(const char *mask)
{
    static const char *const masks[] = {"-1", "0xffffffff", "0xFFFFFFFF", "4294967295"};
    return IS_ANY(mask, masks);
}

static bool is_small_number(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return digits && digits < 3 && !text[digits] && strtoul(text, NULL, 10) < 16;
}

enum barrier { BARRIER_NONE, BARRIER_OF_ALL, BARRIER_OTHER };

// What kind of barrier is it? Copies' groups and fences cannot hold anybody.
static enum barrier barrier_kind(const struct instruction *instruction)
{
    static const char *const warp[] = {"shfl", "vote", "match", "redux", "elect"};
    static const char *const other[] = {"mbarrier",   "tcgen05",   "clusterlaunchcontrol",
                                        "setmaxnreg", "red.async", "st.async"};
    const char *word = instruction->part[0];
    const char *last =
        instruction->operand_count ? instruction->operand[instruction->operand_count - 1] : "";
    if (IS_ANY(word, warp) || instruction_is(instruction, "bar.warp"))
        return is_all_lanes(last) || !instruction_has(instruction, "sync") ? BARRIER_OF_ALL
                                                                           : BARRIER_OTHER;
    if (strcmp(word, "bar") == 0 || strcmp(word, "barrier") == 0) {
        bool is_sync = instruction_has(instruction, "sync") && instruction->operand_count == 1;
        bool is_red = instruction_has(instruction, "red") && instruction->operand_count == 3;
        const char *number = is_sync ? instruction->operand[0] : instruction->operand[1];
        return !instruction_has(instruction, "cluster") && (is_sync || is_red) &&
                       is_small_number(number)
                   ? BARRIER_OF_ALL
                   : BARRIER_OTHER;
    }
    if (strcmp(word, "cp") == 0)
        return instruction_has(instruction, "mbarrier") ||
                       instruction_has(instruction, "mbarrier::complete_tx::bytes")
                   ? BARRIER_OTHER
                   : BARRIER_NONE;
    for (size_t i = 0; i < sizeof other / sizeof *other; ++i)
        if (instruction_is(instruction, other[i]))
            return BARRIER_OTHER;
    return BARRIER_NONE;
}

static enum step_kind step_kind(const struct kernel *kernel, const struct instruction *instruction)
{
    const char *word = instruction->part[0];
    if (is_arithmetic(word) || (strcmp(word, "ld") == 0 && is_constant_load(kernel, instruction)))
        return STEP_COMPUTES;
    bool reduces = strcmp(word, "bar") == 0 || strcmp(word, "barrier") == 0;
    return reduces ? STEP_AGREES : STEP_VARIES;
}

static void read_step(struct kernel *kernel, const struct instruction *instruction,
                      enum barrier barrier)
{
    struct node *node = open_node(kernel);
    struct step step = {.kind = step_kind(kernel, instruction),
                        .is_barrier = barrier == BARRIER_OF_ALL,
                        .guard = NOWHERE,
                        .names = arrlen(kernel->operand)};
    uint32_t count = instruction->operand_count;
    if (count && !operand_is_address(instruction->operand[0]))
        step.writes = read_names(kernel, instruction->operand[0]);
    for (uint32_t i = 0; i < step.writes; ++i)
        kernel->is_written[kernel->operand[step.names + i]] = true;
    for (uint32_t i = count && operand_is_address(instruction->operand[0]) ? 0 : 1; i < count; ++i)
        step.reads += read_names(kernel, instruction->operand[i]);
    if (instruction->guard)
        step.guard = name_index(kernel, instruction->guard, strlen(instruction->guard));
    arrput(kernel->step, step);
    node->end = arrlen(kernel->step);
}

// A branch, or the end of a thread. Returns false for what is not followed.
static bool read_jump(struct kernel *kernel, const struct instruction *instruction)
{
    struct node *node = open_node(kernel);
    bool jumps = strcmp(instruction->part[0], "bra") == 0;
    if (jumps && instruction->operand_count != 1)
        return false;
    node->aborts = strcmp(instruction->part[0], "trap") == 0;
    node->target = jumps ? instruction->operand[0] : ""; // "": the end
    node->falls = instruction->guard != NULL;
    if (instruction->guard)
        node->condition = name_index(kernel, instruction->guard, strlen(instruction->guard));
    kernel->is_open = false;
    return true;
}

static bool calls_system(const struct instruction *instruction)
{
    for (uint32_t i = 0; i < instruction->operand_count; ++i)
        if (function_is_system(instruction->operand[i]))
            return true;
    return false;
}

// Returns false where the kernel cannot be shown to be uniform.
static bool read_instruction(struct kernel *kernel, const struct item *item)
{
    static const char *const jumps[] = {"bra", "ret", "exit", "trap"};
    struct instruction instruction;
    if (!instruction_parse(&kernel->arena, kernel->text + item->begin, item->end - item->begin,
                           &instruction))
        return false;
    if (IS_ANY(instruction.part[0], jumps))
        return read_jump(kernel, &instruction);
    if (strcmp(instruction.part[0], "brx") == 0 ||
        (strcmp(instruction.part[0], "call") == 0 && !calls_system(&instruction)))
        return false;
    // The grid's barrier is made of ordinary instructions; its workspace is in these registers.
    for (uint32_t i = 0; i < instruction.operand_count; ++i)
        if (strncmp(instruction.operand[i], "%envreg", strlen("%envreg")) == 0)
            return false;
    enum barrier barrier = barrier_kind(&instruction);
    if (barrier == BARRIER_OTHER)
        return false;
    read_step(kernel, &instruction, barrier);
    return true;
}

// A label begins a node. Returns false if there is another of its name.
static bool read_label(struct kernel *kernel, const struct item *item)
{
    size_t length = 0;
    while (item_is_name(kernel->text[item->begin + length]))
        ++length;
    char *label = arena_strndup(&kernel->arena, kernel->text + item->begin, length);
    if (shgeti(kernel->label, label) >= 0)
        return false;
    if (kernel->is_open) {
        arrlast(kernel->node).falls = true;
        kernel->is_open = false;
    }
    open_node(kernel);
    shput(kernel->label, label, arrlen(kernel->node) - 1);
    return true;
}

static bool read_kernel(struct kernel *kernel, size_t length, size_t begin)
{
    struct items items;
    items_init(&items, kernel->text, length);
    items.at = begin;
    struct item item = items_next(&items); // the header
    kernel->header = begin;
    kernel->body = item.end;
    if (items_next(&items).kind != ITEM_OPEN)
        return false;
    while (items.depth && (item = items_next(&items)).kind != ITEM_END) {
        if (item.kind == ITEM_LABEL && !read_label(kernel, &item))
            return false;
        if (item.kind == ITEM_INSTRUCTION && !read_instruction(kernel, &item))
            return false;
    }
    return item.kind == ITEM_CLOSE && arrlen(kernel->node) < LARGEST_KERNEL;
}

// --- Control flow --------------------------------------------------------------------------------

// Labels become nodes; a node more is the end. Returns false for a label that is not there.
static bool link_nodes(struct kernel *kernel)
{
    kernel->is_open = false;
    ptrdiff_t end = arrlen(kernel->node);
    (void)open_node(kernel);
    for (ptrdiff_t i = 0; i < end; ++i) {
        struct node *node = &kernel->node[i];
        ptrdiff_t to = NOWHERE;
        if (node->target && *node->target) {
            ptrdiff_t label = shgeti(kernel->label, node->target);
            if (label < 0)
                return false;
            to = kernel->label[label].value;
        } else if (node->target && !node->aborts) {
            to = end;
        }
        node->next[0] = node->falls || !node->target ? i + 1 : NOWHERE;
        node->next[1] = to;
    }
    return true;
}

// Numbers the nodes that lead to the end, each after one of those it leads to.
static ptrdiff_t *order_nodes(struct kernel *kernel)
{
    ptrdiff_t count = arrlen(kernel->node), *order = NULL, *into = NULL, *from = NULL;
    arrsetlen(into, count + 1);
    memset(into, 0, (size_t)(count + 1) * sizeof *into);
    for (ptrdiff_t i = 0; i < count; ++i)
        for (int j = 0; j < 2; ++j)
            if (kernel->node[i].next[j] >= 0)
                ++into[kernel->node[i].next[j] + 1];
    for (ptrdiff_t i = 0; i < count; ++i)
        into[i + 1] += into[i];
    arrsetlen(from, into[count] + 1);
    ptrdiff_t *used = NULL;
    arrsetlen(used, count);
    memset(used, 0, (size_t)count * sizeof *used);
    for (ptrdiff_t i = 0; i < count; ++i)
        for (int j = 0; j < 2; ++j) {
            ptrdiff_t to = kernel->node[i].next[j];
            if (to >= 0)
                from[into[to] + used[to]++] = i;
        }
    // Depth first, written when left: reversed it is an order in which dominators come first.
    ptrdiff_t *stack = NULL;
    memset(used, 0, (size_t)count * sizeof *used);
    arrput(stack, count - 1);
    kernel->node[count - 1].order = 0;
    while (arrlen(stack)) {
        ptrdiff_t at = arrlast(stack);
        if (into[at] + used[at] == into[at + 1]) {
            arrput(order, arrpop(stack));
            continue;
        }
        ptrdiff_t before = from[into[at] + used[at]++];
        if (kernel->node[before].order == NOWHERE) {
            kernel->node[before].order = 0;
            arrput(stack, before);
        }
    }
    for (ptrdiff_t i = 0; i < arrlen(order); ++i)
        kernel->node[order[i]].order = i;
    arrfree(stack);
    arrfree(used);
    arrfree(from);
    arrfree(into);
    return order;
}

// Does every node lead to the end, or to where the grid is aborted? One that leads nowhere may keep
// threads for ever.
static bool all_end(const struct kernel *kernel)
{
    for (ptrdiff_t i = 0; i < arrlen(kernel->node); ++i) {
        ptrdiff_t at = i;
        for (ptrdiff_t steps = arrlen(kernel->node); steps-- > 0;) {
            const struct node *node = &kernel->node[at];
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
static void find_dominators(struct kernel *kernel, const ptrdiff_t *order)
{
    struct node *node = kernel->node;
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

// --- What varies ---------------------------------------------------------------------------------

// The threads part at the end of `from`, and are together again at its dominator.
static bool divide(struct kernel *kernel, ptrdiff_t from)
{
    struct node *node = kernel->node;
    ptrdiff_t *stack = NULL;
    bool *is_seen = NULL;
    bool changed = false;
    arrsetlen(is_seen, arrlen(node));
    memset(is_seen, 0, (size_t)arrlen(node) * sizeof *is_seen);
    arrput(stack, from);
    while (arrlen(stack)) {
        ptrdiff_t at = arrpop(stack);
        for (int j = 0; j < 2; ++j) {
            ptrdiff_t next = node[at].next[j];
            if (next < 0 || next == node[from].dominator || is_seen[next])
                continue;
            is_seen[next] = true;
            changed |= !node[next].is_divided;
            node[next].is_divided = true;
            arrput(stack, next);
        }
    }
    arrfree(stack);
    arrfree(is_seen);
    return changed;
}

static bool vary(struct kernel *kernel, const struct node *node, const struct step *step)
{
    bool varies = node->is_divided || step->kind == STEP_VARIES ||
                  (step->guard >= 0 && kernel->varies[step->guard]);
    const ptrdiff_t *name = kernel->operand + step->names;
    for (uint32_t i = 0; step->kind == STEP_COMPUTES && i < step->reads; ++i)
        varies |= kernel->varies[name[step->writes + i]];
    bool changed = false;
    for (uint32_t i = 0; varies && i < step->writes; ++i) {
        changed |= !kernel->varies[name[i]];
        kernel->varies[name[i]] = true;
    }
    return changed;
}

static void find_varying(struct kernel *kernel)
{
    for (ptrdiff_t i = 0; i < shlen(kernel->names); ++i) {
        const char *name = kernel->names[i].key;
        ptrdiff_t at = kernel->names[i].value;
        kernel->varies[at] = *name == '%' && !kernel->is_written[at] && !is_of_block(name);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (ptrdiff_t i = 0; i < arrlen(kernel->node); ++i) {
            struct node *node = &kernel->node[i];
            for (ptrdiff_t s = node->first; s < node->end; ++s)
                changed |= vary(kernel, node, &kernel->step[s]);
            if (!node->parts && node->condition >= 0 && kernel->varies[node->condition] &&
                node->order != NOWHERE) {
                node->parts = true;
                changed |= divide(kernel, i);
            }
        }
    }
}

static bool barriers_are_uniform(const struct kernel *kernel)
{
    for (ptrdiff_t i = 0; i < arrlen(kernel->node); ++i) {
        const struct node *node = &kernel->node[i];
        for (ptrdiff_t s = node->first; s < node->end; ++s) {
            const struct step *step = &kernel->step[s];
            bool is_guarded = step->guard >= 0 && kernel->varies[step->guard];
            if (step->is_barrier && (node->is_divided || is_guarded))
                return false;
        }
    }
    return true;
}

bool uniform_kernel(const char *text, size_t length, size_t begin)
{
    struct kernel kernel = {.text = text};
    ptrdiff_t *order = NULL;
    arena_init(&kernel.arena);
    bool is_uniform = read_kernel(&kernel, length, begin) && link_nodes(&kernel);
    if (is_uniform) {
        order = order_nodes(&kernel);
        is_uniform = all_end(&kernel);
    }
    if (is_uniform) {
        find_dominators(&kernel, order);
        find_varying(&kernel);
        is_uniform = barriers_are_uniform(&kernel);
    }
    arrfree(order);
    shfree(kernel.names);
    shfree(kernel.label);
    arrfree(kernel.varies);
    arrfree(kernel.is_written);
    arrfree(kernel.operand);
    arrfree(kernel.step);
    arrfree(kernel.node);
    arena_release(&kernel.arena);
    return is_uniform;
}
