// The intermediate representation: what is left of a translation unit once clang's syntax tree is
// gone. A unit holds types with sizes and offsets, global objects, and functions; a function holds
// blocks of operations. Values are scalars (integers, floating numbers, addresses); records and
// arrays live in memory and are handled by address. The IR is immutable once built and verified:
// analyses keep their facts in tables of their own, indexed by block or value number.
//
// Layer: ir uses base only.
#ifndef BARLINT_IR_IR_H
#define BARLINT_IR_IR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

#define IR_NONE UINT32_MAX

// Indices into the arrays of a unit or a function; IR_NONE where there is none.
typedef uint32_t ir_type_id;
typedef uint32_t ir_function_id;
typedef uint32_t ir_global_id;
typedef uint32_t ir_block_id;
typedef uint32_t ir_value; // the number of the operation that yields the value

// A place in the sources. File 0 is the unknown file; lines and columns start at 1. A construct
// written by a macro stands where the macro was used.
struct ir_loc {
    uint32_t file;
    uint32_t line, column;
    uint32_t end_line, end_column;
    uint32_t in_macro; // 1: a macro wrote its beginning or its end
};

enum ir_type_kind {
    IR_TYPE_VOID,
    IR_TYPE_INT, // bits 1 (bool), 8, 16, 32, 64, 128
    IR_TYPE_FLOAT,
    IR_TYPE_POINTER, // elem is the pointee; references are pointers
    IR_TYPE_ARRAY,   // count elements of elem; count 0 where the extent is unknown
    IR_TYPE_RECORD,
    IR_TYPE_FUNCTION,
    IR_TYPE_OPAQUE, // anything else, by name
};

struct ir_field {
    const char *name; // "" for an unnamed member or a base class
    ir_type_id type;
    uint64_t offset; // bytes from the start of the record
    uint32_t bit_offset, bit_width; // width 0 for an ordinary member
};

struct ir_type {
    enum ir_type_kind kind;
    bool is_signed;
    bool is_union;
    uint32_t bits;
    ir_type_id elem;
    uint64_t count;
    uint64_t size, align; // bytes; 0 where unknown (incomplete or dependent)
    const char *name;     // records and opaque types: qualified, inline namespaces left out,
                          // template arguments included
    struct ir_field *field; // stb_ds array, by offset; bases come first as fields
};

enum ir_space {
    IR_SPACE_GLOBAL,         // __device__, __managed__ or a host object
    IR_SPACE_CONSTANT,       // __constant__
    IR_SPACE_SHARED,         // __shared__ of known size
    IR_SPACE_SHARED_DYNAMIC, // extern __shared__: laid over the dynamic shared memory
    IR_SPACE_HOST,
};

struct ir_global {
    const char *name; // qualified; a function's own shared variable carries its plain name
    ir_type_id type;
    enum ir_space space;
    uint64_t align;       // bytes, declared or natural
    ir_function_id owner; // the function that declares it, or IR_NONE
    bool has_value;       // a constant integer object known at compile time
    int64_t value;
    struct ir_loc loc;
};

enum ir_special {
    IR_TID_X, IR_TID_Y, IR_TID_Z,
    IR_NTID_X, IR_NTID_Y, IR_NTID_Z,
    IR_CTAID_X, IR_CTAID_Y, IR_CTAID_Z,
    IR_NCTAID_X, IR_NCTAID_Y, IR_NCTAID_Z,
    IR_LANEID, IR_WARPID, IR_NWARPID, IR_WARPSIZE,
    IR_CLUSTER_CTAID_X, IR_CLUSTER_CTAID_Y, IR_CLUSTER_CTAID_Z, IR_CLUSTER_CTARANK,
    IR_CLUSTER_NCTAID_X, IR_CLUSTER_NCTAID_Y, IR_CLUSTER_NCTAID_Z, IR_CLUSTER_NCTARANK,
    IR_CLUSTERID_X, IR_CLUSTERID_Y, IR_CLUSTERID_Z,
    IR_NCLUSTERID_X, IR_NCLUSTERID_Y, IR_NCLUSTERID_Z,
    IR_LANEMASK_EQ, IR_LANEMASK_LE, IR_LANEMASK_LT, IR_LANEMASK_GE, IR_LANEMASK_GT,
    IR_SMID, IR_NSMID, IR_GRIDID, IR_CLOCK, IR_CLOCK64, IR_GLOBALTIMER,
    IR_DYNAMIC_SMEM_SIZE, IR_TOTAL_SMEM_SIZE,
    IR_SPECIAL_COUNT_
};

