/*
 * Classes, by their names: those of several loaders with one name are one.
 */
#include "tracer.h"

#include "tables.h"

#include <stdlib.h>
#include <string.h>

#define CLASSES (64 * 1024)

#define MET 64

static struct entry *classes;
static uint32_t class_count;

/* Whether a class was met, by its number less one. */
static bool *known_met;
/* Those of which nobody has been told; global references. */
static jclass met[MET];
static jint met_count;

bool classes_open(void) {
    classes = table_new();
    known_met = calloc(CLASSES, sizeof(bool));
    class_count = 0;
    return classes != NULL && known_met != NULL;
}

void classes_close(JNIEnv *env) {
    while (met_count > 0) {
        (*env)->DeleteGlobalRef(env, met[--met_count]);
    }
    free(classes);
    classes = NULL;
    free(known_met);
    known_met = NULL;
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

bool class_meet(JNIEnv *env, jclass type) {
    uint32_t id = class_id(type);
    if (id == 0 || known_met[id - 1]) {
        return true;
    }
    jobject loader = NULL;
    if ((*jvmti)->GetClassLoader(jvmti, type, &loader) != JVMTI_ERROR_NONE || loader != NULL) {
        (*env)->DeleteLocalRef(env, loader);
        return true;
    }
    jclass kept = met_count == MET ? NULL : (*env)->NewGlobalRef(env, type);
    if (kept == NULL) {
        return false;
    }
    met[met_count++] = kept;
    known_met[id - 1] = true;
    return true;
}

/* Moves classes that were met into the array; returns how many. */
JNIEXPORT jint HOOK(takeMet)(JNIEnv *env, jclass hooks, jobjectArray types) {
    (void) hooks;
    jint taken = 0;
    if (tracer_enter()) {
        pthread_mutex_lock(&describing);
        jsize room = (*env)->GetArrayLength(env, types);
        while (met_count > 0 && taken < room) {
            jclass type = met[--met_count];
            (*env)->SetObjectArrayElement(env, types, taken++, type);
            (*env)->DeleteGlobalRef(env, type);
        }
        pthread_mutex_unlock(&describing);
        tracer_leave();
    }
    return taken;
}
