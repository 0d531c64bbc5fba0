// __atomic_* on several widths, single-threaded.
#include <stdio.h>
int main(void) {
    int x = 5;
    printf("%d\n", __atomic_load_n(&x, __ATOMIC_SEQ_CST));
    __atomic_store_n(&x, 9, __ATOMIC_RELEASE);
    int old = __atomic_exchange_n(&x, 20, __ATOMIC_ACQ_REL);
    printf("%d %d\n", old, x);
    old = __atomic_fetch_add(&x, 3, __ATOMIC_RELAXED);
    printf("%d %d\n", old, x);
    old = __atomic_add_fetch(&x, 3, __ATOMIC_RELAXED);
    printf("%d\n", old);
    old = __atomic_fetch_sub(&x, 1, __ATOMIC_SEQ_CST);
    printf("%d %d\n", old, x);
    old = __atomic_fetch_and(&x, 0x1c, __ATOMIC_SEQ_CST);
    printf("%d %d\n", old, x);
    old = __atomic_or_fetch(&x, 3, __ATOMIC_SEQ_CST);
    printf("%d\n", old);
    old = __atomic_fetch_xor(&x, 0xff, __ATOMIC_SEQ_CST);
    printf("%d %d\n", old, x);
    old = __atomic_nand_fetch(&x, 0xf, __ATOMIC_SEQ_CST);
    printf("%d\n", old);
    int want = x, bad = 1;
    _Bool ok = __atomic_compare_exchange_n(&x, &want, 100, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
    printf("%d %d\n", ok, x);
    ok = __atomic_compare_exchange_n(&x, &bad, 7, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    printf("%d %d %d\n", ok, bad, x);
    unsigned char c = 250;
    __atomic_fetch_add(&c, 10, __ATOMIC_SEQ_CST);
    long l = 1;
    __atomic_fetch_add(&l, 1L << 40, __ATOMIC_SEQ_CST);
    printf("%d %ld\n", c, l);
    char f = 0;
    printf("%d ", __atomic_test_and_set(&f, __ATOMIC_SEQ_CST));
    printf("%d ", __atomic_test_and_set(&f, __ATOMIC_SEQ_CST));
    __atomic_clear(&f, __ATOMIC_SEQ_CST);
    printf("%d\n", f);
    int a[3] = {1, 2, 3}, *p = a;
    int *q = __atomic_fetch_add(&p, sizeof(int), __ATOMIC_SEQ_CST);
    printf("%d %d\n", *q, *p);
    int y, z = 31;
    __atomic_load(&z, &y, __ATOMIC_SEQ_CST);
    __atomic_store(&z, &x, __ATOMIC_SEQ_CST);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    printf("%d %d\n", y, z);
    return y;
}
