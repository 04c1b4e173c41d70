/*
 * Classes, by their names: those of several loaders with one name are one.
 */
#include "tracer.h"

#include "tables.h"

#include <stdlib.h>
#include <string.h>

#define CLASSES (64 * 1024)

static struct entry *classes;
static uint32_t class_count;

bool classes_open(void) {
    classes = table_new();
    class_count = 0;
    return classes != NULL;
}

void classes_close(void) {
    free(classes);
    classes = NULL;
}

/* Turns Ljava/lang/String; into java.lang.String, as Class.getName does; of arrays, too. */
static char *readable(char *signature) {
    for (char *at = signature; *at != 0; at++) {
        *at = *at == '/' ? '.' : *at;
    }
    if (*signature == 'L') {
        signature++;
        signature[strlen(signature) - 1] = 0;
    }
    return signature;
}

uint32_t class_id(jclass type) {
    char *signature = NULL;
    if ((*jvmti)->GetClassSignature(jvmti, type, &signature, NULL) != JVMTI_ERROR_NONE) {
        return 0;
    }
    uint64_t key = 1;
    for (char *at = signature; *at != 0; at++) {
        key = mix(key, (unsigned char) *at);
    }
    key |= 1;
    struct entry *entry = table_find(classes, key);
    uint32_t id = entry->id;
    if (!entry_known(entry) && class_count < CLASSES) {
        char *name = readable(signature);
        if (metadata_begin(CLASS, 20 + text_length(name))) {
            id = ++class_count;
            metadata_put(id);
            metadata_text(name);
            metadata_end();
            entry_set(entry, key, id);
        }
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *) signature);
    return id;
}
