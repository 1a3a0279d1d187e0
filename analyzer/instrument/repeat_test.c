// Kernels whose barriers do the same in every block, or launch, and what makes them not.
#include "instrument/repeat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"

static struct arena arena;

static struct repeat repeat_of(const char *body)
{
    char text[4096];
    int length = snprintf(text, sizeof text,
                          ".visible .entry k(.param .u32 k_param_0, .param .u64 k_param_1)\n{\n"
                          "\t.reg .pred %%p<4>;\n\t.reg .b32 %%r<9>;\n\t.reg .b64 %%rd<9>;\n"
                          "ld.param.u64 %%rd1, [k_param_1];\nmov.u32 %%r2, 64;\n"
                          "mov.u32 %%r3, 0;\nmov.u32 %%r4, 8;\n"
                          "mbarrier.inval.shared.b64 [%%r4];\n%s\n\tret;\n}\n",
                          body);
    struct repeat repeat = repeat_kernel(&arena, text, (size_t)length, 0);
    arrfree(repeat.parameter);
    return repeat;
}

static bool repeats(const char *body)
{
    return repeat_of(body).blocks;
}

#define BY(value) value "\nsetp.lt.s32 %p1, %r1, 5;\n"
#define UNDER(value) BY(value) "@%p1 bra A;\nbar.sync 1, 64;\nA:"

struct row {
    const char *body;
    bool expected;
};

static void expect_rows(const struct row *row, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (repeats(row[i].body) != row[i].expected)
            fail_msg("%s", row[i].body);
}
#define EXPECT_ROWS(rows) expect_rows(rows, sizeof(rows) / sizeof *(rows))

static void test_who_comes(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"bar.sync 1, 64;", true},
        {UNDER("mov.u32 %r1, %tid.x;"), true},
        {UNDER("mov.u32 %r1, %laneid;"), true},
        {UNDER("mov.u32 %r1, %nctaid.x;"), true},
        {UNDER("ld.param.u32 %r1, [k_param_0];"), true},
        {UNDER("ld.global.nc.u32 %r1, [%rd1];"), true},
        {UNDER("mov.u32 %r1, %ctaid.x;"), false},
        {UNDER("mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %tid.x;\nmad.lo.s32 %r1, %r2, 4, %r3;"),
         false},
        {UNDER("mov.u32 %r1, %smid;"), false},
        {UNDER("mov.u32 %r1, %clock;"), false},
        {UNDER("mov.u32 %r1, %unheard_of;"), false},
        {UNDER("ld.global.u32 %r1, [%rd1];"), false},
        {UNDER("ld.shared.u32 %r1, [%rd1];"), false},
        {UNDER("atom.global.add.u32 %r1, [%rd1], 1;"), false},
        {UNDER("mov.u32 %r2, %tid.x;\nshfl.sync.idx.b32 %r1|%p2, %r2, 0, 31, -1;"), true},
        {UNDER("mov.u32 %r2, %ctaid.y;\nshfl.sync.idx.b32 %r1|%p2, %r2, 0, 31, -1;"), false},
        {UNDER("activemask.b32 %r1;"), true}, // which lanes are there is a matter of time
        {UNDER("activemask.b32 %r5;\nmatch.any.sync.b64 %r1, %rd1, %r5;"), true},
        // The way alone makes a value differ.
        {BY("mov.u32 %r1, %ctaid.x;") "mov.u32 %r2, 1;\n@%p1 bra A;\nmov.u32 %r2, 2;\nA:\n"
                                      "setp.eq.s32 %p2, %r2, 1;\n@%p2 bar.sync 0;",
         false},
        {BY("mov.u32 %r1, %ctaid.x;") "@!%p1 bar.sync 0;", false},
        {BY("mov.u32 %r1, %ctaid.x;") "@%p1 ret;\nbar.sync 0;", false},
        {"bar.sync 0;\n" BY("mov.u32 %r1, %ctaid.x;") "@%p1 ret;", true},
        // Blocks do different work between the same barriers.
        {"bar.sync 0;\n" BY(
             "mov.u32 %r1, %ctaid.x;") "L:\nadd.s32 %r2, %r2, 1;\n@%p1 bra L;\nbar.sync 0;",
         true},
        {BY("mov.u32 %r1, %ctaid.x;") "@%p1 bra A;\ntrap;\nA:\nbar.sync 0;", true},
    };
    EXPECT_ROWS(rows);
}

