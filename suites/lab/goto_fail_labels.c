// Opens a session in steps; every failure jumps to a label.
// run: user pass
// run: user
// run: "" pass
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct session {
    char *user;
    char *token;
    unsigned char *buffer;
};

static struct session *session_open(const char *user, const char *pass) {
    struct session *s = calloc(1, sizeof *s);
    if (s == NULL) goto fail;
    s->buffer = malloc(64);
    if (s->buffer == NULL) goto fail_session;
    if (user[0] == '\0') goto fail_session;
    s->user = strdup(user);
    if (s->user == NULL) goto fail_buffer;
    if (pass == NULL) goto fail_buffer;
    s->token = malloc(strlen(pass) + 8);
    if (s->token == NULL) goto fail_user;
    sprintf(s->token, "tok-%s", pass);
    return s;
fail_user:
    free(s->user);
fail_buffer:
    free(s->buffer);
fail_session:
    free(s);
fail:
    return NULL;
}

static void session_close(struct session *s) {
    free(s->token);
    free(s->user);
    free(s->buffer);
    free(s);
}

int main(int argc, char **argv) {
    struct session *s = session_open(argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : NULL);
    if (s == NULL) return 1;
    puts(s->token);
    session_close(s);
    return 0;
}
// run:
