#include "case.h"

struct point { int x, y; };
template <class F> DEV int apply(F f, int n) { return f(n); }
template <class F> DEV int apply_ref(const F &f, int n) { return f(n) + f(n + 1); }
template <class F> DEV int repeat(F &&f, int n) { int r = 0; for (int i = 0; i < n; ++i) r += f(i); return r; }
DEV auto adder(int k) { return [k](int x) { return x + k; }; }

TEST(t_by_value) { int k = 3; auto f = [k](int x) { return x + k; }; k = 100; return f(4) + k; }
TEST(t_by_reference) { int k = 3, m = 1; auto f = [&k, m](int x) { k += x; return k * m; }; int r = f(4); k = 50; r += f(1); return r + k * 1000; }
TEST(t_default_value) { int a = 1, b = 2; point p = {3, 4}; char c = 5; auto f = [=] { return b * 10 + p.y * 100 + a + c; }; a = b = p.y = c = 0; return f(); }
TEST(t_default_reference) { int a = 1, b = 2; point p = {3, 4}; auto f = [&](int x) { a += x; p.x += b; return a + p.x; }; b = 7; return f(5) + a * 100 + p.x * 1000; }
TEST(t_mixed) { int a = 1, b = 2, c = 3; auto f = [=, &c](int x) mutable { a += x; c += a; return a + b; }; int r = f(1) + f(1); return r + a * 100 + c * 1000; }
TEST(t_init_capture) { int a = 2; int arr[3] = {1, 2, 3}; auto f = [v = a * 10, &r = arr[1], q = point{7, 8}](int x) { r += x; return v + q.y; }; int t = f(5); return t + arr[1] * 100; }
TEST(t_generic) { int k = 1; auto f = [&](auto x, auto... rest) { k += (int)x; return (int)sizeof(x) + (int)sizeof...(rest); }; return f(1) + f('a', 2, 3) * 10 + f(2.5) * 100 + k * 1000; }
TEST(t_passed) { int base = 10; return apply([=](int x) { return base + x; }, 5) + apply_ref([&](int x) { return base * x; }, 3) * 100 + repeat([&](int i) { base += i; return base; }, 4) * 10000; }
TEST(t_returned) { auto f = adder(5); auto g = adder(7); return f(1) + g(2) * 100; }
TEST(t_nested_lambda) { int a = 1, b = 2; auto outer = [&](int x) { int c = 5; auto inner = [&, x](int y) { a += y; return a + b + c + x; }; b += 10; return inner(3) + inner(4); }; return outer(7) + a * 1000; }
TEST(t_nested_value) { int a = 4; auto outer = [=] { return [=](int x) { return a * x; }; }; return outer()(3) + outer()(5) * 100; }
struct object {
    int m = 5;
    DEV int pointer() { auto f = [this](int x) { m += x; return m; }; return f(1) + f(2) * 10; }
    DEV int implicit() { int n = 3; auto f = [&] { m += n; n = 0; return m; }; return f() + n; }
    DEV int copied() { auto f = [*this]() mutable { m += 100; return m; }; return f() + m; }
    DEV int both(int k) { auto f = [=](int x) { return m * k + x + helper(x); }; return f(2); }
    DEV int helper(int x) const { return x * 1000; }
    DEV int nested() { auto f = [this] { auto g = [this](int q) { return m + q; }; return g(1); }; return f(); }
};
TEST(t_this) { object o; int r = o.pointer() + o.implicit() * 100; return r + o.copied() + o.both(3) + o.nested() * 7; }
struct functor { int k; DEV int operator()(int x) const { return x * k; } };
TEST(t_functor) { return apply(functor{3}, 5) + apply_ref(functor{2}, 1); }
TEST(t_immediately) { int n = 4; int r = [&] { for (int i = 0; i < 10; ++i) if (i * i > n) return i; return -1; }(); return r + [](int a, int b) { return a * b; }(3, 4) * 10; }
TEST(t_to_pointer_free) { auto f = [](int x) { return x + 1; }; decltype(f) g = f; return f(1) + g(2) * 10; }
TEST(t_array_capture) { int a[3] = {1, 2, 3}; auto f = [a](int i) { return a[i]; }; a[1] = 50; auto g = [&a](int i) { return a[i]; }; return f(1) + g(1) * 10; }
TEST(t_same_types) { int a = 1, b = 2, c = 3, d = 4; auto f = [d, b](int x) { return d * 10 + b + x; }; auto g = [&, c] { return c * 1000 + a * 100 + d * 10 + b; }; return f(0) + g(); }
template <class T> struct box { T v; template <class F> DEV auto map(F f) { return box<decltype(f(v))>{f(v)}; } };
TEST(t_template_lambda) { int k = 2; return (int)box<int>{3}.map([&](int x) { return x * 2.5f + k; }).map([](float x) { return (int)x * 10; }).v; }
struct one { static constexpr int value = 1; };
struct two { static constexpr int value = 20; };
TEST(t_lambda_in_template_loop) { int total = 0; auto body = [&](auto i) { constexpr int n = decltype(i)::value; total += n; }; body(one{}); body(two{}); return total; }
template <unsigned N> DEV int ring_of() { constexpr unsigned stages = N + 1; const unsigned step = 1; unsigned stage = 0, phase = 0; auto next = [&](unsigned &i) { ++i; stage = stage == stages - 1 ? 0 : stage + step; phase ^= stage == 0; }; int r = 0; for (unsigned i = 0; i < 8; next(i)) r = r * 2 + (int)phase; return r * 10 + (int)stage; }
TEST(t_constants_beside_captures) { return ring_of<2>(); }
TEST(t_constant_captured) { constexpr int limit = 7; int low = 2, high = 9; auto clip = [&](const int &x) { const int &top = limit; return x > top ? low : high; }; low = 3; return clip(8) + clip(1) * 10; }
