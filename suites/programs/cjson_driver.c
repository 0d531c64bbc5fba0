/* Reads one JSON document per line from standard input; parses, prints, changes, copies and
   compares each. Allocation may fail anywhere: then it says so and goes on, and ends with 3. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cJSON.h"
#include "cJSON_Utils.h"

static int out_of_memory = 0;

static void *needed(void *result, const char *what)
{
    if (result == NULL) {
        printf("  no memory for %s\n", what);
        out_of_memory = 1;
    }
    return result;
}

static void print(const cJSON *item, cJSON_bool formatted)
{
    char *text = formatted ? cJSON_Print(item) : cJSON_PrintUnformatted(item);
    if (needed(text, "text") != NULL) {
        printf("  %s\n", text);
    }
    free(text);
}

static int depth(const cJSON *item)
{
    const cJSON *child = NULL;
    int deepest = 0;
    cJSON_ArrayForEach(child, item) {
        int inner = depth(child);
        deepest = inner > deepest ? inner : deepest;
    }
    return deepest + 1;
}

static void change(cJSON *item)
{
    if (cJSON_IsObject(item)) {
        needed(cJSON_AddNumberToObject(item, "added", 1.5), "a member");
        needed(cJSON_AddStringToObject(item, "text", "a\"b"), "a member");
        cJSON_DeleteItemFromObject(item, "a");
    } else if (cJSON_IsArray(item)) {
        cJSON *last = needed(cJSON_CreateString("last"), "an element");
        if (last != NULL && !cJSON_AddItemToArray(item, last)) {
            cJSON_Delete(last);
        }
        cJSON_DeleteItemFromArray(item, 0);
    }
}

static void compare(cJSON *before, cJSON *after)
{
    cJSON *patch = NULL;
    printf("  equal: %d\n", cJSON_Compare(before, after, 1));
    patch = cJSONUtils_GeneratePatches(before, after);
    if (needed(patch, "a patch") != NULL) {
        print(patch, 0);
        printf("  patched: %d\n", cJSONUtils_ApplyPatches(before, patch));
        cJSON_Delete(patch);
    }
}

static void handle(const char *line)
{
    const char *end = NULL;
    cJSON *copy = NULL;
    cJSON *item = cJSON_ParseWithOpts(line, &end, 1);
    if (item == NULL) {
        printf("  rejected at %d\n", (int)(end - line));
        return;
    }
    printf("  depth %d, %d members\n", depth(item), cJSON_GetArraySize(item));
    print(item, 0);
    print(item, 1);
    copy = cJSON_Duplicate(item, 1);
    if (needed(copy, "a copy") != NULL) {
        change(copy);
        print(copy, 0);
        compare(item, copy);
        cJSON_Delete(copy);
    }
    cJSON_Delete(item);
}

int main(void)
{
    static char line[4096];
    int number = 0;
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        number++;
        printf("%d: %s\n", number, line);
        handle(line);
    }
    return out_of_memory ? 3 : 0;
}