#define ROUNDS(begin, end, step)                                                                   \
    "mov.u32 %r1, %ctaid.x;\nld.param.u32 %r2, [k_param_0];\nmul.lo.s32 %r7, %r1, %r2;\n" begin    \
    "\n" end "\nL:\nbar.sync 1, 64;\n" step "\nsetp.lt.s32 %p1, %r5, %r6;\n@%p1 bra L;"

#define HALO(compare)                                                                              \
    "mov.u32 %r1, %ctaid.x;\nsub.s32 %r5, %r1, 2;\nadd.s32 %r6, %r1, 2;\n"                         \
    "setp." compare " %p1, %r5, %r6;\n@%p1 bar.sync 1, 64;"

static void test_rounds(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {ROUNDS("mov.u32 %r5, %r7;", "add.s32 %r6, %r7, %r2;", "add.s32 %r5, %r5, 16;"), true},
        {ROUNDS("shl.b32 %r5, %r7, 4;", "add.s32 %r6, %r5, %r2;", "add.s32 %r5, %r5, 16;"), true},
        {ROUNDS("mov.u32 %r5, 0;", "sub.s32 %r6, %r7, 7;\nsub.s32 %r6, %r6, %r7;",
                "add.s32 %r5, %r5, 16;"),
         false}, // %r6 is two things
        {ROUNDS("mov.u32 %r5, 0;", "sub.s32 %r8, %r7, 7;\nsub.s32 %r6, %r8, %r7;",
                "add.s32 %r5, %r5, 16;"),
         true},
        {ROUNDS("mov.u32 %r5, %r7;", "mad.lo.s32 %r6, %r2, 3, %r7;", "add.s32 %r5, %r5, 16;"),
         true},
        {ROUNDS("mov.u32 %r5, %r7;", "mad.lo.s32 %r6, %r7, 3, %r2;", "add.s32 %r5, %r5, 16;"),
         false},
        {ROUNDS("mov.u32 %r5, %r7;", "sub.s32 %r6, 99, %r7;", "add.s32 %r5, %r5, 16;"), false},
        {ROUNDS("mov.u32 %r5, %r7;", "add.s32 %r6, %r7, %r7;", "add.s32 %r5, %r5, 16;"), false},
        {ROUNDS("mov.u32 %r5, %r7;", "mov.u32 %r6, %r2;", "add.s32 %r5, %r5, 16;"), false},
        {ROUNDS("mov.u32 %r5, %r7;", "add.s32 %r6, %r7, %r2;", "add.s32 %r5, %r5, %r1;"), false},
        {ROUNDS("mov.u32 %r5, %r7;", "add.s32 %r6, %r7, %r2;", "shl.b32 %r5, %r5, 1;"), false},
        {ROUNDS("cvt.u64.u32 %rd2, %r7;\ncvt.u16.u64 %r5, %rd2;", "cvt.u16.u32 %r6, %r7;",
                "add.s32 %r5, %r5, 16;"),
         false}, // what is cut off may differ
        // Without a sign the one of block 0 wraps round, and rightly so.
        {HALO("lt.s32"), true},
        {HALO("ne.u32"), true},
        {HALO("lt.u32"), false},
        {HALO("hi.u32"), false},
        {"mov.u32 %r1, %ctaid.x;\nsub.s32 %r2, %r1, 2;\ncvt.s32.s8 %r5, %r2;\n"
         "setp.lt.s32 %p1, %r5, %r2;\n@%p1 bar.sync 1, 64;",
         false},
        // Computed anew in each round: not one value.
        {ROUNDS("mov.u32 %r5, 0;", "mov.u32 %r6, 9;",
                "ld.global.u32 %r5, [%rd1];\nadd.s32 %r6, %r5, 1;"),
         false},
    };
    EXPECT_ROWS(rows);
}

#define NUMBER(value) "mov.u32 %r1, " value ";\n"

