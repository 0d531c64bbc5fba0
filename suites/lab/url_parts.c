// Takes a URL apart into newly made strings.
// run: http://host:80/path
// run: http://host/
// run: host/path
// run: http://:1/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct url { char *scheme, *host, *path; int port; };

static void url_clear(struct url *u) {
    free(u->scheme);
    free(u->host);
    free(u->path);
    memset(u, 0, sizeof *u);
}

static int url_parse(struct url *u, const char *text) {
    memset(u, 0, sizeof *u);
    const char *colon = strstr(text, "://");
    if (colon == NULL) return -1;
    u->scheme = strndup(text, (size_t)(colon - text));
    const char *host = colon + 3;
    size_t n = strcspn(host, ":/");
    if (n == 0) {
        url_clear(u);
        return -1;
    }
    u->host = strndup(host, n);
    if (host[n] == ':') {
        char *end;
        u->port = (int)strtol(host + n + 1, &end, 10);
        host = end;
        n = 0;
    }
    u->path = strdup(host + n);
    return 0;
}

int main(int argc, char **argv) {
    struct url u;
    if (url_parse(&u, argv[argc - 1]) != 0) return 1;
    printf("%s|%s|%d|%s\n", u.scheme, u.host, u.port, u.path);
    url_clear(&u);
    return 0;
}
