// Everything that two or three warps can do at one barrier, up to a length, against a reference
// that knows no warps' counters: it replays the events thread by thread and lets a generation end
// when the prose says so.
#include "expect.h"

#define UNITS_MAX 6
#define LONGEST 6
#define SLOT 1u

enum act {
    SYNC_64,
    SYNC_32,
    SYNC_ALL,
    ARRIVE_64,
    RED_64,
    EXIT,
    ACTS,
};

// A unit is half a warp or a whole one: lanes that always act together.
struct event {
    int unit;
    enum act act;
};

struct shape {
    int warps, units_a_warp, longest;
};

static uint32_t count_of(enum act act)
{
    return act == SYNC_ALL ? 0 : act == SYNC_32 ? 32 : 64;
}

static enum barlint_named_kind kind_of(enum act act)
{
    return act == ARRIVE_64 ? BARLINT_NAMED_ARRIVE
           : act == RED_64  ? BARLINT_NAMED_RED
                            : BARLINT_NAMED_SYNC;
}

// The reference.

enum status {
    RUNS,
    AT_BARRIER, // executed an operation, its warp is not counted yet
    ASLEEP,
    GONE,
};

struct story {
    enum status status[UNITS_MAX];
    enum act act[UNITS_MAX];            // at the barrier
    enum act first[UNITS_MAX];          // of each warp: what its first thread executed
    int credited[2 * LONGEST], credits; // warps, in order, of the open generation
    enum act opener;
    bool split[UNITS_MAX]; // of each warp: its threads wait for each other at different operations
    struct barlint_violations broken; // by the last event
    bool undefined;                   // the last event leaves the hardware's state unknown
};

static bool is_warp_complete(const struct shape *shape, const struct story *story, int warp)
{
    bool any = false;
    for (int u = warp * shape->units_a_warp; u < (warp + 1) * shape->units_a_warp; u++) {
        if (story->status[u] == RUNS || story->status[u] == ASLEEP) {
            return false;
        }
        any = any || story->status[u] == AT_BARRIER;
    }
    return any;
}

static void break_rule(struct story *story, enum barlint_violation violation, bool undefined)
{
    barlint_violations_add(&story->broken, violation);
    story->undefined = story->undefined || undefined;
}

static bool is_credited(const struct story *story, int warp)
{
    for (int i = 0; i < story->credits; i++) {
        if (story->credited[i] == warp) {
            return true;
        }
    }
    return false;
}

// The counter moves by the warp size, "not the number of active threads in the warp": the warp
// joins the generation with the operation its first thread executed.
static void credit(const struct shape *shape, struct story *story, int warp, enum act act)
{
    if (story->credits == 0) {
        story->opener = act;
    } else {
        bool one_is_all = act == SYNC_ALL || story->opener == SYNC_ALL;
        if (count_of(act) != count_of(story->opener)) {
            break_rule(story, BARLINT_NAMED_COUNT_MISMATCH, true);
            if (one_is_all) {
                break_rule(story, BARLINT_NAMED_ID_CONFLICT, true);
            }
        }
        if ((act == RED_64) != (story->opener == RED_64)) {
            break_rule(story, BARLINT_NAMED_RED_MIX, true);
        }
    }
    if (is_credited(story, warp)) {
        break_rule(story, BARLINT_NAMED_DOUBLE_ARRIVE, false);
    }
    story->credited[story->credits++] = warp;
    for (int u = warp * shape->units_a_warp; u < (warp + 1) * shape->units_a_warp; u++) {
        if (story->status[u] == AT_BARRIER) {
            story->status[u] = story->act[u] == ARRIVE_64 ? RUNS : ASLEEP;
        }
    }
}

static void end_generation(const struct shape *shape, struct story *story)
{
    int units = shape->warps * shape->units_a_warp;
    if (story->credits == 0) {
        return;
    }
    bool over = 32 * story->credits >= (int)count_of(story->opener);
    bool exits = false;
    if (story->opener == SYNC_ALL) {
        for (int u = 0; u < units; u++) {
            over =
                over && (story->status[u] == GONE || is_credited(story, u / shape->units_a_warp));
            exits = exits || story->status[u] == GONE;
        }
    }
    if (!over) {
        return;
    }
    if (exits) {
        break_rule(story, BARLINT_EXIT_BEFORE_SYNC, false);
    }
    story->credits = 0;
    for (int u = 0; u < units; u++) {
        story->status[u] = story->status[u] == ASLEEP ? RUNS : story->status[u];
    }
}