static void test_operands(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {NUMBER("%tid.x") "bar.sync %r1, 64;", true},
        {NUMBER("%ctaid.x") "bar.sync %r1, 64;", false},
        {NUMBER("%ctaid.x") "bar.arrive 1, %r1;", false},
        {NUMBER("%ctaid.x") "setp.eq.s32 %p1, %r1, 0;\nbar.red.or.pred %p2, 0, %p1;", true},
        {NUMBER("%ctaid.x") "setp.eq.s32 %p1, %r1, 0;\nbar.red.or.pred %p2, 0, %p1;\n"
                            "@%p2 bar.sync 0;",
         false},
        {NUMBER("%ctaid.x") "shfl.sync.idx.b32 %r2|%p2, %r1, 0, 31, -1;", true},
        {NUMBER("%ctaid.x") "shfl.sync.idx.b32 %r2|%p2, %r3, 0, 31, %r1;", false},
        {NUMBER("%ctaid.x") "mbarrier.init.shared::cta.b64 [%r2], %r1;", false},
        {NUMBER("%ctaid.x") "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], %r1;", false},
        {NUMBER("%tid.x") "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], %r1;", true},
        {NUMBER("%ctaid.x") "L:\nmbarrier.try_wait.parity.shared::cta.b64 %p1, [%r2], %r1;\n"
                            "@!%p1 bra L;",
         false},
        {NUMBER("0") "L:\nmbarrier.try_wait.parity.shared::cta.b64 %p1, [%r2], %r1;\n@!%p1 bra L;\n"
                     "bar.sync 1, 128;",
         true},
        // A tile is copied from where its block finds it.
        {NUMBER("%ctaid.x") "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::"
                            "complete_tx::bytes [%r2], [%rd1, {%r1, %r3}], [%r4];",
         true},
        {NUMBER("%ctaid.x") "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::"
                            "complete_tx::bytes [%r1], [%rd1, {%r2, %r3}], [%r4];",
         false},
        {NUMBER("%ctaid.x") "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                            "[%r2], [%rd1], %r1, [%r4];",
         false},
        // Two of one name, as inline assembly has them.
        {"{\n.reg .b32 a;\nmov.u32 a, %ctaid.x;\nst.shared.u32 [%r2], a;\n}\n"
         "{\n.reg .b32 a;\nmov.u32 a, %tid.x;\nbar.sync a, 64;\n}",
         true},
        {"{\n.reg .b32 a;\nmov.u32 a, %tid.x;\nst.shared.u32 [%r2], a;\n}\n"
         "{\n.reg .b32 a;\nmov.u32 a, %ctaid.x;\nbar.sync a, 64;\n}",
         false},
        {"elect.sync %r1|%p1, -1;\n@%p1 mbarrier.inval.shared.b64 [%r2];", true},
    };
    EXPECT_ROWS(rows);
}

// What the block keeps in its shared memory.
#define KEPT ".shared .align 8 .b8 kept[8];\n.shared .align 8 .b8 other[64];\n"
#define THROUGH(variable)                                                                          \
    "mov.u32 %r5, " variable ";\n{ .reg .b64 %tmp;\ncvt.u64.u32 %tmp, %r5;\n"                      \
    "cvta.shared.u64 %rd2, %tmp; }\nadd.s64 %rd3, %rd2, 4;\n"
#define LOADED UNDER("ld.shared.u32 %r1, [kept+4];")

