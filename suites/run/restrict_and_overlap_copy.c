// Copies with memmove on overlapping parts of 2-D data, rotation in place.
#include <stdio.h>
#include <string.h>
static void shift_rows(int m[4][4]) {
    for (int r = 1; r < 4; r++) {
        int t[4];
        memcpy(t, m[r], r * sizeof(int));
        memmove(m[r], m[r] + r, (4 - r) * sizeof(int));
        memcpy(m[r] + 4 - r, t, r * sizeof(int));
    }
}
static void rot90(int m[4][4]) {
    for (int i = 0; i < 2; i++) for (int j = i; j < 3 - i; j++) {
        int t = m[i][j];
        m[i][j] = m[3 - j][i];
        m[3 - j][i] = m[3 - i][3 - j];
        m[3 - i][3 - j] = m[j][3 - i];
        m[j][3 - i] = t;
    }
}
static void show(int m[4][4]) {
    for (int i = 0; i < 4; i++) printf("%2d %2d %2d %2d\n", m[i][0], m[i][1], m[i][2], m[i][3]);
}
int main(void) {
    int m[4][4];
    for (int i = 0; i < 16; i++) m[i / 4][i % 4] = i;
    shift_rows(m);
    show(m);
    rot90(m);
    show(m);
    memmove(&m[1], &m[0], 2 * sizeof m[0]);
    show(m);
    int ones[4][4] = {{0}};
    memcpy(ones[3], m[0], sizeof m[0]);
    return ones[3][3] + m[2][0];
}
