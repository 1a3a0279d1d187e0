// Inside the lowering of libclang's syntax tree to the IR.
//
// Objects live in memory: every variable is a local of the IR (DECLARE, STORE, LOAD), references
// are bound to the address they stand for. An expression is lowered in one of four ways, as its
// context asks: to a value (scalars; the address for records and arrays), to an address (glvalues,
// and prvalues through a temporary), into an object (initialisation), or for its effects only.
// libclang does not tell values from glvalues, so the context decides where a load stands.
#ifndef BARLINT_FRONTEND_LOWER_H
#define BARLINT_FRONTEND_LOWER_H

#include <clang-c/Index.h>

#include "base/arena.h"
#include "base/vec.h"
#include "frontend/frontend.h"
#include "ir/ir.h"

// --- cursor.c: cursors as keys, children, text ----------------------------------------------

// An open hash table from cursors to numbers.
struct cursor_map {
    struct cursor_slot {
        CXCursor key;
        uint32_t value;
        bool used;
    } * slot;
    size_t capacity, count;
};

// Returns IR_NONE where the cursor is not in the map.
uint32_t cursor_map_find(const struct cursor_map *map, CXCursor key);
void cursor_map_put(struct cursor_map *map, CXCursor key, uint32_t value);
void cursor_map_release(struct cursor_map *map);

struct children {
    CXCursor *item;
    size_t count;
};

// The children of a cursor in the scratch arena; attributes and references to types, templates
// and namespaces are left out.
struct children children_of(struct arena *arena, CXCursor cursor);
// All of them.
struct children children_all(struct arena *arena, CXCursor cursor);

// The string is copied to the arena and disposed of.
const char *take_string(struct arena *arena, CXString string);
// How clang spells a type, with closures named by the file alone. The text lives in the arena.
const char *type_spelling(struct arena *arena, CXType type);
const char *cursor_name(struct arena *arena, CXCursor cursor);

bool cursor_is_null(CXCursor cursor);
bool is_expression(CXCursor cursor);
bool is_function_kind(enum CXCursorKind kind);
bool is_variable(CXCursor decl);
bool is_record_kind(enum CXCursorKind kind);

// --- Types of the work ------------------------------------------------------------------------

// What a class is made of; filled once for each class.
struct record_info {
    CXCursor decl;
    CXType type;
    ir_type_id id;
    bool is_filled, is_filling;
    bool is_union;
    CXCursor *base; // stb_ds arrays
    CXCursor *field;
    CXCursor *method;     // constructors, destructor and assignments among them
    int64_t *base_offset; // bytes, one a base
    // Whether an object of the class, or a part of it, has one that the user wrote.
    bool has_copy, has_assign, has_destroy, has_default;
};

struct closure_capture {
    CXCursor variable; // null for `this`
    bool is_this, is_this_copy, by_reference;
    uint64_t offset; // bytes in the closure object
    CXType type;     // of the field
};

struct closure_info {
    CXCursor decl;
    CXCursor this_record;            // the class whose member function has the lambda, or null
    struct closure_capture *capture; // stb_ds array
};

struct work {
    CXCursor definition;
    ir_function_id function;
    int postponed; // how often
};

// What is known of a function of the unit beside its IR; one entry a function, same numbers.
struct function_state {
    CXCursor definition; // null where only declared
    bool is_queued;
};

struct file_slot {
    CXFile key;
    uint32_t value;
};

struct file_text {
    CXFile file;
    const char *text;
    size_t length;
};