static void test_memory(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {KEPT "st.shared.u32 [kept+4], 3;\nbar.sync 0;\n" LOADED, true},
        {KEPT NUMBER("%tid.y") "st.shared.u32 [kept+4], %r1;\nbar.sync 0;\n" LOADED, true},
        {KEPT NUMBER("%ctaid.y") "st.shared.u32 [kept+4], %r1;\nbar.sync 0;\n" LOADED, false},
        {KEPT "ld.global.u32 %r1, [%rd1];\nst.shared.u32 [kept+4], %r1;\nbar.sync 0;\n" LOADED,
         false},
        {KEPT "bar.sync 0;\n" LOADED "\nld.global.u32 %r6, [%rd1];\nst.shared.u32 [kept], %r6;",
         false},
        {KEPT "ld.global.u32 %r6, [%rd1];\nst.shared.u32 [other+8], %r6;\nbar.sync 0;\n" LOADED,
         true},
        {KEPT "st.shared.u32 [%r6], 3;\nbar.sync 0;\n" LOADED, false},
        {KEPT "cp.async.ca.shared.global [kept], [%rd1], 8;\nbar.sync 0;\n" LOADED, false},
        // Whether it is stored is data.
        {KEPT
         "ld.global.u32 %r1, [%rd1];\nsetp.eq.s32 %p2, %r1, 0;\n@%p2 st.shared.u32 [kept], 3;\n"
         "bar.sync 0;\n" LOADED,
         false},
        {KEPT "ld.global.u32 %r1, [%rd1];\nsetp.eq.s32 %p2, %r1, 0;\n@%p2 bra B;\n"
              "st.shared.u32 [kept], 3;\nB:\nbar.sync 0;\n" LOADED,
         false},
        {KEPT THROUGH("kept") "st.relaxed.cta.b32 [%rd3], 3;\nbar.sync 0;\n" UNDER(
             "ld.relaxed.cta.b32 %r1, [%rd3];"),
         true},
        {KEPT NUMBER("%ctaid.x")
             THROUGH("kept") "st.relaxed.cta.b32 [%rd3], %r1;\nbar.sync 0;\n" LOADED,
         false},
        // How many threads have a part, as `cuda::pipeline` counts them.
        {KEPT "st.shared.u32 [kept+4], 0;\nbar.sync 0;\nactivemask.b32 %r5;\n"
              "match.any.sync.b64 %r6, %rd1, %r5;\npopc.b32 %r7, %r6;\n"
              "red.shared.add.u32 [kept+4], %r7;\nbar.sync 0;\n" LOADED,
         true},
        // By a function, by a matrix, by a pointer of two, by a register that is called as
        // variables are.
        {KEPT
         ".param .b32 p0;\nst.param.b32 [p0], %r6;\ncall.uni plain, (p0);\nbar.sync 0;\n" LOADED,
         false},
        {KEPT
         "ld.global.u32 %r6, [%rd1];\nwmma.store.d.sync.aligned.row.m16n16k16.shared.s32 [kept], "
         "{%r6, %r6, %r6, %r6, %r6, %r6, %r6, %r6}, 16;\nbar.sync 0;\n" LOADED,
         false},
        {KEPT "ld.param.u32 %r5, [k_param_0];\nld.local.u64 %rd2, [%rd1];\ncvt.u64.u32 %rd3, %r5;\n"
              "add.s64 %rd4, %rd2, %rd3;\nld.global.u32 %r6, [%rd1];\nst.u32 [%rd4], %r6;\n"
              "bar.sync 0;\n" LOADED,
         false},
        {KEPT ".reg .u32 at;\nmov.u32 at, kept;\nld.global.u32 %r6, [%rd1];\nst.shared.u32 [at+4], "
              "%r6;\n"
              "bar.sync 0;\n" LOADED,
         false},
        {KEPT "ld.param.u32 %r5, [k_param_0];\nsetp.eq.s32 %p2, %r5, 0;\n"
              "@%p2 cp.async.ca.shared.global [kept], [%rd1], 8;\nbar.sync 0;\n" LOADED,
         false},
        // What an atomic gives back depends on who has been there.
        {KEPT "st.shared.u32 [kept+4], 0;\n" UNDER("atom.shared.add.u32 %r1, [kept+4], 1;"), false},
    };
    EXPECT_ROWS(rows);
}

