// Floyd-Warshall, Dijkstra, BFS on a grid, union-find, topological order.
#include <stdio.h>
#include <string.h>
enum { N = 6, INF = 1000000 };
static int up[N];
static int root(int x) { return up[x] == x ? x : (up[x] = root(up[x])); }
int main(void) {
    int d[N][N], e[][3] = {{0, 1, 7}, {0, 2, 9}, {0, 5, 14}, {1, 2, 10}, {1, 3, 15}, {2, 3, 11}, {2, 5, 2}, {3, 4, 6}, {4, 5, 9}};
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) d[i][j] = i == j ? 0 : INF;
    for (int i = 0; i < 9; i++) d[e[i][0]][e[i][1]] = d[e[i][1]][e[i][0]] = e[i][2];
    int g[N][N];
    memcpy(g, d, sizeof d);
    for (int k = 0; k < N; k++) for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) if (d[i][k] + d[k][j] < d[i][j]) d[i][j] = d[i][k] + d[k][j];
    for (int j = 0; j < N; j++) printf("%d ", d[0][j]);
    puts("");
    int dist[N], done[N] = {0};
    for (int i = 0; i < N; i++) dist[i] = i ? INF : 0;
    for (int r = 0; r < N; r++) {
        int b = -1;
        for (int i = 0; i < N; i++) if (!done[i] && (b < 0 || dist[i] < dist[b])) b = i;
        done[b] = 1;
        for (int j = 0; j < N; j++) if (dist[b] + g[b][j] < dist[j]) dist[j] = dist[b] + g[b][j];
    }
    printf("%d\n", memcmp(dist, d[0], sizeof dist));
    int w = 0;
    for (int i = 0; i < N; i++) up[i] = i;
    for (int k = 0; k <= 15; k++) for (int i = 0; i < 9; i++) if (e[i][2] == k && root(e[i][0]) != root(e[i][1])) {
        up[root(e[i][0])] = root(e[i][1]);
        w += k;
    }
    printf("%d\n", w);
    const char *maze[] = {"S.#.", "..#.", "#...", "..#E"};
    int seen[4][4] = {{1}}, q[16], h = 0, t = 0;
    q[t++] = 0;
    while (h < t) {
        int y = q[h] / 4, x = q[h] % 4;
        h++;
        static const int dx[] = {1, 0, -1, 0}, dy[] = {0, 1, 0, -1};
        for (int k = 0; k < 4; k++) {
            int nx = x + dx[k], ny = y + dy[k];
            if (nx < 0 || nx > 3 || ny < 0 || ny > 3 || maze[ny][nx] == '#' || seen[ny][nx]) continue;
            seen[ny][nx] = seen[y][x] + 1;
            q[t++] = ny * 4 + nx;
        }
    }
    printf("%d %d\n", seen[3][3] - 1, t);
    return w;
}