// The lowering of one translation unit.
struct lowering {
    const struct frontend_job *job;
    struct frontend_report *report;
    struct ir_unit *unit;
    CXTranslationUnit tu;
    CXIndex index;
    struct arena arena;   // lives as long as the lowering
    struct arena scratch; // emptied after each function
    struct cursor_map functions, globals, records, closures;
    struct cursor_map templates_used; // patterns that have an instance
    struct cursor_map scope_names[2]; // without and with template arguments
    const char **scope_name;          // stb_ds arrays
    struct record_info **record;
    struct closure_info **closure;
    struct function_state *state;
    struct work *queue;
    CXCursor *instance; // of templates, by find_instances
    size_t queue_next;
    bool from_host;                   // the function being lowered runs on the host
    struct cursor_map launchers;      // host functions scanned: 1 where a launch can be reached
    struct file_slot *file_of;        // stb_ds hash map
    struct frontend_unsaved *unsaved; // stb_ds array: files whose text is not the disk's
    const char *undeclared;           // what declares the names that nothing else does, or NULL
    struct file_text *text;
    CXFile last_file; // text of the file asked for last
    const struct file_text *last_text;
    struct {
        CXFile file;
        unsigned line, column, offset;
    } last_place; // of place_of(), in loc.c
    struct {
        char *key;
        size_t value;
    } * opaque_count; // stb_ds string map
    struct error_extent {
        CXFile file;
        unsigned offset;
    } * error_at; // places of errors that lose expressions
    double deadline;
    size_t op_count;
};

// What the source does with the value of a call.
enum use {
    USE_VALUE,
    USE_NONE, // an expression statement
    USE_DROP, // cast to void
};

enum place_kind {
    PLACE_LOCAL,  // number of a local
    PLACE_VALUE,  // the value is the address
    PLACE_GLOBAL, // number of a global
};

struct place {
    enum place_kind kind;
    uint32_t number;
};

struct cleanup {
    CXType type; // the object's
    struct place place;
};

struct jump {
    ir_block_id target_break, target_continue; // IR_NONE where not allowed
    size_t cleanup_depth, continue_depth;
};

struct scope {
    CXCursor compound;
    size_t cleanup_depth; // where it began
};

struct label {
    ir_block_id block;
};

struct switch_state {
    struct ir_case *cases; // stb_ds array
    ir_block_id otherwise; // IR_NONE without a default label
    CXType type;
};

// The lowering of one function.
struct lower {
    struct lowering *unit;
    struct ir_builder b;
    CXCursor definition;
    CXType result_type;
    bool is_pattern, is_device;
    bool is_lost; // an expression was lost to a parse error
    bool returns_record, returns_reference;
    ir_value this_value;   // address of the object, or IR_NONE
    ir_value closure_this; // in a lambda's body: address of the closure
    ir_value result_value; // where a record result goes
    CXCursor this_record;
    const struct closure_info *closure;
    struct cursor_map places_of;
    struct place *place; // stb_ds arrays
    struct cleanup *cleanup;
    size_t full_expression; // cleanup depth where the full expression began
    struct jump *jump;
    struct scope *scope;
    uint32_t statement; // the one at hand, of the function's list
    struct cursor_map labels_of;
    struct label *label;
    struct switch_state *switch_state;
    ir_block_id prologue; // block 0: constants that must dominate their uses
    struct ir_loc prologue_loc;
    unsigned depth; // of the recursion
    enum use use;   // of the call that is lowered next
};

static inline struct arena *scratch_of(struct lower *l)
{
    return &l->unit->scratch;
}

static inline struct ir_unit *unit_of(struct lower *l)
{
    return l->unit->unit;
}

// --- loc.c ------------------------------------------------------------------------------------

struct ir_loc loc_of(struct lowering *u, CXCursor cursor);
// Whether the file is a system's. The main file is none, and is not asked: to find its start,
// libclang goes through all that macros have made of their arguments, layer by layer.
bool is_system_file(CXTranslationUnit tu, CXFile file);
// The unit's number of a file; `inside` is any place in it, which says whether it is a system's.
uint32_t file_number(struct lowering *u, CXFile file, CXSourceLocation inside);
bool is_system_location(CXCursor cursor);
// The source text from where the cursor starts as written (inside a macro: in the macro's
// definition) to the end of its file; "" where there is none.
const char *text_at(struct lowering *u, CXCursor cursor);
// The text from where the cursor stands in the file, be it the use of a macro.
const char *text_of_use(struct lowering *u, CXCursor cursor);
const char *text_end(struct lowering *u, CXCursor cursor, const char **begin);
// What the disk holds of a file; NULL when it cannot be read.
const char *text_of_file(struct lowering *u, const char *path);
// How many parts separated by `;` the first pair of parentheses of `text` has, at most 3, and which
// of them are empty. 0 where there is no such pair.
unsigned paren_parts(const char *text, bool is_empty[3]);
bool text_has_word(const char *text, const char *word, const char *until);
bool has_error_inside(struct lowering *u, CXCursor cursor);
const char *whole_text(struct lowering *u, CXFile file, size_t *size);