enum ir_op_code {
#define OP(name, text, operands, flags) IR_##name,
#include "ir/ops.def"
#undef OP
    IR_OP_COUNT_
};

enum ir_op_flags {
    IR_VOLATILE = 1u << 0,    // volatile access, or asm volatile
    IR_MAY_BARRIER = 1u << 1, // opaque, or a call: a barrier operation may hide in it
    IR_MEMORY_CLOBBER = 1u << 2, // asm with a "memory" clobber
    IR_RETURN_USED = 1u << 3, // call whose value is used by the source
    IR_VIRTUAL = 1u << 4,     // call through a virtual function: the callee is one candidate
    IR_LOOP = 1u << 5,        // condbr/switch/br that decides whether a source loop goes on
    IR_EXPLICIT_DROP = 1u << 6, // call whose value the source discards with a cast to void
    IR_ATOMIC = 1u << 7,
    IR_RELEASE = 1u << 8,  // atomic store that releases what came before to the whole device
    IR_AT_BRACE = 1u << 9, // return that no statement says: control runs off the function's end
};

struct ir_op {
    uint16_t code;  // enum ir_op_code
    uint16_t flags; // enum ir_op_flags
    ir_type_id type; // of the value; IR_NONE where there is none
    uint32_t operand;       // first of operand_count entries of the function's operand array
    uint32_t operand_count;
    int64_t imm;
    const char *text;
    ir_block_id target[2];
    uint32_t case_count;
    struct ir_loc loc;
};

struct ir_case {
    int64_t low, high; // inclusive
    ir_block_id target;
};

struct ir_block {
    ir_value *op; // stb_ds array of operation numbers in order; the last one ends the block
};

struct ir_local {
    const char *name; // "" for a temporary
    ir_type_id type;
    struct ir_loc loc;
};

enum ir_statement_kind {
    IR_STATEMENT_BLOCK, // { ... }
    IR_STATEMENT_IF,
    IR_STATEMENT_LOOP,
    IR_STATEMENT_RETURN,
    IR_STATEMENT_OTHER, // an expression, a declaration, asm, a switch, a label ...
};

// A statement of the sources: what edits of them are made of. Not part of the text form.
struct ir_statement {
    enum ir_statement_kind kind;
    uint32_t parent;   // the statement it is a part of, IR_NONE for the body
    struct ir_loc loc; // without the semicolon behind it
};

struct ir_param {
    const char *name;
    ir_type_id type; // of a record the argument is the address of a copy
    bool is_this;   // the object a member function is called on
    bool is_result; // where a function that returns a record puts it
};

enum ir_template_arg_kind { IR_ARG_TYPE, IR_ARG_INT, IR_ARG_OTHER };

struct ir_template_arg {
    enum ir_template_arg_kind kind;
    ir_type_id type; // IR_ARG_TYPE
    int64_t value;   // IR_ARG_INT
    const char *text; // as written by clang
};

enum ir_function_flags {
    IR_FN_KERNEL = 1u << 0,
    IR_FN_DEVICE = 1u << 1,
    IR_FN_HOST = 1u << 2,
    IR_FN_BODY = 1u << 3,     // has blocks
    IR_FN_PARTIAL = 1u << 4,  // lost expressions to parse errors: no certain finding inside
    IR_FN_PATTERN = 1u << 5,  // an uninstantiated template: dependent values are opaque
    IR_FN_NORETURN = 1u << 6,
    IR_FN_LAMBDA = 1u << 7,
    IR_FN_CONSTRUCTOR = 1u << 8,
    IR_FN_DESTRUCTOR = 1u << 9,
    IR_FN_SYSTEM = 1u << 10, // defined in a header of the toolkit or of the system
    IR_FN_NODISCARD = 1u << 11,
    IR_FN_INTERNAL = 1u << 12, // no other unit can mean it: static, or in an unnamed namespace
};

// Extents given by attributes; 0 where not given.
struct ir_launch_attributes {
    int64_t max_threads, min_blocks, max_blocks; // __launch_bounds__
    int64_t cluster[3];                          // __cluster_dims__
    int64_t block[3];                            // __block_size__
    int64_t max_registers;                       // __maxnreg__
};

