/* Linked into the native build with -Wl,--wrap=malloc and so on, which redirects the calls of the
   program's own objects only: what the C library allocates for itself is not counted, as in caulk.
   FAIL_ALLOC=n lets the nth allocation fail; FAIL_ALLOC=0 lets none fail, and tells at exit, on
   standard error, how many there were. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);

static unsigned long allocations = 0;
static unsigned long failing = 0;

static void tell(void)
{
    fprintf(stderr, "allocations: %lu\n", allocations);
}

__attribute__((constructor)) static void begin(void)
{
    const char *number = getenv("FAIL_ALLOC");
    failing = number == NULL ? 0 : strtoul(number, NULL, 10);
    if (number != NULL && failing == 0) {
        atexit(tell);
    }
}

static int fails(void)
{
    allocations++;
    if (allocations == failing) {
        errno = ENOMEM;
    }
    return allocations == failing;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    if (old != NULL && size == 0) {
        return __real_realloc(old, size);
    }
    return fails() ? NULL : __real_realloc(old, size);
}

char *__wrap_strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = __wrap_malloc(size);
    return copy == NULL ? NULL : memcpy(copy, text, size);
}