// A warp that left without arriving, when those that can still come are too few.
static void judge_exit(const struct shape *shape, struct story *story, int warp)
{
    int can_come = 0;
    if (story->credits == 0 || story->opener == SYNC_ALL) {
        return;
    }
    for (int w = 0; w < shape->warps; w++) {
        bool alive = false, credited = is_credited(story, w);
        for (int u = w * shape->units_a_warp; u < (w + 1) * shape->units_a_warp; u++) {
            alive = alive || story->status[u] != GONE;
        }
        can_come += alive && !credited;
        if (w == warp && (alive || credited)) {
            return;
        }
    }
    if (32 * (story->credits + can_come) < (int)count_of(story->opener)) {
        break_rule(story, BARLINT_NAMED_EXIT, false);
    }
}

static struct story tell(const struct shape *shape, const struct event *events, int length)
{
    struct story story;
    memset(&story, 0, sizeof story);
    for (int i = 0; i < length; i++) {
        int unit = events[i].unit, warp = unit / shape->units_a_warp;
        enum act act = events[i].act;
        bool first = true;
        story.broken = barlint_violations_none();
        if (act == EXIT) {
            story.status[unit] = GONE;
        } else {
            for (int u = warp * shape->units_a_warp; u < unit + shape->units_a_warp; u++) {
                if (u / shape->units_a_warp == warp && story.status[u] == AT_BARRIER) {
                    first = false;
                    if (count_of(story.act[u]) != count_of(act)) {
                        break_rule(&story, BARLINT_NAMED_COUNT_MISMATCH, true);
                    }
                    if (kind_of(story.act[u]) != kind_of(act)) {
                        // Each waits for the whole warp to do the same: nobody goes on.
                        break_rule(&story, BARLINT_NAMED_WARP_SPLIT, false);
                        story.split[warp] = true;
                    }
                }
            }
            story.first[warp] = first ? act : story.first[warp];
            story.status[unit] = AT_BARRIER;
            story.act[unit] = act;
        }
        if (is_warp_complete(shape, &story, warp) && !story.split[warp]) {
            credit(shape, &story, warp, story.first[warp]);
        }
        end_generation(shape, &story);
        if (act == EXIT) {
            judge_exit(shape, &story, warp);
        }
    }
    return story;
}

// The machine, with the book-keeping a caller needs.

struct scene {
    struct barlint_cta cta;
    bool blocked[UNITS_MAX];
};

static uint32_t lanes_of(const struct shape *shape, int unit)
{
    return shape->units_a_warp == 1 ? 0xffffffffu : unit % 2 == 0 ? 0xffffu : 0xffff0000u;
}

static void wake(const struct shape *shape, struct scene *scene, uint32_t warp, uint32_t lanes)
{
    for (int u = 0; u < shape->warps * shape->units_a_warp; u++) {
        if ((uint32_t)(u / shape->units_a_warp) == warp && (lanes_of(shape, u) & lanes) != 0) {
            scene->blocked[u] = false;
        }
    }
}

static struct barlint_effect perform(const struct shape *shape, struct scene *scene,
                                     struct event event)
{
    uint32_t warp = (uint32_t)(event.unit / shape->units_a_warp);
    uint32_t lanes = lanes_of(shape, event.unit);
    struct barlint_effect effect, effects[BARLINT_NAMED_SLOTS];
    if (event.act == EXIT) {
        barlint_cta_exit(&scene->cta, warp, lanes, effects);
        effect = effects[SLOT];
    } else {
        struct barlint_named_op op = {SLOT, count_of(event.act), 0, BARLINT_NAMED_SYNC, false};
        op.kind = (uint8_t)kind_of(event.act);
        effect = barlint_cta_join(&scene->cta, warp, lanes, &op);
        scene->blocked[event.unit] = !effect.passed;
    }
    if (effect.counted) {
        wake(shape, scene, warp, ~scene->cta.warp[SLOT][warp].sleepers);
    }
    for (uint32_t w = 0; w < (uint32_t)shape->warps; w++) {
        if ((effect.released >> w) & 1u) {
            wake(shape, scene, w, barlint_cta_wake(&scene->cta, SLOT, w));
        }
    }
    return effect;
}