struct ir_function {
    const char *name;   // for people: qualified, with template arguments
    const char *lookup; // qualified without template arguments and inline namespaces; the key of
                        // the model's rows ("cuda::barrier::arrive")
    const char *key;    // identity across translation units (mangled name, else USR)
    uint32_t flags;     // enum ir_function_flags
    ir_type_id result;  // void where the result is a record (see is_result)
    struct ir_param *param;                   // stb_ds array
    struct ir_template_arg *template_arg;     // of the function
    struct ir_template_arg *class_arg;        // of the innermost enclosing class template
    struct ir_launch_attributes attributes;
    struct ir_local *local;
    struct ir_block *block; // block 0 is the entry
    struct ir_op *op;       // indexed by ir_value
    ir_value *operand;
    struct ir_case *cases;
    struct ir_statement *statement; // each behind the one it is a part of
    struct ir_loc loc;
};

// A file the unit read; file 0 is "".
struct ir_file {
    const char *path;
    bool is_system; // a header of the toolkit or of the system
};

struct ir_unit {
    struct arena arena; // text and whatever lives as long as the unit
    const char *target; // "sm_90a"
    bool lacks_headers; // some were not found: which way an #if went may be a guess
    uint32_t cccl;      // CCCL_VERSION of the headers it read: 3000001 for 3.0.1; 0 for none
    struct ir_file *file;
    struct ir_type *type;
    struct ir_global *global;
    struct ir_function *function;
    uint32_t *type_slot; // open hash table over `type`, kept by unit.c; length a power of two
};

// The operands of a LAUNCH before the kernel's arguments; IR_NONE where not given by the launch.
enum ir_launch_operand {
    IR_LAUNCH_KERNEL, // address of the kernel where imm is -1
    IR_LAUNCH_GRID_X, IR_LAUNCH_GRID_Y, IR_LAUNCH_GRID_Z,
    IR_LAUNCH_BLOCK_X, IR_LAUNCH_BLOCK_Y, IR_LAUNCH_BLOCK_Z,
    IR_LAUNCH_SHARED_BYTES,
    IR_LAUNCH_COOPERATIVE, // 1 for cudaLaunchCooperativeKernel
    IR_LAUNCH_ATTRIBUTES,  // address of an array of cudaLaunchAttribute
    IR_LAUNCH_ATTRIBUTE_COUNT,
    IR_LAUNCH_STREAM,
    IR_LAUNCH_ARRAY, // address of an array of the arguments' addresses, where imm is -1
    IR_LAUNCH_OPERANDS_
};

// --- Units ---------------------------------------------------------------------------------

// Starts an empty unit with file 0, type 0 (void) and nothing else.
void ir_unit_init(struct ir_unit *unit);
void ir_unit_release(struct ir_unit *unit);

// Each returns the number of an equal existing entry, or of a new one. Sizes follow from the
// element; asking again for an array of a record completed meanwhile brings its size up to date.
ir_type_id ir_type_void(struct ir_unit *unit);
ir_type_id ir_type_int(struct ir_unit *unit, uint32_t bits, bool is_signed);
ir_type_id ir_type_bool(struct ir_unit *unit);
ir_type_id ir_type_float(struct ir_unit *unit, uint32_t bits);
ir_type_id ir_type_pointer(struct ir_unit *unit, ir_type_id pointee);
ir_type_id ir_type_array(struct ir_unit *unit, ir_type_id elem, uint64_t count);
ir_type_id ir_type_function(struct ir_unit *unit); // every function type is this one
ir_type_id ir_type_opaque(struct ir_unit *unit, const char *name, uint64_t size, uint64_t align);
// A new record without fields; the caller fills the fields by offset and the size.
ir_type_id ir_type_record(struct ir_unit *unit, const char *name);
// A new function with the given names (copied; lookup and key are `name` where NULL) and no body.
// Pointers to functions of the unit do not survive it.
ir_function_id ir_function_add(struct ir_unit *unit, const char *name, const char *lookup,
                               const char *key);

// --- Building ------------------------------------------------------------------------------

struct ir_builder {
    struct ir_unit *unit;
    ir_function_id function;
    ir_block_id block; // where operations go; IR_NONE after a terminator
    struct ir_loc loc; // given to new operations
};

