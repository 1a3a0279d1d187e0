// What those who call a launcher in the unit agree on.
#include "base/vec.h"
#include "engine/walk/launch.h"
#include "ir/origin.h"

// The one number that all calls of a function pass as a parameter, where they do.
struct passed {
    const struct ir_unit *unit;
    const bool *reaching; // a launch may come of a call of it, as of all its callers
    struct arena arena;   // for work
    int64_t number;
    bool any, differs;
};

// Notes what the value in the frame comes to, for all who call the outermost frame's function where
// that only passes it on, as with an argument that is given by default.
static void note_passed(struct passed *passed, const struct ir_frame *frame, ir_value value,
                        struct ir_frame *outermost, int depth)
{
    enum { DEEP = 4 };
    int64_t number;
    if (ir_constant_of(passed->unit, frame, value, &passed->arena, &number)) {
        passed->differs |= passed->any && passed->number != number;
        passed->number = number;
        passed->any = true;
        return;
    }
    bool called = false;
    for (ptrdiff_t f = 0; f < arrlen(passed->unit->function) && depth < DEEP; ++f) {
        const struct ir_function *function = &passed->unit->function[f];
        for (ptrdiff_t i = 0; i < arrlen(function->op) && passed->reaching[f] && !passed->differs;
             ++i) {
            if (function->op[i].code != IR_CALL || function == outermost->function ||
                &passed->unit->function[function->op[i].imm] != outermost->function)
                continue;
            struct ir_frame caller = {NULL, function, NULL};
            outermost->caller = &caller;
            outermost->call = &function->op[i];
            note_passed(passed, frame, value, &caller, depth + 1);
            outermost->caller = NULL;
            called = true;
        }
    }
    passed->differs |= !called;
}

void launch_given_by_all(const struct ir_unit *unit, ir_function_id id, const bool *reaching,
                         struct engine_shape *out)
{
    uint32_t params = (uint32_t)arrlen(unit->function[id].param);
    for (uint32_t k = 0; k < params && k < ENGINE_ARGUMENTS; ++k) {
        struct passed passed = {.unit = unit, .reaching = reaching};
        arena_init(&passed.arena);
        for (ptrdiff_t f = 0; f < arrlen(unit->function); ++f) {
            const struct ir_function *function = &unit->function[f];
            for (ptrdiff_t i = 0; i < arrlen(function->op) && reaching[f] && f != id; ++i) {
                const struct ir_op *op = &function->op[i];
                struct ir_frame caller = {NULL, function, NULL};
                if (op->code != IR_CALL || op->imm != id || passed.differs)
                    continue;
                if (k < op->operand_count)
                    note_passed(&passed, &caller, ir_operand(function, op, k), &caller, 0);
                else
                    passed.differs = true;
            }
        }
        arena_release(&passed.arena);
        if (passed.any && !passed.differs) {
            out->argument[k] = passed.number;
            out->arguments_known |= UINT64_C(1) << k;
        }
    }
}
