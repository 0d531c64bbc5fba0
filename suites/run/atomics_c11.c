// _Atomic objects and stdatomic.h.
#include <stdio.h>
#include <stdatomic.h>
struct stats { _Atomic int hits; atomic_uint misses; _Atomic(long) total; };
static atomic_int g = 5;
static _Atomic _Bool flag;
static struct stats st;
int main(void) {
    _Atomic int x = 3;
    x++;
    ++x;
    x += 10;
    x *= 2;
    x -= 1;
    x ^= 0xf;
    printf("%d\n", x);
    int r = x--;
    printf("%d %d\n", r, x);
    r = (x = 8);
    printf("%d\n", r);
    atomic_store(&g, 9);
    atomic_fetch_add(&g, 2);
    int was = atomic_load(&g), swapped = atomic_exchange(&g, 1);
    printf("%d %d\n", was, swapped);
    int e = 1;
    _Bool ok = atomic_compare_exchange_strong(&g, &e, 50);
    printf("%d %d\n", ok, g);
    e = 7;
    ok = atomic_compare_exchange_strong_explicit(&g, &e, 60, memory_order_acq_rel, memory_order_relaxed);
    printf("%d %d\n", ok, e);
    for (int i = 0; i < 10; i++) {
        if (i % 3) st.misses++;
        else st.hits++;
        st.total += i;
    }
    printf("%d %u %ld\n", st.hits, st.misses, st.total);
    flag = 5;
    printf("%d\n", flag);
    atomic_flag f = ATOMIC_FLAG_INIT;
    printf("%d ", atomic_flag_test_and_set(&f));
    printf("%d\n", atomic_flag_test_and_set(&f));
    _Atomic float fl = 1.5f;
    fl = fl + 2;
    printf("%g\n", (double)fl);
    int arr[2] = {1, 2};
    int *_Atomic p = arr;
    p++;
    printf("%d\n", *p);
    atomic_init(&x, 4);
    _Atomic unsigned char c = 255;
    c++;
    printf("%d %d\n", x, c);
    return g;
}