// The function under construction; the pointer is good until the next ir_function_add.
struct ir_function *ir_builder_function(struct ir_builder *builder);
// Each returns the index of the new local or block; the name is copied. ir_build_block does not
// move the builder: set `block` to go there.
uint32_t ir_build_local(struct ir_builder *builder, const char *name, ir_type_id type);
ir_block_id ir_build_block(struct ir_builder *builder);
// Appends an operation to the current block. When the block has ended already, a new unreachable
// block is begun, so that code after `return` is still lowered. The type void stands for IR_NONE.
// Returns the value number.
ir_value ir_build(struct ir_builder *builder, enum ir_op_code code, ir_type_id type,
                  const ir_value *operand, size_t operand_count, int64_t imm);
ir_value ir_build_const(struct ir_builder *builder, ir_type_id type, int64_t value);
void ir_build_br(struct ir_builder *builder, ir_block_id target);
void ir_build_condbr(struct ir_builder *builder, ir_value condition, ir_block_id if_true,
                     ir_block_id if_false);
// The cases are copied; a value in none of them goes to `otherwise`.
ir_value ir_build_switch(struct ir_builder *builder, ir_value value, ir_block_id otherwise,
                         const struct ir_case *cases, size_t case_count);
// Gives an operation of the function under construction its text (copied).
void ir_build_text(struct ir_builder *builder, ir_value value, const char *text);
bool ir_builder_ended(const struct ir_builder *builder); // the current block has its terminator

// Ends blocks behind calls of functions that never come back, since all ways through them end in
// UNREACHABLE (ends.c).
void ir_end_blocks(struct ir_unit *unit);

// --- Reading -------------------------------------------------------------------------------

// NULL for IR_NONE and for numbers that are out of range.
static inline const struct ir_op *ir_op_at(const struct ir_function *function, ir_value value)
{
    return value < arrlenu(function->op) ? &function->op[value] : NULL;
}
// Operand `index` of the operation; IR_NONE when it has not that many.
static inline ir_value ir_operand(const struct ir_function *function, const struct ir_op *op,
                                  uint32_t index)
{
    return index < op->operand_count ? function->operand[op->operand + index] : IR_NONE;
}
// The operation that ends the block; NULL when the block is empty.
const struct ir_op *ir_terminator(const struct ir_function *function, ir_block_id block);
bool ir_is_terminator(enum ir_op_code code);
bool ir_has_value(enum ir_op_code code);
// How many operands the operation has; -1 where that varies.
int ir_operand_arity(enum ir_op_code code);
const char *ir_op_name(enum ir_op_code code);
// Whether `inner` lies within `outer`; false where one of them is unknown.
bool ir_loc_holds(const struct ir_loc *outer, const struct ir_loc *inner);
// Whether `a` begins before `b`, in the same file.
bool ir_loc_before(const struct ir_loc *a, const struct ir_loc *b);
// The innermost statement that holds the place; IR_NONE where there is none.
uint32_t ir_statement_at(const struct ir_function *function, const struct ir_loc *loc);
const char *ir_special_name(enum ir_special special); // "tid.x"

// --- Text form (text.c, reader.c), verifier (verify.c) ---------------------------------------

// Writes the unit, or one function of it, as text. Text that was written reads back to a unit that
// writes the same text; ir/text.h describes the form.
void ir_print_unit(FILE *out, const struct ir_unit *unit);
void ir_print_function(FILE *out, const struct ir_unit *unit, ir_function_id function);
// Reads the text form. Fails with the line and what was expected there; the unit is then empty.
bool ir_read_unit(struct ir_unit *unit, const char *text, size_t length, struct error *error);
// Copies functions of a unit into another, with everything they need: what they call, types, objects
// and files. Functions are told apart by their keys, those with internal linkage never shared; one
// that is only declared in `into` gets the body. Pointers to functions of `into` do not survive it.
void ir_unit_import(struct ir_unit *into, const struct ir_unit *from,
                    const ir_function_id *function, size_t count);
// Checks every promise of this header and of ops.def: numbers in range, elements before the types
// made of them, fields by offset and no record inside itself, one terminator at the end of each
// block with operations and no reachable block without any, each operation in at most one block,
// operand counts, operands that yield a value and are defined before use on every path, scalar
// types where and only where a value is yielded.
bool ir_verify_unit(const struct ir_unit *unit, struct error *error);
bool ir_verify_function(const struct ir_unit *unit, ir_function_id function, struct error *error);

#endif
