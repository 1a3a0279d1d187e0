// The semantics core does the same as C and as C++ code, and every_function.h leaves out none of
// its functions.
#include "every_function.h"
#include "expect.h"

uint32_t every_function_cxx(uint32_t seed);

static void test_c_and_cxx(void **state)
{
    (void)state;
    static struct barlint_cta cta;
    uint32_t last = 0, changes = 0;
    for (uint32_t seed = 0; seed < 500; seed++) {
        uint32_t hash = every_function(seed, &cta);
        assert_int_equal(hash, every_function_cxx(seed));
        changes += hash != last;
        last = hash;
    }
    assert_true(changes > 495);
}

static char text[1 << 17];

static size_t read_text(const char *path)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_true(size < sizeof text - 1);
    text[size] = 0;
    return size;
}

// A public function is one that other files may call: all that start a definition but the helpers
// that only the header itself calls.
static void test_nothing_is_left_out(void **state)
{
    (void)state;
    static const char *const headers[] = {"mbarrier_state", "mbarrier", "mbarrier_use",
                                          "named",          "cluster",  "warp",
                                          "group",          "pipeline", "async"};
    static const char *const helpers[] = {
        "barlint_mbarrier_is_remote",
        "barlint_mbarrier_check_published",
        "barlint_mbarrier_begin",
        "barlint_mbarrier_try_complete",
        "barlint_mbarrier_add_tx",
        "barlint_mbarrier_announce",
        "barlint_mbarrier_arrive_on",
        "barlint_mbarrier_answer",
        "barlint_stuck_arrivals",
        "barlint_block_lanes",
        "barlint_named_check",
        "barlint_named_round",
        "barlint_named_try_complete",
        "barlint_named_check_open",
        "barlint_named_gather",
        "barlint_named_check_warp",
        "barlint_cluster_try_complete",
        "barlint_warp_blame",
        "barlint_warp_complete",
        "barlint_warp_blocks",
        "barlint_group_try_complete",
        "barlint_pipe_begin",
        "barlint_pipe_kept",
        "barlint_async_reach",
        "barlint_async_check_wait",
    };
    static char used[1 << 16];
    int functions = 0;
    size_t size = read_text(TEST_DIR "/every_function.h");
    assert_true(size < sizeof used);
    memcpy(used, text, size + 1);
    for (size_t h = 0; h < sizeof headers / sizeof *headers; h++) {
        char path[512];
        snprintf(path, sizeof path, INCLUDE_DIR "/barlint/semantics/%s.h", headers[h]);
        read_text(path);
        const char *at = text;
        while ((at = strstr(at, "BARLINT_HD static inline"))) {
            const char *open = strchr(at, '('), *name = open;
            char call[128];
            bool helper = false;
            while (name[-1] == '_' || (name[-1] >= 'a' && name[-1] <= 'z')) {
                name--;
            }
            snprintf(call, sizeof call, "%.*s(", (int)(open - name), name);
            for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++) {
                helper = helper || (strlen(helpers[i]) == (size_t)(open - name) &&
                                    strncmp(helpers[i], name, (size_t)(open - name)) == 0);
            }
            if (!helper && !strstr(used, call)) {
                fail_msg("%s is not called", call);
            }
            functions++;
            at = open;
        }
    }
    assert_true(functions > 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_c_and_cxx),
        cmocka_unit_test(test_nothing_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