// --- names.c ----------------------------------------------------------------------------------

// Qualified, without template arguments and inline namespaces.
const char *lookup_name(struct lowering *u, CXCursor decl);
// Qualified, with template arguments.
const char *display_name(struct lowering *u, CXCursor decl);
const char *key_name(struct lowering *u, CXCursor decl);
void template_arguments(struct lowering *u, CXCursor decl, struct ir_template_arg **out);

// --- types.c ----------------------------------------------------------------------------------

enum type_class {
    CLASS_VOID,
    CLASS_SCALAR,
    CLASS_RECORD,
    CLASS_ARRAY,
    CLASS_FUNCTION,
    CLASS_REFERENCE,
    CLASS_DEPENDENT,
};

CXType canonical(CXType type);
enum type_class classify(CXType type);
bool is_integral(CXType type);
bool is_floating(CXType type);
bool is_pointer(CXType type);
bool is_reference(CXType type);
bool is_record(CXType type);
bool is_dependent(CXType type);
bool same_type(CXType a, CXType b); // but for qualifiers
CXType strip_reference(CXType type);
CXType array_element(CXType type);
int64_t array_count(CXType type); // 0 where unknown
uint64_t size_of(CXType type);    // 0 where unknown
ir_type_id type_of(struct lowering *u, CXType type);
ir_type_id pointer_to(struct lowering *u, CXType pointee);
// Of a parameter as it is declared: arrays and functions are pointers.
ir_type_id parameter_type(struct lowering *u, CXType type);
// NULL where the type is no class.
struct record_info *record_of(struct lowering *u, CXType type);
void record_fill(struct lowering *u, struct record_info *record);
// Bytes from the start of `derived` to its base class `base`; false where it is none.
bool base_offset(struct lowering *u, CXType derived, CXType base, int64_t *out);
// The same for a base class or the class of an unnamed member, whose members count as the whole's.
bool subobject_offset(struct lowering *u, CXType whole, CXType part, int64_t *out);
bool field_place(struct lowering *u, CXCursor field, uint64_t *offset, uint32_t *bit_offset,
                 uint32_t *bit_width);

// --- value.c: small operations ----------------------------------------------------------------

ir_value emit(struct lower *l, enum ir_op_code code, ir_type_id type, const ir_value *operand,
              size_t count, int64_t imm);
ir_value emit_int(struct lower *l, ir_type_id type, int64_t value);
ir_value emit_bool(struct lower *l, bool value);
ir_value emit_binary(struct lower *l, enum ir_op_code code, ir_type_id type, ir_value a,
                     ir_value b);
ir_value emit_load(struct lower *l, CXType type, ir_value address);
void emit_store(struct lower *l, CXType type, ir_value address, ir_value value);
ir_value emit_offset(struct lower *l, ir_value address, int64_t bytes, ir_type_id type);
ir_value emit_index(struct lower *l, ir_value address, ir_value index, int64_t stride,
                    ir_type_id type);
ir_value emit_local(struct lower *l, uint32_t local);
// A new unnamed object that begins its life here; returns its address.
ir_value emit_temporary(struct lower *l, CXType type);
// The address of an object that cannot be told.
ir_value emit_unknown_place(struct lower *l, CXType type, const char *reason);
// What could not be lowered. `may_write` may be NULL.
ir_value emit_opaque(struct lower *l, CXType type, const char *reason, bool may_barrier,
                     const ir_value *may_write, size_t count);
// A value that is unknown but the same for all threads, by name.
ir_value emit_symbol(struct lower *l, CXType type, const char *name);
ir_value convert(struct lower *l, ir_value value, CXType from, CXType to);
ir_value to_bool(struct lower *l, ir_value value, CXType from);
bool const_of(struct lower *l, ir_value value, int64_t *out);
ir_type_id value_type(struct lower *l, ir_value value);
bool evaluate(struct lower *l, CXCursor expression, int64_t *out);
// The bits of the double that the expression is a constant of; 0 where it is none.
bool evaluate_floating(CXCursor expression, int64_t *out);
ir_value place_address(struct lower *l, const struct place *place, CXType type);

