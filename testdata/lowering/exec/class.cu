#include "case.h"

struct log {
    int n = 0;
    DEV void put(int d) { n = n * 10 + d; }
};
struct tracked {
    log *l; int id;
    DEV tracked(log *l_, int i) : l(l_), id(i) { l->put(id); }
    DEV tracked(const tracked &o) : l(o.l), id(o.id + 1) { l->put(id); }
    DEV ~tracked() { l->put(9 - id); }
    DEV int get() const { return id; }
};
TEST(t_lifetime) { log l; { tracked a(&l, 1); tracked b(&l, 2); } return l.n; }
TEST(t_lifetime_jumps) { log l; for (int i = 0; i < 3; ++i) { tracked a(&l, 1); if (i == 0) continue; tracked b(&l, 2); if (i == 1) break; } return l.n; }
DEV int use(log *l, int n) { tracked a(l, 1); if (n > 3) return a.id + l->n; tracked b(l, 2); return b.id + l->n; }
TEST(t_lifetime_return) { log l; int r = use(&l, 5); r += use(&l, 1) * 100; return r + l.n; }
TEST(t_temporary) { log l; int r = tracked(&l, 3).get(); l.put(0); const tracked &k = tracked(&l, 4); l.put(0); return l.n + r + k.id; }
DEV int by_value(tracked t) { return t.id; }
TEST(t_copy_argument) { log l; tracked a(&l, 1); int r = by_value(a); return l.n + r; }
TEST(t_array_objects) { log l; { tracked t[2] = {{&l, 1}, {&l, 2}}; } return l.n; }
struct holder { tracked a, b; int z = 5; DEV holder(log *l) : b(l, 2), a(l, 1) { z += a.id; } };
TEST(t_member_order) { log l; int z; { holder h(&l); z = h.z; } return l.n + z; }
struct implicit { tracked a; int q; };
TEST(t_implicit_copy) { log l; { implicit i{tracked(&l, 1), 7}; implicit j = i; l.put(j.q); } return l.n; }
struct base { int b; DEV base(int x = 3) : b(x) {} DEV int get() const { return b; } };
struct mid : base { int m; DEV mid(int x) : base(x * 2), m(x) {} };
struct other { int o = 7; DEV int get_o() { return o; } };
struct leaf : mid, other { int l[2]; DEV leaf() : leaf(5) { l[0]++; } DEV explicit leaf(int q) : mid(q), l{q, q + 1} {} };
TEST(t_inherit) { leaf x; leaf y(2); base &b = x; other *o = &x; o->o = 70; static_cast<leaf &>(*o).l[1] = 8; other &oo = y; leaf *back = static_cast<leaf *>(&oo); return b.get() + x.get_o() * 10 + x.l[0] + x.l[1] * 100 + back->m * 1000 + y.get() * 10000; }
struct inherits : base { using base::base; int extra = 4; };
TEST(t_inherited_ctor) { inherits a(9); inherits b; return a.b + a.extra * 10 + b.b * 100; }
struct value_init { int a; int b = 6; };
struct value_zero { int a, b; };
TEST(t_value_init) { value_init v{}; value_init w = value_init(); value_zero z = value_zero(); value_zero y{3}; auto *p = new (&z) value_zero{4, 5}; return v.a + v.b + w.a + w.b * 10 + p->a * 100 + z.b * 1000 + y.a + y.b; }
struct vec { float v[3]; DEV vec(float a, float b, float c) : v{a, b, c} {} DEV float &operator[](int i) { return v[i]; } DEV float operator[](int i) const { return v[i]; } DEV vec operator+(const vec &o) const { return vec(v[0] + o[0], v[1] + o[1], v[2] + o[2]); } DEV vec &operator+=(const vec &o) { for (int i = 0; i < 3; ++i) v[i] += o.v[i]; return *this; } DEV bool operator==(const vec &o) const { return v[0] == o.v[0]; } DEV explicit operator bool() const { return v[0] != 0; } DEV operator int() const { return (int)v[1]; } DEV int operator()(int a, int b = 2) const { return a * b + (int)v[2]; } DEV vec &operator++() { v[0]++; return *this; } DEV vec operator++(int) { vec t = *this; v[0]++; return t; } DEV vec operator-() const { return vec(-v[0], 0, 0); } };
DEV vec operator*(float s, const vec &x) { return vec(s * x[0], s * x[1], s * x[2]); }
TEST(t_operators) { vec a(1, 2, 3), b(10, 20, 30); vec c = a + b; c += a; c[2] = 5; int r = (int)c[0] + (a == b) * 1000 + (int)(2.f * b)[1] * 100; if (c) r += 7; int i = c; r += i + c(3) + c(1, 1); ++c; c++; r += (int)c++[0]; r += (int)(-a)[0]; return r; }
struct handle { int v; DEV handle *operator->() { return this; } DEV int &operator*() { return v; } };
TEST(t_arrow) { handle h{5}; h->v = 6; *h += 1; return h.v; }
struct assigns { int v; DEV assigns(int x) : v(x) {} DEV assigns &operator=(const assigns &o) { v = o.v + 1; return *this; } DEV assigns &operator=(int x) { v = x * 2; return *this; } };
struct wraps { assigns a; int z; };
TEST(t_assign) { assigns a(1), b(2); a = b; b = 10; wraps x{a, 5}, y{b, 6}; x = y; (a = b) = 4; return a.v + b.v * 10 + x.a.v * 100 + x.z * 10000; }
struct plain { int a[4]; short s; };
TEST(t_trivial_assign) { plain x = {{1, 2, 3, 4}, 5}, y; y = x; y.a[2] = 30; x = plain{{9}}; return x.a[0] + x.a[3] + y.a[2] + y.s * 100; }
template <int N, class T> struct ring { T v[N]; int head = N - 1; static constexpr int size = N; DEV ring() { for (int i = 0; i < N; ++i) v[i] = T(i); } DEV T next() { head = (head + 1) % size; return v[head]; } template <int M> DEV int times() { return M * N; } DEV int both() { return times<3>() + this->template times<2>(); } static DEV int half() { return N / 2; } };
TEST(t_template_class) { ring<4, int> r; ring<3, float> f; int t = r.next() + r.next() * 10; f.next(); t += (int)(f.next() * 100); t += r.both() * 1000 + ring<8, int>::half() + r.half() + decltype(f)::size; return t; }
struct counter { static DEV int &count() { static int n = 0; return n; } };
struct virt { int k; DEV virt(int x) : k(x) {} DEV int direct() { return k; } };
TEST(t_new_placement) { alignas(8) char raw[64]; virt *p = new (raw) virt(8); virt *q = new (raw + 16) virt{9}; int *arr = new (raw + 32) int(6); int r = p->direct() + q->k * 10 + *arr * 100; p->~virt(); typedef int I; arr->~I(); return r; }
union either { int i; float f; unsigned char c[4]; };
TEST(t_union) { either e; e.i = 0x01020304; either g = e; g.c[0] = 9; either h = {7}; return e.c[0] + e.c[3] * 10 + g.i % 1000 + h.i * 100; }
struct optional_like { union { int v; char none; }; bool has; DEV optional_like() : none(0), has(false) {} DEV optional_like(int x) : v(x), has(true) {} };
TEST(t_anonymous_union) { optional_like a, b(4); return a.has * 100 + b.v * 10 + b.has; }
struct conv { int v; DEV conv(int x) : v(x) {} };
DEV int take_conv(conv c) { return c.v; }
DEV int take_ref(const conv &c) { return c.v * 2; }
TEST(t_converting) { conv a = 5; conv arr[2] = {1, 2}; return a.v + take_conv(7) * 10 + take_ref(3) * 100 + arr[1].v * 1000; }
struct defaulted { int a = 3; tracked t; DEV defaulted(log *l) : t(l, 1) {} defaulted(const defaulted &) = default; };
TEST(t_defaulted_copy) { log l; { defaulted d(&l); d.a = 4; defaulted e = d; l.put(e.a); } return l.n; }
struct reference_member { int &r; const int c; DEV reference_member(int &x) : r(x), c(x + 1) {} DEV void bump() { r += c; } };
TEST(t_reference_member) { int v = 5; reference_member m(v); m.bump(); m.r *= 2; return v + m.c * 100; }
struct guard { int *p; DEV guard(int *q) : p(q) { ++*p; } DEV ~guard() { *p *= 2; } };
TEST(t_guard_in_condition) { int v = 1; if (guard g(&v); v == 2) v += 10; { guard a(&v); guard b(&v); } while (v < 100) { guard c(&v); if (v > 60) break; } return v; }
TEST(t_conditional_temp) { log l; int n = l.n; int r = n == 0 ? tracked(&l, 1).get() : tracked(&l, 2).get(); r += (n && tracked(&l, 3).get()) ? 50 : 60; return l.n * 100 + r; }
struct chain { int v = 0; DEV chain &add(int x) { v += x; return *this; } DEV chain copy() const { return *this; } };
TEST(t_chain) { chain c; c.add(1).add(2).copy().add(100); return c.add(10).v + chain{}.add(5).v * 100; }
DEV chain ret_local(bool b) { chain a, c; a.v = 1; c.v = 2; if (b) return a; return c; }
TEST(t_return_local) { return ret_local(true).v + ret_local(false).v * 10; }
struct abstract { DEV virtual int f(int x) { return x + 1; } int pad = 3; };
struct concrete : abstract { DEV int f(int x) override { return x * 2; } int more = 4; };
TEST(t_virtual_static) { concrete c; abstract a; return c.concrete::f(5) + a.abstract::f(5) * 10 + c.pad * 100 + c.more * 1000; }
template <int I, class T> struct element { T value; };
template <class... T> struct bag;
template <class A, class B, class C> struct bag<A, B, C> : element<2, C>, element<1, B>, element<0, A> { DEV bag(A a, B b, C c) : element<2, C>{c}, element<1, B>{b}, element<0, A>{a} {} };
template <class A, class B> struct cons { A first; B rest; };
struct nothing {};
struct three { cons<int, cons<char, cons<long, nothing>>> spine; };
namespace std {
template <class T> struct tuple_size;
template <size_t I, class T> struct tuple_element;
template <> struct tuple_size<bag<int, char, long>> { static constexpr int value = 3; };
template <> struct tuple_element<0, bag<int, char, long>> { using type = int; };
template <> struct tuple_element<1, bag<int, char, long>> { using type = char; };
template <> struct tuple_element<2, bag<int, char, long>> { using type = long; };
template <> struct tuple_size<three> { static constexpr int value = 4; };
template <> struct tuple_element<0, three> { using type = int; };
template <> struct tuple_element<1, three> { using type = nothing; };
template <> struct tuple_element<2, three> { using type = char; };
template <> struct tuple_element<3, three> { using type = long; };
}
template <int I, class T> DEV T &get_from(element<I, T> &e) { return e.value; }
template <size_t I> DEV auto &get(bag<int, char, long> &b) { return get_from<(int)I>(b); }
template <size_t I> DEV auto get(bag<int, char, long> &&b) { return get_from<(int)I>(b); }
template <size_t I> DEV auto get(three &&t) { if constexpr (I == 0) return t.spine.first; else if constexpr (I == 1) return nothing{}; else if constexpr (I == 2) return t.spine.rest.first; else return t.spine.rest.rest.first; }
TEST(t_tuple_binding) { bag<int, char, long> b(3, 'c', 1L << 34); auto &[x, y, z] = b; x += 5; auto [p, q, r] = b; auto [f, g, h, k] = three{{1, {2, {30L, {}}}}}; return x + y * 10 + (int)(z >> 30) * 10000 + p + q + (int)(r >> 33) + f + h * 100 + (int)k; }
struct nameless { int head; union { int key; int value; }; struct { int first; union { int low; int high; }; }; DEV int sum() const { return head + key * 10 + first * 100 + low * 1000; } };
TEST(t_anonymous) { nameless x{}; x.head = 1; x.value = 2; x.first = 3; x.high = 4; return x.sum() + 10000 * (x.head + x.key + x.first + x.low); }
struct stage { int index; unsigned phase; DEV stage(int i, unsigned p) : index(i), phase(p) {} };
struct moved { int v; DEV moved(int x, int y) : v(x + y) {} DEV moved(const moved &o) : v(o.v + 1) {} };
struct in_braces { stage s; int side; moved m; DEV in_braces(int x) : s({x, x == 0}), side(x), m({x, 3}) {} };
TEST(t_member_in_braces) { in_braces a(0), b(4); stage c({5, 6}); return a.s.index + a.s.phase + b.s.index * 10 + b.s.phase * 100 + b.side * 1000 + c.index * 10000 + c.phase + b.m.v * 100000; }
template <class T> DEV constexpr const T &most(const T &a, const T &b) { return a < b ? b : a; }
TEST(t_reference_to_constant) { constexpr int three = 3, seven = 7; int n = 25; return n % most(three, seven) + most(seven, three) * 10; }
