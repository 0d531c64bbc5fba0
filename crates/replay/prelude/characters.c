/* Character classes of the C locale, as glibc's <ctype.h> asks for them: bits in a table that begins at
   character -128, and tables of the other case. `caulk dump --stage ir characters.c` makes
   characters.ir. */

enum {
    BLANK = 1, CONTROL = 2, PUNCTUATION = 4, EITHER = 8, UPPER = 0x100, LOWER = 0x200, ALPHA = 0x400,
    DIGIT = 0x800, HEX = 0x1000, SPACE = 0x2000, PRINTED = 0x4000, GRAPH = 0x8000,
    MARK = PUNCTUATION | PRINTED | GRAPH,
    LETTER = EITHER | ALPHA | PRINTED | GRAPH
};

static const unsigned short classes[384] = {
    [128 + 0 ... 128 + 8] = CONTROL,
    [128 + 9] = CONTROL | SPACE | BLANK,
    [128 + 10 ... 128 + 13] = CONTROL | SPACE,
    [128 + 14 ... 128 + 31] = CONTROL,
    [128 + ' '] = SPACE | BLANK | PRINTED,
    [128 + '!' ... 128 + '/'] = MARK,
    [128 + '0' ... 128 + '9'] = EITHER | DIGIT | HEX | PRINTED | GRAPH,
    [128 + ':' ... 128 + '@'] = MARK,
    [128 + 'A' ... 128 + 'F'] = LETTER | UPPER | HEX,
    [128 + 'G' ... 128 + 'Z'] = LETTER | UPPER,
    [128 + '[' ... 128 + '`'] = MARK,
    [128 + 'a' ... 128 + 'f'] = LETTER | LOWER | HEX,
    [128 + 'g' ... 128 + 'z'] = LETTER | LOWER,
    [128 + '{' ... 128 + '~'] = MARK,
    [128 + 127] = CONTROL,
};
static const unsigned short *classes_from_zero = classes + 128;

const unsigned short **__ctype_b_loc(void)
{
    return &classes_from_zero;
}

static int has(int c, int bits)
{
    return c >= -128 && c < 256 ? classes[128 + c] & bits : 0;
}

int isalnum(int c)
{
    return has(c, EITHER);
}

int isalpha(int c)
{
    return has(c, ALPHA);
}

int isblank(int c)
{
    return has(c, BLANK);
}

int iscntrl(int c)
{
    return has(c, CONTROL);
}

int isgraph(int c)
{
    return has(c, GRAPH);
}

int islower(int c)
{
    return has(c, LOWER);
}

int isprint(int c)
{
    return has(c, PRINTED);
}

int ispunct(int c)
{
    return has(c, PUNCTUATION);
}

int isspace(int c)
{
    return has(c, SPACE);
}

int isupper(int c)
{
    return has(c, UPPER);
}

int isxdigit(int c)
{
    return has(c, HEX);
}
