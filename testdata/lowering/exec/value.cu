#include "case.h"

TEST(t_int_width) { unsigned char c = 250; c += 10; signed char d = (signed char)200; short s = (short)70000; unsigned u = -1; long l = u; unsigned long ul = -1; int i = (int)ul; return c + d * 3 + s + (l == 4294967295L) * 1000 + i * 7 + (u > 5) * 11 + ((int)u < 5) * 13; }
TEST(t_shift) { int a = -16; unsigned b = 0xf0000000u; long c = 1L << 40; return (a >> 2) + (int)(b >> 28) * 10 + (int)(c >> 38) * 100 + (1 << 4); }
TEST(t_div) { int a = -7, b = 2; unsigned c = 7u; return a / b + a % b * 10 + (int)(c / 2u) * 100 + (int)(-7 / 2u > 100) * 1000; }
TEST(t_bits) { int a = 0x1234; return (a & 0xff) + (a | 1) + (a ^ 0x111) + ~a + -a + +a + !a; }
TEST(t_float) { float f = 1.5f; double d = f * 2 + 0.25; int i = (int)d; f += 3; f -= 0.5; d /= 3; i += f > 3.9f; float g = i; return (int)(f * 100) + (int)(d * 1000) + i + (int)g + (int)-1.9f; }
TEST(t_compound_mixed) { int i = 10; i *= 1.5; unsigned char c = 200; c += 100; c >>= 1; int j = 7; j <<= 2; j %= 5; j |= 8; short s = 3; s -= 10; long q = 1; q += i; return i + c * 100 + j * 10000 + s + (int)q; }
TEST(t_incdec) { int i = 5; int a = i++ + 10; int b = ++i; int c = i-- - 1; int d = --i; (++i) += 3; float f = 1; f++; bool t = false; return a + b * 10 + c * 100 + d * 1000 + i * 10000 + (int)f + t; }
TEST(t_pointer) { int a[10]; for (int i = 0; i < 10; ++i) a[i] = i * i; int *p = a; p += 3; int r = *p++ + *p; r += p[-1] + 2[a]; int *q = &a[9]; r += (int)(q - p) * 100; r += p < q; q--; r += *(q - 1) * 1000; int **pp = &p; **pp = 7; r += a[4]; const char *s = "hello"; r += s[1]; return r; }
TEST(t_reference) { int a = 3, b = 4; int &r = a; r += b; const int &c = a + b; int &&d = 5; d += c; int *p = &r; *p *= 2; return a + b * 10 + c * 100 + d * 1000; }
struct pair { int x, y; };
DEV pair make(int a) { return {a, a + 1}; }
DEV int sum(pair p) { p.x += 100; return p.x + p.y; }
DEV pair &larger(pair &a, pair &b) { return a.x > b.x ? a : b; }
TEST(t_record) { pair p = make(3); pair q = p; q.y = 50; int r = sum(p) + p.x; larger(p, q).x = 9; larger(q, p) = make(20); pair *pp = &q; pp->x += 2; r += pp->x * 10 + make(7).y; auto [a, b] = p; a += 1000; auto &[c, d] = q; d = 77; return r + a + b + c + q.y; }
struct deep { pair p[2]; struct { int u; union { int w; float f; }; }; struct inner { char c; long l; } in; };
TEST(t_nested) { deep d; d.p[1].y = 4; d.u = 5; d.w = 6; d.in.c = 'a'; d.in.l = 1L << 33; deep e = d; e.p[1].y++; deep *p = &e; p->w += 10; p->f = 1.0f; return d.p[1].y + e.p[1].y * 10 + d.w + e.u * 100 + (e.w == 0x3f800000) * 1000 + e.in.c + (int)(e.in.l >> 32); }
struct bits { unsigned a : 3; int b : 5; unsigned c : 30; bool d : 1; unsigned long e : 40; };
TEST(t_bit_fields) { bits x = {}; x.a = 9; x.b = -3; x.c = 0x3fffffff; x.d = 1; x.e = 1UL << 39; x.b += 1; x.a++; bits y = x; y.a ^= 7; return x.a + x.b * 10 + (int)(x.c >> 20) + x.d * 7 + (int)(y.e >> 37) * 100 + y.a * 1000; }
TEST(t_array2) { int t[3][4] = {}; for (int i = 0; i < 3; ++i) for (int j = 0; j < 4; ++j) t[i][j] = i * 10 + j; int(*row)[4] = t + 1; int *flat = &t[0][0]; return row[1][2] + (*row)[3] * 100 + flat[5] * 1000; }
TEST(t_init_lists) { pair a[3] = {{1, 2}, {3}}; pair b[2] = {1, 2, 3, 4}; pair c = {.y = 8}; int d[5] = {1, 2}; char s[6] = "abc"; char z[] = {'x', 0}; struct { pair p; int q[2]; int r = 9; } e = {{5, 6}, {7}}; int x{4}; int y{}; pair w{}; return a[1].x + a[1].y + a[2].y + b[1].x * 10 + c.x + c.y * 100 + d[1] + d[4] + s[2] + s[4] + z[0] + e.p.y + e.q[0] * 1000 + e.q[1] + e.r * 10000 + x + y + w.x; }
TEST(t_casts) { int i = 0x41424344; char *c = reinterpret_cast<char *>(&i); float f = 1.0f; unsigned u = reinterpret_cast<unsigned &>(f); void *v = &i; int j = *static_cast<int *>(v); unsigned long a = (unsigned long)v; int k = *(int *)a; const int ci = 3; return c[1] + (int)(u >> 20) + (j == k) * 1000 + const_cast<int &>(ci) + (int)sizeof(pair) + bool(i) + bool(v) * 2 + int(3.7) + (v != nullptr); }
DEV int add(int a, int b) { return a + b; }
DEV int sub(int a, int b = 100) { return a - b; }
TEST(t_function_pointer) { int (*f)(int, int) = add; int r = f(1, 2); f = &sub; r += f(10, 3) * 10; int (*t[2])(int, int) = {add, sub}; for (auto g : t) r += g(5, 4) * 100; int (&h)(int, int) = add; return r + h(1, 1) + sub(3) + (*f)(2, 1); }
constexpr int table[6] = {3, 1, 4, 1, 5, 9};
constexpr pair corner = {11, 22};
constexpr int cube(int x) { return x * x * x; }
TEST(t_constants) { constexpr int n = cube(3); static constexpr int local[3] = {7, 8, 9}; int r = n; for (int i = 0; i < 6; ++i) r += table[i] * (i + 1); for (int i = 0; i < 3; ++i) r += local[i] * 100; const int m = 4; int v[m]; return r + corner.y + (int)sizeof(v) + corner.x * 1000; }
template <class... T> DEV int total(T... v) { return (v + ... + 0) + (int)sizeof...(T) * 1000; }
template <class... T> DEV int forward_all(T &&...v) { return total(static_cast<T &&>(v)...); }
template <int... I> DEV int weighted(const int *p) { int r = 0; ((r += p[I] * (I + 1)), ...); return r; }
template <bool... B> DEV int all_true() { return (B && ...) * 2 + (B || ...); }
TEST(t_packs) { int a[3] = {5, 6, 7}; return total(1, 2, 3) + forward_all(10, 20L, (short)30) + weighted<0, 1, 2>(a) + total() + all_true<true, false>(); }
DEV int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
TEST(t_recursion) { return fact(6); }
TEST(t_volatile) { volatile int v = 3; v += 4; int r = v; volatile int *p = &v; *p = r * 2; return v; }
TEST(t_short_arith) { unsigned short a = 65535, b = 1; int c = a + b; unsigned short d = a + b; signed char e = -128; e = -e; return c + d + e; }
TEST(t_ternary_record) { pair a{1, 2}, b{3, 4}; bool c = a.x < b.x; pair r = c ? b : a; const pair &s = c ? a : b; int t = (c ? make(5) : make(6)).y; return r.y + s.x * 10 + t * 100; }
TEST(t_member_pointer_free) { int a[2] = {1, 2}; auto p = &a; (*p)[1] = 5; return a[1] + (int)(sizeof(*p)); }
TEST(t_long_long) { long long a = 1LL << 62; unsigned long long b = a; b *= 2; return (int)(b >> 60) + (a > 0) + (int)(a >> 61) * 10; }
TEST(t_static_assert_using) { static_assert(sizeof(int) == 4, ""); using T = int; typedef T U; U u = 3; { int u = 4; (void)u; } return u; }
TEST(t_address_of_temp) { struct box { int v; DEV box *self() { return this; } }; return box{42}.self()->v; }
DEV int third(const int a[8], int f(int, int)) { return f(a[2], *(a + 1)) + (a ? 1 : 0) + (int)(sizeof(a) == sizeof(void *)); }
DEV int walk(int a[], int n) { int r = 0; int *start = a; while (n--) r += *a++; a -= 2; r += a[0] * 100 + (int)(a - start) * 1000; a = start + 1; ++a; return r + *a * 7 + third(start, add); }
DEV int rows(int m[][3], int n) { int r = 0; for (int i = 0; i < n; ++i, ++m) for (int j = 0; j < 3; ++j) r += (*m)[j]; return r + m[-1][0] * 100; }
DEV int captured(int a[4]) { auto by_value = [a](int i) { return a[i]; }; auto by_reference = [&a](int i) { return a[i]; }; auto implicit = [=] { return a[3]; }; a++; return by_value(0) + by_reference(0) * 10 + implicit() * 100; }
TEST(t_array_parameters) { int a[8] = {1, 2, 3, 4, 5}; int m[2][3] = {{1, 2, 3}, {4, 5, 6}}; return walk(a, 5) + rows(m, 2) + captured(a) * 10000; }
template <int N> struct store { float tile[N]; char tag; unsigned long item[4]; };
TEST(t_offsets) { return (int)__builtin_offsetof(store<32>, tag) + (int)__builtin_offsetof(store<8>, item) * 1000 + (int)__builtin_offsetof(store<32>, item[3]) * 7; }
