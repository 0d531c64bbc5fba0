// Standard input without any bytes.
#include <stdio.h>
int main(void) {
    char b[8];
    int x = 5;
    int c = getchar();
    printf("%d %d\n", c == EOF, feof(stdin) != 0);
    printf("%d\n", fgets(b, sizeof b, stdin) == NULL);
    int r = scanf("%d", &x);
    printf("%d %d\n", r, x);
    printf("%zu\n", fread(b, 1, 8, stdin));
    clearerr(stdin);
    printf("%d\n", feof(stdin));
    return r == EOF ? 6 : 1;
}