// --- expr.c -----------------------------------------------------------------------------------

ir_value lower_value(struct lower *l, CXCursor e);
ir_value lower_address(struct lower *l, CXCursor e);
void lower_discard(struct lower *l, CXCursor e);
void lower_condition(struct lower *l, CXCursor e, ir_block_id if_true, ir_block_id if_false,
                     bool is_loop);
bool is_glvalue(struct lower *l, CXCursor e);
CXCursor only_child(struct lower *l, CXCursor e); // null where there is not one expression
// The last expression among the children: the operand of a cast. Null where there is none.
CXCursor last_child(struct lower *l, CXCursor e);
CXCursor strip(struct lower *l, CXCursor e); // through parentheses and unexposed wrappers
// What libclang shows no structure of: the parts that can be lowered are, then an opaque operation.
ir_value lower_unknown(struct lower *l, CXCursor e, const char *reason);

// --- name.c -----------------------------------------------------------------------------------

// A parameter declared as an array or a function is a pointer; libclang shows it and what is made
// of it with the type as written. As an object it is what it points to.
bool is_decayed(CXCursor decl);
ir_value load_pointer(struct lower *l, ir_value address);
// The address of the pointer itself, where the expression names such a parameter; else IR_NONE.
ir_value decayed_variable(struct lower *l, CXCursor e);
// The address of what a name or a subscript stands for; IR_NONE where it has none.
ir_value lower_name(struct lower *l, CXCursor e);
ir_value lower_subscript(struct lower *l, CXCursor e);
// The number a name or a member of a constant stands for, where the language fixes it.
bool constant_name(struct lower *l, CXCursor e, int64_t *out);
// The address of the object that a member expression is about, as its class `wanted`.
ir_value lower_object(struct lower *l, CXCursor member, CXType wanted);
// The address of a member; of the whole object where it is a bit-field, which is then named.
ir_value lower_member(struct lower *l, CXCursor e, CXCursor *bit_field);
bool is_member_of_bits(struct lower *l, CXCursor e); // a bit-field
ir_value load_bits(struct lower *l, CXCursor field, ir_value object);
void store_bits(struct lower *l, CXCursor field, ir_value object, ir_value value);
// The same in an object that begins to live, whose members are initialised in their order.
void init_bits(struct lower *l, CXCursor field, ir_value object, ir_value value);
// `threadIdx.x` and its like.
bool lower_special(struct lower *l, CXCursor e, ir_value *out);
ir_value lower_this(struct lower *l);

// --- cast.c ---------------------------------------------------------------------------------

ir_value lower_unexposed(struct lower *l, CXCursor e, bool as_address);
ir_value lower_cast(struct lower *l, CXCursor e, bool as_address);

// --- operator.c -------------------------------------------------------------------------------

ir_value lower_binary(struct lower *l, CXCursor e);
ir_value lower_unary(struct lower *l, CXCursor e);
// `as_address`: the assigned object instead of its new value.
ir_value lower_assign(struct lower *l, CXCursor e, bool as_address);
// `into`: where a class prvalue goes, or IR_NONE for a temporary.
ir_value lower_conditional(struct lower *l, CXCursor e, bool as_address, ir_value into);
ir_value lower_increment(struct lower *l, CXCursor e, bool as_address);
bool is_simple(struct lower *l, CXCursor e); // no effects, no loads that could fault

// --- call.c -----------------------------------------------------------------------------------

// The value of a call: scalar, address of the result for records and references. `into` is where a
// record result goes, or IR_NONE for a temporary.
ir_value lower_call(struct lower *l, CXCursor e, ir_value into);
bool call_returns_reference(struct lower *l, CXCursor e);
ir_value call_function(struct lower *l, CXCursor callee, const ir_value *argument, size_t count,
                       bool is_used);
// Appends the arguments of a call from number `first` on to the stb_ds array.
void lower_call_arguments(struct lower *l, CXCursor e, unsigned first, CXCursor decl,
                          ir_value **out);
