/* The functions of the C library that only read and write the memory they are given, as a replay
   runs them. `strings.ir` is made from this file by `caulk dump --stage ir`; a test compares. */

typedef unsigned long size_t;

void *malloc(size_t size);
void *memcpy(void *to, const void *from, size_t size);

size_t strlen(const char *text)
{
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}

size_t strnlen(const char *text, size_t most)
{
    size_t length = 0;
    while (length < most && text[length])
        length++;
    return length;
}

int strcmp(const char *left, const char *right)
{
    while (*left && *left == *right) {
        left++;
        right++;
    }
    return *(const unsigned char *)left - *(const unsigned char *)right;
}

int strncmp(const char *left, const char *right, size_t most)
{
    while (most && *left && *left == *right) {
        left++;
        right++;
        most--;
    }
    return most ? *(const unsigned char *)left - *(const unsigned char *)right : 0;
}

int tolower(int character)
{
    return character >= 'A' && character <= 'Z' ? character + 32 : character;
}

int toupper(int character)
{
    return character >= 'a' && character <= 'z' ? character - 32 : character;
}

int isdigit(int character)
{
    return character >= '0' && character <= '9';
}

int strcasecmp(const char *left, const char *right)
{
    while (*left && tolower((unsigned char)*left) == tolower((unsigned char)*right)) {
        left++;
        right++;
    }
    return tolower((unsigned char)*left) - tolower((unsigned char)*right);
}

int strncasecmp(const char *left, const char *right, size_t most)
{
    while (most && *left && tolower((unsigned char)*left) == tolower((unsigned char)*right)) {
        left++;
        right++;
        most--;
    }
    return most ? tolower((unsigned char)*left) - tolower((unsigned char)*right) : 0;
}

char *strchr(const char *text, int wanted)
{
    while (*text != (char)wanted) {
        if (!*text)
            return 0;
        text++;
    }
    return (char *)text;
}

char *strrchr(const char *text, int wanted)
{
    const char *found = 0;
    for (;; text++) {
        if (*text == (char)wanted)
            found = text;
        if (!*text)
            return (char *)found;
    }
}

char *strpbrk(const char *text, const char *wanted)
{
    for (; *text; text++)
        if (strchr(wanted, *text))
            return (char *)text;
    return 0;
}

size_t strspn(const char *text, const char *wanted)
{
    size_t length = 0;
    while (text[length] && strchr(wanted, text[length]))
        length++;
    return length;
}

size_t strcspn(const char *text, const char *unwanted)
{
    size_t length = 0;
    while (text[length] && !strchr(unwanted, text[length]))
        length++;
    return length;
}

char *strstr(const char *text, const char *wanted)
{
    size_t length = strlen(wanted);
    for (;; text++) {
        if (strncmp(text, wanted, length) == 0)
            return (char *)text;
        if (!*text)
            return 0;
    }
}

char *stpcpy(char *to, const char *from)
{
    while ((*to = *from)) {
        to++;
        from++;
    }
    return to;
}

char *strcpy(char *to, const char *from)
{
    stpcpy(to, from);
    return to;
}

char *strncpy(char *to, const char *from, size_t size)
{
    size_t at = 0;
    for (; at < size && from[at]; at++)
        to[at] = from[at];
    for (; at < size; at++)
        to[at] = 0;
    return to;
}

char *strcat(char *to, const char *from)
{
    stpcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *to, const char *from, size_t most)
{
    char *end = to + strlen(to);
    while (most && *from) {
        *end++ = *from++;
        most--;
    }
    *end = 0;
    return to;
}

int memcmp(const void *left, const void *right, size_t size)
{
    const unsigned char *a = left, *b = right;
    for (; size; size--, a++, b++)
        if (*a != *b)
            return *a - *b;
    return 0;
}

void *memchr(const void *memory, int wanted, size_t size)
{
    const unsigned char *at = memory;
    for (; size; size--, at++)
        if (*at == (unsigned char)wanted)
            return (void *)at;
    return 0;
}

char *strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

char *strndup(const char *text, size_t most)
{
    size_t length = strnlen(text, most);
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}

int atoi(const char *text)
{
    unsigned number = 0;
    int negative = 0;
    while (*text == ' ' || (*text >= '\t' && *text <= '\r'))
        text++;
    if (*text == '-' || *text == '+')
        negative = *text++ == '-';
    while (isdigit((unsigned char)*text))
        number = number * 10 + (unsigned)(*text++ - '0');
    return negative ? (int)-number : (int)number;
}

int abs(int number)
{
    return number < 0 ? -number : number;
}