// Whoever comes last ends an mbarrier's life.
static void test_last(void **state)
{
    (void)state;
#define BY_THE_LAST                                                                                \
    KEPT "atom.shared.add.u32 %r1, [other], 1;\nsetp.ne.s32 %p1, %r1, 63;\n@%p1 bra A;\n"
    static const struct row rows[] = {
        {BY_THE_LAST "mbarrier.inval.shared.b64 [kept];\nA:", true},
        {BY_THE_LAST
         "mov.u32 %r5, kept;\nadd.s32 %r6, %r5, 8;\nmbarrier.inval.shared.b64 [%r6];\nA:",
         true},
        {KEPT "ld.global.u32 %r1, [%rd1];\nsetp.ne.s32 %p1, %r1, 63;\n@%p1 bra A;\n"
              "mbarrier.inval.shared.b64 [kept];\nA:",
         false}, // by data
        {KEPT "ld.global.u32 %r5, [%rd1];\natom.shared.add.u32 %r1, [other], %r5;\n"
              "setp.ne.s32 %p1, %r1, 63;\n@%p1 bra A;\nmbarrier.inval.shared.b64 [kept];\nA:",
         false},
        {BY_THE_LAST "mbarrier.inval.shared.b64 [%r6];\nA:", false}, // which one
        {BY_THE_LAST "mbarrier.inval.shared.b64 [kept];\nA:\n"
                     "mbarrier.init.shared::cta.b64 [kept], 1;",
         false},
        {BY_THE_LAST
         "mbarrier.inval.shared.b64 [kept];\nmbarrier.init.shared::cta.b64 [kept], 1;\nA:",
         false},
        {BY_THE_LAST "mbarrier.init.shared::cta.b64 [kept], 1;\nA:", false},
        {"L:\n" BY_THE_LAST
         "mbarrier.inval.shared.b64 [kept];\nA:\nsetp.lt.s32 %p2, %r3, 4;\n@%p2 bra L;",
         true}, // no other use
    };
    EXPECT_ROWS(rows);
}

