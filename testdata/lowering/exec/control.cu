#include "case.h"

DEV int twice(int x) { return x * 2; }
DEV int count_down(int &n) { return n--; }

TEST(t_if) { int r = 0; for (int i = 0; i < 10; ++i) { if (i > 3 && i != 7) r += i; else if (i == 2 || i == 7) r += 100; else r -= 1; } return r; }
TEST(t_if_init) { int r = 0; if (int z = twice(3); z > 5) r += z; if (int z = twice(0)) r += 1000; else r += z + 1; if (int q = 3; int w = q - 3) r += w; else r += q * 10; return r; }
TEST(t_for_parts) {
    int r = 0, i = 0;
    for (;;) { if (++i > 5) break; r += i; }
    for (int j = 0;; ++j) { if (j == 4) break; r += 10; }
    for (i = 10; i > 0;) { i -= 3; r += 100; }
    for (; i < 5; i++) r += 1000;
    for (; i;) --i, r += 3;
    for (;; r++) if (r % 7 == 0) break;
    for (int n = 4; int k = n; --n) r += k;
    for (bool go = true; go; go = !go) r += 5;
    bool more = true;
    for (; more; more = false) r += 9;
    for (;; more = true) if (more) break;
    return r;
}
#define LOOP(i, n) for (int i = 0; i < n; ++i)
#define FOREVER for (;;)
#define EMPTY
#define UNTIL(c) for (; !(c);)
TEST(t_for_macro) { int r = 0; LOOP(i, 5) r += i; FOREVER { if (r > 20) break; r += 7; } UNTIL(r > 100) r += 11; for (EMPTY; r < 200; r += 50) ; return r; }
TEST(t_while) { int r = 0, n = 5; while (n) { if (n == 3) { --n; continue; } r += n--; } while (int k = count_down(n)) { r += k * 10; if (k < -3) break; } return r; }
TEST(t_do) { int r = 0, n = 0; do { r += n; if (n == 3) continue; r += 100; } while (++n < 6); do r++; while (r % 10); return r; }
TEST(t_switch) {
    int r = 0;
    for (int i = -2; i < 14; ++i)
        switch (i) {
        case 0: r += 1;
        case 1: r += 10; break;
        case 2 ... 4: r += 100; continue;
        case 7: { r += 1000; if (r & 1) break; r += 5; }
        default: r += 10000; break;
        case 9: case 10: r ^= 3;
        }
    return r;
}
TEST(t_switch_init) { int r = 0; switch (int z = twice(4); z + 1) { case 9: r = z; break; default: r = -1; } switch (int y = twice(1)) { case 2: r += y * 100; } switch (r) { } switch (3) { r = 7; case 3: ; } return r; }
enum color { RED, GREEN = 5, BLUE };
enum class shape : unsigned char { ROUND = 200, FLAT };
TEST(t_enum) { color c = BLUE; shape s = shape::FLAT; int r = 0; switch (c) { case RED: r = 1; break; case BLUE: r = 2; break; default: break; } switch (s) { case shape::ROUND: r += 10; break; case shape::FLAT: r += 20; } return r + c + (int)s; }
TEST(t_goto) { int i = 0, r = 0; again: r += i; if (++i < 5) goto again; { int x = 3; if (r > 5) goto out; r += x; } r = -1; out: return r; }
TEST(t_comma_ternary) { int a = 1, b = 2; int r = (a = 5, b + a); r += a > b ? twice(r) : -1; r += (a < b ? a : b) = 40; (r > 3 ? a : b) += 7; return r + a * 100 + b * 1000; }
TEST(t_logic) { int n = 0; bool x = twice(1) && n++ ; bool y = n++ || twice(0); bool z = !(x || y) && (n += 5); return n * 8 + x * 4 + y * 2 + z; }
TEST(t_elvis) { int n = 3; int r = count_down(n) ?: 100; n = 0; r += n ?: 50; return r * 10 + n; }
TEST(t_stmt_expr) { int r = ({ int q = 3; q += 4; q * 2; }); return r + ({ 5; }); }
template <int N> DEV int pick() { int r = 0; if constexpr (N > 3) r = 1; else if constexpr (N == 2) r = 2; else r = 3; if constexpr (N == 100) r = 1000; return r * N; }
TEST(t_if_constexpr) { return pick<5>() + pick<2>() * 10 + pick<1>() * 100; }
TEST(t_nested_break) { int r = 0; for (int i = 0; i < 4; ++i) { for (int j = 0; j < 4; ++j) { if (j == 2) break; switch (j) { case 1: break; default: r++; } r += 10; } if (i == 2) break; } return r; }
DEV int early(int n) { if (n < 0) return -1; for (int i = 0; i < 10; ++i) if (i * i == n) return i; return 99; }
TEST(t_return) { return early(-5) + early(49) * 10 + early(50) * 1000; }
TEST(t_range_for) { int a[4] = {1, 2, 3}; int r = 0; for (int v : a) r += v; for (int &v : a) v += 10; for (auto v : a) { if (v == 12) continue; r += v * 100; } int m[2][3] = {{1, 2, 3}, {4, 5, 6}}; for (auto &row : m) for (int v : row) r += v; return r; }
struct iter { int at; DEV int operator*() const { return at * at; } DEV iter &operator++() { ++at; return *this; } DEV bool operator!=(const iter &o) const { return at != o.at; } };
struct squares { int n; DEV iter begin() const { return iter{0}; } DEV iter end() const { return iter{n}; } };
struct span { int *p; int n; DEV int *begin() { return p; } DEV int *end() { return p + n; } };
TEST(t_range_class) { int r = 0; for (int v : squares{5}) r += v; int a[3] = {7, 8, 9}; for (int &v : span{a, 2}) r += v * 100; squares s{3}; for (auto v : s) { if (v == 1) continue; r += v * 10000; } return r; }
