// Per-thread asynchronous groups: all sequences of operations against a reference that keeps every
// copy with its group; then the operands of asynchronous copies.
#include "expect.h"

#define LONGEST 7

// i issue, c commit, 0 1 2 wait_group, R wait_group.read 0, A wait_all, t tracking arrive

struct copy {
    int group; // committed as the so-many-th; -1 while open
    bool read, done, tracked;
};

struct reference {
    struct copy copy[LONGEST];
    int copies, groups;
    bool tracks;
};

static void finish(struct reference *reference, int keep, bool only_read)
{
    for (int i = 0; i < reference->copies; i++) {
        struct copy *copy = &reference->copy[i];
        if (copy->group >= 0 && copy->group < reference->groups - keep) {
            copy->read = true;
            copy->done = copy->done || !only_read;
        }
    }
}

static void close_group(struct reference *reference)
{
    for (int i = 0; i < reference->copies; i++) {
        struct copy *copy = &reference->copy[i];
        copy->group = copy->group < 0 ? reference->groups : copy->group;
    }
    reference->groups++;
}

static bool has_open(const struct reference *reference)
{
    for (int i = 0; i < reference->copies; i++) {
        if (reference->copy[i].group < 0) {
            return true;
        }
    }
    return false;
}

// Are there committed copies that have not been waited for?
static bool has_pending(const struct reference *reference, bool only_read)
{
    for (int i = 0; i < reference->copies; i++) {
        const struct copy *copy = &reference->copy[i];
        if (copy->group >= 0 && !(only_read ? copy->read : copy->done)) {
            return true;
        }
    }
    return false;
}

static struct reference replay(const char *calls, bool *out_uncommitted)
{
    struct reference reference;
    memset(&reference, 0, sizeof reference);
    for (; *calls; calls++) {
        bool open = has_open(&reference);
        *out_uncommitted = false;
        switch (*calls) {
        case 'i':
            reference.copy[reference.copies++].group = -1;
            break;
        case 'c':
            close_group(&reference);
            break;
        case 'R':
            *out_uncommitted = open && !has_pending(&reference, true);
            finish(&reference, 0, true);
            break;
        case 'A':
            if (open) {
                close_group(&reference);
            }
            finish(&reference, 0, false);
            break;
        case 't':
            reference.tracks = true;
            for (int i = 0; i < reference.copies; i++) {
                reference.copy[i].tracked = true;
            }
            break;
        default:
            *out_uncommitted = open && !has_pending(&reference, false);
            finish(&reference, *calls - '0', false);
            break;
        }
    }
    return reference;
}

static void compare(const struct barlint_async *async, const struct reference *reference,
                    const uint32_t *group, const char *calls)
{
    bool open = false;
    for (int i = 0; i < reference->copies; i++) {
        const struct copy *copy = &reference->copy[i];
        enum barlint_async_state want = copy->done                  ? BARLINT_ASYNC_VISIBLE
                                        : copy->read && async->bulk ? BARLINT_ASYNC_READ
                                                                    : BARLINT_ASYNC_IN_FLIGHT;
        if (barlint_async_state_of(async, group[i]) != want) {
            fail_msg("copy %d after '%s'", i, calls);
        }
        struct barlint_violations access = barlint_async_check_access(async, group[i]);
        bool flies = want == BARLINT_ASYNC_IN_FLIGHT;
        expect_set(access,
                   set_of(!flies        ? NONE
                          : async->bulk ? BARLINT_ASYNC_STORE_OPEN
                                        : BARLINT_ASYNC_COPY_OPEN,
                          NONE, NONE, NONE),
                   __FILE__, __LINE__);
        open = open || (reference->tracks ? !copy->tracked && !copy->done
                        : async->bulk     ? !copy->read
                                          : !copy->done);
    }
    struct barlint_violations exits = barlint_async_exit(async);
    if (same_set(exits, barlint_violations_none()) == open) {
        fail_msg("exit after '%s'", calls);
    }
    if (open) {
        expect_set(exits,
                   set_of(reference->tracks ? BARLINT_TX_UNTRACKED
                          : async->bulk     ? BARLINT_ASYNC_STORE_OPEN
                                            : BARLINT_ASYNC_COPY_OPEN,
                          NONE, NONE, NONE),
                   __FILE__, __LINE__);
    }
}

static long extend(const struct barlint_async *before, const uint32_t *groups, int copies,
                   char *calls, int length)
{
    long compared = 0;
    for (const char *call = before->bulk ? "ic012R" : "ic012At"; *call; call++) {
        struct barlint_async async = *before;
        struct barlint_effect effect = barlint_effect_none();
        uint32_t group[LONGEST];
        int issued = copies;
        bool uncommitted = false;
        memcpy(group, groups, sizeof group);
        calls[length] = *call;
        calls[length + 1] = 0;
        switch (*call) {
        case 'i':
            group[issued++] = barlint_async_issue(&async);
            break;
        case 'c':
            barlint_async_commit(&async);
            break;
        case 'R':
            effect = barlint_async_wait_read(&async, 0);
            break;
        case 'A':
            effect = barlint_async_wait_all(&async);
            break;
        case 't':
            barlint_async_track(&async);
            break;
        default:
            effect = barlint_async_wait(&async, (uint32_t)(*call - '0'));
            assert_true(effect.passed);
            break;
        }
        struct reference reference = replay(calls, &uncommitted);
        expect_set(effect.violations,
                   set_of(uncommitted ? BARLINT_ASYNC_UNCOMMITTED : NONE, NONE, NONE, NONE),
                   __FILE__, __LINE__);
        compare(&async, &reference, group, calls);
        compared++;
        if (length + 1 < LONGEST) {
            compared += extend(&async, group, issued, calls, length + 1);
        }
        calls[length] = 0;
    }
    return compared;
}

