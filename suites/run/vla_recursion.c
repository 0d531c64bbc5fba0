// Each activation of a recursive function has its own VLA.
#include <stdio.h>
static int perm(int n, const int used[n], int depth) {
    if (depth == n) return 1;
    int count = 0;
    for (int i = 0; i < n; i++) {
        if (used[i]) continue;
        int mine[n]; for (int j = 0; j < n; j++) mine[j] = used[j] | (i == j);
        count += perm(n, mine, depth + 1);
    }
    return count;
}
static int tri(int n) {
    int row[n];
    row[0] = 1;
    if (n == 1) return 1;
    for (int i = 1; i < n; i++) row[i] = row[i - 1] + i + 1;
    return row[n - 1] + tri(n - 1);
}
int main(void) {
    for (int n = 1; n <= 5; n++) {
        int none[n];
        for (int i = 0; i < n; i++) none[i] = 0;
        printf("%d ", perm(n, none, 0));
    }
    puts("");
    printf("%d\n", tri(20));
    return tri(5);
}