static void complain(const struct event *events, int length, const struct barlint_effect *effect,
                     const struct story *story)
{
    for (int i = 0; i < length; i++) {
        fprintf(stderr, "%d:%d ", events[i].unit, events[i].act);
    }
    print_set("\ngot", effect->violations);
    print_set("want", story->broken);
    fail_msg("the machine and the documents differ");
}

static long extend(const struct shape *shape, const struct scene *before, struct event *events,
                   int length)
{
    long compared = 0;
    int units = shape->warps * shape->units_a_warp;
    for (int u = 0; u < units; u++) {
        bool gone = (before->cta.block.live[u / shape->units_a_warp] & lanes_of(shape, u)) == 0;
        for (int act = 0; act < ACTS && !before->blocked[u] && !gone; act++) {
            struct scene scene = *before;
            events[length] = (struct event){u, (enum act)act};
            struct barlint_effect effect = perform(shape, &scene, events[length]);
            struct story story = tell(shape, events, length + 1);
            bool undefined = effect.hardware == BARLINT_TRAPS || effect.hardware == BARLINT_UNKNOWN;
            if (!same_set(effect.violations, story.broken) || undefined != story.undefined) {
                complain(events, length + 1, &effect, &story);
            }
            compared++;
            if (undefined) {
                continue;
            }
            for (int v = 0; v < units; v++) {
                bool held = story.status[v] == AT_BARRIER || story.status[v] == ASLEEP;
                if (held != scene.blocked[v]) {
                    complain(events, length + 1, &effect, &story);
                }
            }
            if (length + 1 < shape->longest) {
                compared += extend(shape, &scene, events, length + 1);
            }
        }
    }
    return compared;
}

static void explore(struct shape shape)
{
    struct scene scene;
    struct event events[LONGEST];
    memset(&scene, 0, sizeof scene);
    barlint_cta_start(&scene.cta, (uint32_t)shape.warps * 32);
    assert_true(extend(&shape, &scene, events, 0) > 5000);
}

static void test_halves_of_two_warps(void **state)
{
    (void)state;
    explore((struct shape){2, 2, 5});
}

static void test_halves_of_three_warps(void **state)
{
    (void)state;
    explore((struct shape){3, 2, 4});
}

static void test_three_warps(void **state)
{
    (void)state;
    explore((struct shape){3, 1, 6});
}

// Random marches through all sixteen barriers with single lanes: no lane is lost. Whoever is
// blocked is in the machine's books as joined or asleep, and the reverse.
static void test_no_lane_is_lost(void **state)
{
    (void)state;
    uint32_t seed = 12345;
    for (int round = 0; round < 200; round++) {
        struct barlint_cta cta;
        uint32_t blocked[3] = {0, 0, 0};
        barlint_cta_start(&cta, 70);
        for (int i = 0; i < 300; i++) {
            uint32_t pick[5];
            for (int k = 0; k < 5; k++) {
                seed = seed * 1664525u + 1013904223u;
                pick[k] = seed >> 16;
            }
            uint32_t warp = pick[0] % 3;
            uint32_t lanes = (pick[1] | pick[2] << 16) & cta.block.live[warp] & ~blocked[warp];
            struct barlint_named_op op = {pick[3] % 40, pick[4] % 5 * 16, 0,
                                          (uint8_t)(pick[4] / 5 % 3), false};
            struct barlint_effect effects[BARLINT_NAMED_SLOTS];
            if (lanes == 0) {
                continue;
            }
            bool exits = pick[4] % 23 == 0;
            if (exits) {
                barlint_cta_exit(&cta, warp, lanes, effects);
            } else {
                effects[op.id % 16] = barlint_cta_join(&cta, warp, lanes, &op);
                blocked[warp] |= effects[op.id % 16].passed ? 0 : lanes;
            }
            for (uint32_t s = 0; s < 16; s++) {
                for (uint32_t w = 0; w < 3 && (exits || s == op.id % 16); w++) {
                    if ((effects[s].released >> w) & 1u) {
                        barlint_cta_wake(&cta, s, w);
                    }
                }
            }
            for (uint32_t w = 0; w < 3; w++) {
                uint32_t held = 0;
                for (uint32_t s = 0; s < 16; s++) {
                    held |= cta.warp[s][w].lanes | cta.warp[s][w].sleepers;
                }
                assert_int_equal(held & ~blocked[w], 0);
                blocked[w] = held;
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_halves_of_two_warps),
        cmocka_unit_test(test_halves_of_three_warps),
        cmocka_unit_test(test_three_warps),
        cmocka_unit_test(test_no_lane_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