static void test_all_sequences(void **state)
{
    (void)state;
    for (int bulk = 0; bulk < 2; bulk++) {
        struct barlint_async async;
        uint32_t group[LONGEST] = {0};
        char calls[LONGEST + 1] = "";
        barlint_async_start(&async, bulk);
        assert_true(extend(&async, group, 0, calls, 0) > 100000);
    }
}

static void test_clamp(void **state)
{
    (void)state;
    struct barlint_violations violations;
    assert_int_equal(barlint_async_clamp_prior(8, &violations), 8);
    EXPECT_NO_SET(violations);
    assert_int_equal(barlint_async_clamp_prior(9, &violations), 8);
    EXPECT_SET(violations, ASYNC_WAIT_CLAMP);
}

static void test_operands(void **state)
{
    (void)state;
    EXPECT_CLEAN(barlint_async_check_copy(16, 32, 16));
    EXPECT_CLEAN(barlint_async_check_copy(4, 8, 4));
    EXPECT_ONE(barlint_async_check_copy(4, 8, 12), TX_SIZE, UNKNOWN);
    EXPECT_ONE(barlint_async_check_copy(0, 0, 0), TX_SIZE, UNKNOWN);
    EXPECT_ONE(barlint_async_check_copy(4, 8, 8), TX_ALIGN, TRAPS);
    EXPECT_ONE(barlint_async_check_copy(16, 8, 16), TX_ALIGN, TRAPS);
    EXPECT_CLEAN(barlint_async_check_bulk(16, 32, 48));
    EXPECT_ONE(barlint_async_check_bulk(16, 32, 8), TX_SIZE, UNKNOWN);
    EXPECT_ONE(barlint_async_check_bulk(16, 32, 0), TX_SIZE, UNKNOWN);
    EXPECT_ONE(barlint_async_check_bulk(8, 32, 16), TX_ALIGN, TRAPS);
    EXPECT_TWO(barlint_async_check_bulk(8, 32, 8), TX_SIZE, TX_ALIGN, TRAPS);
    EXPECT_CLEAN(barlint_async_check_tensor(256));
    EXPECT_ONE(barlint_async_check_tensor(64), TX_ALIGN, TRAPS);
}

static void test_targets(void **state)
{
    (void)state;
    struct {
        enum barlint_async_target target;
        uint32_t own, data, barrier, ctas;
        bool right;
    } row[] = {
        {BARLINT_TARGET_BULK_CTA, 1, 1, 1, 4, true},
        {BARLINT_TARGET_BULK_CTA, 1, 2, 2, 4, false},
        {BARLINT_TARGET_BULK_CTA, 0, 0, 0, 1, true},
        {BARLINT_TARGET_BULK, 1, 2, 2, 4, true},
        {BARLINT_TARGET_BULK, 1, 2, 3, 4, false},
        {BARLINT_TARGET_BULK, 1, 4, 4, 4, false},
        {BARLINT_TARGET_BULK_PAIR, 0, 2, 3, 3, false},
        {BARLINT_TARGET_BULK_PAIR, 0, 2, 3, 4, true},
        {BARLINT_TARGET_BULK_PAIR, 0, 1, 2, 4, false},
        {BARLINT_TARGET_ST_ASYNC, 0, 0, 0, 2, true},
        {BARLINT_TARGET_ST_ASYNC, 0, 1, 1, 2, true},
        {BARLINT_TARGET_ST_ASYNC, 0, 1, 0, 2, false},
        {BARLINT_TARGET_ST_ASYNC, 0, 0, 0, 1, false},
        {BARLINT_TARGET_RED_ASYNC, 0, 1, 1, 2, true},
        {BARLINT_TARGET_RED_ASYNC, 0, 0, 0, 2, false},
        {BARLINT_TARGET_RED_ASYNC, 0, 1, 0, 2, false},
        {BARLINT_TARGET_RED_ASYNC, 0, 0, 0, 1, false},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        expect_set(barlint_async_check_target(row[i].target, row[i].own, row[i].data,
                                              row[i].barrier, row[i].ctas),
                   set_of(row[i].right ? NONE : BARLINT_TX_TARGET_CTA, NONE, NONE, NONE), __FILE__,
                   __LINE__);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_sequences),
        cmocka_unit_test(test_clamp),
        cmocka_unit_test(test_operands),
        cmocka_unit_test(test_targets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
