// Arrays inside structs: assignment copies them, parameters do not decay.
#include <stdio.h>
struct board { char cell[3][4]; int score[2]; };
static struct board play(struct board b, int r, int c, char who) {
    b.cell[r][c] = who;
    b.score[who == 'x'] += r * 3 + c;
    return b;
}
static void show(const struct board *b) {
    for (int i = 0; i < 3; i++) puts(b->cell[i]);
    printf("%d %d\n", b->score[0], b->score[1]);
}
int main(void) {
    struct board a = {{"...", "...", "..."}, {0, 0}}, hist[4];
    hist[0] = a;
    hist[1] = play(hist[0], 1, 1, 'x');
    hist[2] = play(hist[1], 0, 2, 'o');
    hist[3] = play(hist[2], 2, 0, 'x');
    for (int i = 0; i < 4; i++) show(&hist[i]);
    struct board *p = &hist[2]; p->cell[0][0] = '#'; (*p).score[1]++;
    show(p); show(&a);
    printf("%zu %zu\n", sizeof(struct board), sizeof a.cell[0]);
    return hist[3].score[1];
}
