// Calls before any declaration, as gnu17 still accepts with a warning.
int main(void) {
    int r = later(3, 4);
    printf("%d %d\n", r, strlen("four") > 3);
    puts("implicit puts");
    r += twice(later(1, 1));
    printf("%d\n", r);
    { extern int hidden(int); printf("%d\n", hidden(5)); }
    return abs(-r);
}
int later(int a, int b) { return a * 10 + b; }
int twice(x) { return 2 * x; }
int hidden(int x) { return x * x; }