static void test_what_holds(void **state)
{
    (void)state;
    static const char wait[] =
        "L:\nmbarrier.try_wait.parity.shared::cta.b64 %p1, [%r2], 0;\n@!%p1 bra L;";
    static const char by_thread[] = NUMBER("%tid.x") "setp.lt.s32 %p1, %r1, 64;\n@%p1 bra A;\n";
    static const struct {
        const char *before, *barrier;
        bool polls, in_line;
    } rows[] = {
        {"", wait, true, false},
        {by_thread, wait, true, false},
        {"", "bar.sync 0;", true, false},
        {by_thread, "bar.sync 0;", false, false},
        {"", "bar.sync 1, 64;", false, false},
        {"", "bar.arrive 1, 64;", false, false},
        {"", "barrier.cluster.wait;", false, false},
        {"", "bar.warp.sync -1;", true, true},
        {by_thread, "bar.warp.sync -1;", true, true},
        {"", "bar.warp.sync 7;", false, false},
        {"activemask.b32 %r5;\n", "match.any.sync.b64 %r6, %rd1, %r5;", true, true},
        {"activemask.b32 %r5;\n" NUMBER("%tid.x") "setp.lt.s32 %p1, %r1, 7;\n@%p1 bra A;\n",
         "match.any.sync.b64 %r6, %rd1, %r5;", false, false},
        {"", "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r2], 64;", false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char body[1024];
        snprintf(body, sizeof body, "%s%s\nA:", rows[i].before, rows[i].barrier);
        struct repeat repeat = repeat_of(body);
        if (!repeat.blocks || repeat.polls != rows[i].polls || repeat.in_line != rows[i].in_line)
            fail_msg("%s", body);
    }
}

// The next launch does the same where it is given the same: which parameters that takes.
static void test_launches(void **state)
{
    (void)state;
    static const char under[] = "setp.lt.s32 %p1, %r1, 5;\n@%p1 bra A;\nbar.sync 1, 64;\nA:";
    static const struct {
        const char *value;
        bool expected;
        const char *parameters;
    } rows[] = {
        {"mov.u32 %r1, 3;", true, ""},
        {"mov.u32 %r1, %ctaid.x;", true, ""},
        {"ld.param.u32 %r1, [k_param_0];", true, "[k_param_0+0]"},
        {"ld.param.u8 %r1, [k_param_0+3];", true, "[k_param_0+3]"},
        {"mov.b64 %rd2, k_param_0;\nmov.u64 %rd3, %rd2;\nld.param.u32 %r1, [%rd3+8];", true,
         "[k_param_0+8]"},
        {"mov.b64 %rd2, k_param_0;\nadd.s64 %rd3, %rd2, 640;\nld.param.u32 %r1, [%rd3+-636];", true,
         "[k_param_0+4]"},
        {"mov.b64 %rd2, k_param_0;\nadd.s64 %rd3, %rd2, %rd1;\nld.param.u32 %r1, [%rd3];", false,
         ""},
        {"ld.param.v2.u16 {%r1, %r5}, [k_param_0];", true, "[k_param_0+0][k_param_0+2]"},
        {"ld.param.u32 %r5, [k_param_0];\nmov.u32 %r6, %ctaid.x;\nmad.lo.s32 %r1, %r5, %r6, 1;",
         true, "[k_param_0+0]"},
        // By way of the branch that chooses the value; and not for data alone.
        {"ld.param.u32 %r5, [k_param_0];\nsetp.eq.s32 %p2, %r5, 0;\nmov.u32 %r1, 1;\n"
         "@%p2 bra B;\nmov.u32 %r1, 9;\nB:",
         true, "[k_param_0+0]"},
        {"ld.param.u32 %r5, [k_param_0];\nst.global.u32 [%rd1], %r5;\nmov.u32 %r1, 3;", true, ""},
        {"ld.param.u32 %r5, [k_param_0];\nshfl.sync.idx.b32 %r6|%p2, %r5, 0, 31, -1;\n"
         "mov.u32 %r1, 3;",
         true, ""},
        {"mov.u32 %r1, %smid;", false, ""},
        {"ld.global.u32 %r1, [%rd1];", false, ""},
        {".shared .align 4 .b8 kept[8];\nld.param.u32 %r5, [k_param_0];\nst.shared.u32 [kept], "
         "%r5;\n"
         "bar.sync 0;\nld.shared.u32 %r1, [kept];",
         true, "[k_param_0+0]"},
        {".shared .align 4 .b8 kept[8];\nld.param.u32 %r5, [k_param_0];\nsetp.eq.s32 %p2, %r5, 0;\n"
         "st.shared.u32 [kept], 3;\n@%p2 bra B;\nst.shared.u32 [kept], 4;\nB:\nbar.sync 0;\n"
         "ld.shared.u32 %r1, [kept];",
         true, "[k_param_0+0]"},
        {"ld.global.nc.u32 %r1, [%rd1];", false, ""}, // the same for all blocks of one launch
        {"ld.const.u32 %r1, [table];", false, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char body[1024], text[4096], parameters[256] = "";
        snprintf(body, sizeof body, "%s\n%s", rows[i].value, under);
        int length = snprintf(text, sizeof text,
                              ".visible .entry k(.param .u32 k_param_0, .param .u64 k_param_1)\n{\n"
                              "ld.param.u64 %%rd1, [k_param_1];\n"
                              "mbarrier.inval.shared.b64 [64];\n%s\nret;\n}\n",
                              body);
        struct repeat repeat = repeat_kernel(&arena, text, (size_t)length, 0);
        for (ptrdiff_t p = 0; p < arrlen(repeat.parameter); ++p)
            strcat(parameters, repeat.parameter[p].address);
        arrfree(repeat.parameter);
        if (repeat.launches != rows[i].expected ||
            (repeat.launches && strcmp(parameters, rows[i].parameters) != 0))
            fail_msg("%s: %s", rows[i].value, parameters);
    }
}

// Checks of other barriers cost less than a second copy.
static void test_worth(void **state)
{
    (void)state;
    static const char text[] = ".visible .entry k()\n{\nbar.sync 0;\nret;\n}\n";
    struct repeat repeat = repeat_kernel(&arena, text, sizeof text - 1, 0);
    assert_false(repeat.blocks || repeat.launches);
}

static void test_not_followed(void **state)
{
    (void)state;
    assert_false(repeats("call.uni other, ();"));
    assert_false(repeats("mov.u32 %r1, %envreg2;\nbar.sync 0;"));
    assert_false(repeats("brx.idx %r1, list;"));
    assert_false(repeat_kernel(&arena, ".entry k();", 11, 0).blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_comes),    cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_operands),     cmocka_unit_test(test_what_holds),
        cmocka_unit_test(test_launches),     cmocka_unit_test(test_worth),
        cmocka_unit_test(test_not_followed), cmocka_unit_test(test_memory),
        cmocka_unit_test(test_last),
    };
    arena_init(&arena);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_release(&arena);
    return failed;
}