// Appends the default arguments of the parameters from number `first` on.
void lower_default_arguments(struct lower *l, CXCursor decl, unsigned first, ir_value **out);
ir_value lower_argument(struct lower *l, CXCursor argument, CXType parameter);
bool lower_launch(struct lower *l, CXCursor e);
bool lower_launch_api(struct lower *l, CXCursor e, const char *name, ir_value *out);
void lower_asm(struct lower *l, CXCursor e);

// --- pattern.c, guess.c: templates that nothing instantiates ----------------------------------

// A call whose callee depends on a template parameter.
ir_value lower_dependent_call(struct lower *l, CXCursor e);
// Inside a pattern clang makes no bodies of the instances that are called: the template's own
// definition then, else `decl`.
CXCursor uninstantiated(struct lower *l, CXCursor decl);
// The last name of an expression as it is written, template arguments left out.
const char *written_name(struct lower *l, CXCursor e);
// The type of an expression, without reference, or the class template it comes from, where it can
// be told although clang leaves it open.
bool guess_type(struct lower *l, CXCursor e, CXType *out);

// --- record.c: life of class objects ----------------------------------------------------------

void construct_default(struct lower *l, CXType type, ir_value address, bool zero);
void construct_copy(struct lower *l, CXType type, ir_value to, ir_value from);
void destroy(struct lower *l, CXType type, ir_value address);
bool needs_destroy(struct lower *l, CXType type);
CXType element_type(CXType type); // of an array of arrays, the innermost
// NULL where the type is no class.
struct record_info *filled_record(struct lower *l, CXType type);
unsigned is_copy_ctor(CXCursor method); // or a move constructor
// Constructs a member, or a base class by number, that no initializer names.
void construct_field(struct lower *l, struct record_info *record, CXCursor field, ir_value object);
void construct_base(struct lower *l, struct record_info *record, ptrdiff_t i, ir_value object);
// Ends the life of the members and bases of the object a destructor is about.
void lower_destructor_end(struct lower *l, CXCursor definition);

// --- construct.c ------------------------------------------------------------------------------

// A CallExpr of a constructor.
void lower_construct(struct lower *l, CXCursor e, CXType type, ir_value address);
// What a constructor does before its body.
void lower_constructor_body(struct lower *l, CXCursor definition);
ir_value lower_new(struct lower *l, CXCursor e);
void lower_delete(struct lower *l, CXCursor e);

// --- init.c -----------------------------------------------------------------------------------

void lower_into(struct lower *l, CXCursor e, CXType type, ir_value address);
// What a reference is bound to: braces around one object of its type are no object of their own.
CXCursor bound_object(struct lower *l, CXType type, CXCursor init);
void lower_init_list(struct lower *l, CXCursor e, CXType type, ir_value address);
void emit_zero(struct lower *l, CXType type, ir_value address);
// The default member initializer of a field; null where it has none, and of a bit-field.
CXCursor default_initializer(struct lowering *u, CXCursor field);
// libclang shows of a bit-field no more than its width; that an initializer follows can be seen
// where the member ends, and what it comes to can be asked.
bool has_default_bits(struct lowering *u, CXCursor field);
// Stores what the bit-field's initializer comes to; nothing where it has none.
void init_default_bits(struct lower *l, CXCursor field, ir_value object);

// --- variable.c -------------------------------------------------------------------------------

void lower_variable(struct lower *l, CXCursor variable);
// Whether the variable lives on: shared memory, statics and globals.
bool has_static_life(CXCursor variable);
void lower_decomposition(struct lower *l, CXCursor decl);
ir_global_id global_of(struct lower *l, CXCursor variable);
// A constant array or class object gets a copy in the function that uses it, so that its content is
// known there. Returns false for other variables.
bool is_constant_table(struct lower *l, CXCursor variable, ir_value *address);

// --- lambda.c ---------------------------------------------------------------------------------

void lower_lambda(struct lower *l, CXCursor e, ir_value address);
// Puts the lambdas of a pattern's body on the worklist: whether something calls them depends on the
// template's parameters.
void reach_lambdas(struct lower *l, CXCursor body);
// The address of a captured variable inside a lambda's body; IR_NONE where it is none.
ir_value capture_address(struct lower *l, CXCursor variable);
ir_value capture_this(struct lower *l);
const struct closure_info *closure_of(struct lowering *u, CXCursor method);

