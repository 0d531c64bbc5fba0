// %s and %c with width and precision; %n; return values.
#include <stdio.h>
int main(void) {
    printf("[%s] [%10s] [%-10s] [%.2s] [%8.3s] [%-8.3s] [%.0s] [%.10s]\n", "hello", "hello", "hello", "hello", "hello", "hello", "hello", "hi");
    printf("[%c] [%3c] [%-3c] [%c%c%c]\n", 'a', 'b', 'c', 65, 66, 67 + 256);
    printf("[%*s] [%-*s] [%.*s]\n", 7, "ab", 7, "cd", 1, "ef");
    char raw[3] = {'x', 'y', 'z'};
    printf("[%.3s] [%.*s]\n", raw, 2, raw);
    int a = 0, b = 0;
    printf("abc%ndef%n\n", &a, &b);
    printf("%d %d\n", a, b);
    printf("%s%s%s\n", "", "mid", "");
    printf("%2$s %1$s\n", "one", "two");
    printf("%1$d %1$x %1$o\n", 100);
    printf("%-5s|%5s|%05d|%x\n", "ab", "cd", 42, 48879);
    int r = printf("%s", "");
    printf("%d\n", r);
    printf("%c", 0 + 'q');
    putchar('\n');
    printf("%3d|%-3d|%03d\n", 12345, 12345, 12345);
    return a;
}
