// The older __sync family.
#include <stdio.h>
static int lock;
static void take(void) { while (__sync_lock_test_and_set(&lock, 1)) ; }
static void give(void) { __sync_lock_release(&lock); }
int main(void) {
    int x = 10;
    int a = __sync_fetch_and_add(&x, 5), b = __sync_add_and_fetch(&x, 5), c = __sync_fetch_and_sub(&x, 2), d = __sync_sub_and_fetch(&x, 3);
    printf("%d %d %d %d %d\n", a, b, c, d, x);
    a = __sync_fetch_and_or(&x, 0x60);
    b = __sync_and_and_fetch(&x, 0x3f);
    c = __sync_fetch_and_xor(&x, 0xff);
    printf("%d %d %d %d\n", a, b, c, x);
    printf("%d ", __sync_bool_compare_and_swap(&x, x, 1));
    printf("%d ", __sync_bool_compare_and_swap(&x, 5, 2));
    printf("%d ", __sync_val_compare_and_swap(&x, 1, 77));
    printf("%d\n", x);
    take();
    printf("%d\n", lock);
    give();
    printf("%d\n", lock);
    __sync_synchronize();
    unsigned long ul = 0;
    __sync_sub_and_fetch(&ul, 1);
    printf("%lu\n", ul);
    short s = 32767;
    __sync_fetch_and_add(&s, 1);
    printf("%d\n", s);
    void *p = 0;
    int v;
    __sync_bool_compare_and_swap(&p, (void *)0, (void *)&v);
    printf("%d\n", p == &v);
    return x;
}