// --- stmt.c, loop.c ---------------------------------------------------------------------------

void lower_statement(struct lower *l, CXCursor s);
ir_value lower_statement_expression(struct lower *l, CXCursor e);
void lower_for(struct lower *l, CXCursor s);
void lower_while(struct lower *l, CXCursor s);
void lower_do(struct lower *l, CXCursor s);
void lower_range_for(struct lower *l, CXCursor s);
void lower_full_expression(struct lower *l, CXCursor e);
void cleanup_push(struct lower *l, CXType type, struct place place);
// Ends the life of what was pushed above `depth`, on the way out of it; `pop` forgets it too.
void cleanup_run(struct lower *l, size_t depth, bool pop);
void go(struct lower *l, ir_block_id block);      // the builder goes on there
void jump_to(struct lower *l, ir_block_id block); // br, unless the block has ended

// --- function.c -------------------------------------------------------------------------------

// The function of a declaration, added to the unit and to the worklist when new.
ir_function_id function_of(struct lowering *u, CXCursor decl);
void enqueue_function(struct lowering *u, ir_function_id function);
void lower_function(struct lowering *u, const struct work *work);
// What a destructor does after its body; nothing in other functions.
void lower_function_end(struct lower *l);
bool is_template_part(CXCursor decl); // a template, or a member of one that is no instance
bool has_attribute(CXCursor decl, enum CXCursorKind kind);
bool has_annotation(CXCursor decl, const char *text, CXCursor *out);
void place_put(struct lower *l, CXCursor decl, struct place place);

// --- tu.c, roots.c, instantiate.c -------------------------------------------------------------

// Calls `step` for each function that a file outside the system's headers defines; templates and
// what is inside them only where asked for.
void walk_unit(struct lowering *u, bool with_templates,
               void (*step)(struct lowering *u, CXCursor decl, bool in_main));
bool is_device_code(CXCursor decl);
// Puts the functions to start from on the worklist: kernels and host functions that launch.
void find_roots(struct lowering *u);
// Device functions of the main file that nothing reached, then templates nothing instantiates.
void find_leftovers(struct lowering *u);
void find_patterns(struct lowering *u);
void lower_queue(struct lowering *u);
bool reaches_launch(struct lowering *u, CXCursor definition);
void count_opaque(struct lowering *u, const char *reason);
// Instances of templates outside the toolkit's and the system's headers; an stb_ds array that the
// caller frees.
CXCursor *find_instances(struct lowering *u, CXIndex index);
double now_seconds(void);

// --- outline.c --------------------------------------------------------------------------------

void fill_outline(struct lowering *u);

// --- parse.c ----------------------------------------------------------------------------------

// Makes the syntax tree, and the report's diagnostics and files.
bool parse_unit(struct lowering *u, struct error *error);

// --- undeclared.c -----------------------------------------------------------------------------

// Adds to the text of a header, which is NULL at first, what declares the names that clang says
// nothing declares, as far as they can be. Returns the numbers of clang's complaints about them, an
// stb_ds array that the caller frees.
unsigned *declare_unknown(struct arena *arena, CXTranslationUnit tu, const char **header);
// Whether a variable is one of that header's.
bool is_undeclared(CXCursor variable);
// Whether the expression is a call of a function that nothing declares.
bool is_of_undeclared(CXCursor expression);

// --- lost.c -----------------------------------------------------------------------------------

// Whether clang has dropped a call that stands alone in the block, between the two statements of it
// that follow one another; NULL: from its beginning, or to its end.
bool has_lost_call(struct lowering *u, CXCursor block, const CXCursor *before,
                   const CXCursor *behind);

// --- repair.c ---------------------------------------------------------------------------------

// Puts changed copies of files into the stb_ds array, where clang's complaints about them can be
// cured. Returns whether there was something to cure.
bool repair(struct arena *arena, CXTranslationUnit tu, struct frontend_unsaved **unsaved);

#endif
