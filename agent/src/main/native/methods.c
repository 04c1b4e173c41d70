/*
 * Methods and the lines of their code, as they are when a method is first seen.
 */
#include "tracer.h"

#include "tables.h"

#include <stdlib.h>

#define METHODS (64 * 1024)
#define MET 64

static struct method *methods;
static uint32_t method_count;

/* Classes that were met and nobody has asked for; global references. */
static jclass met[MET];
static uint32_t met_count;

bool methods_open(void) {
    methods = calloc(TABLE, sizeof(struct method));
    method_count = 0;
    return methods != NULL;
}

void methods_close(JNIEnv *env) {
    while (met_count > 0) {
        (*env)->DeleteGlobalRef(env, met[--met_count]);
    }
    for (uint32_t i = 0; methods != NULL && i < TABLE; i++) {
        (*jvmti)->Deallocate(jvmti, (unsigned char *) methods[i].lines);
    }
    free(methods);
    methods = NULL;
}

static bool describe(JNIEnv *env, jmethodID key, uint32_t id) {
    char *name = NULL;
    char *descriptor = NULL;
    jclass type = NULL;
    bool described = false;
    if ((*jvmti)->GetMethodName(jvmti, key, &name, &descriptor, NULL) == JVMTI_ERROR_NONE
            && (*jvmti)->GetMethodDeclaringClass(jvmti, key, &type) == JVMTI_ERROR_NONE) {
        uint32_t owner = class_id(type);
        size_t size = 30 + text_length(name) + text_length(descriptor);
        if (owner != 0 && metadata_begin(METHOD, size)) {
            metadata_put(id);
            metadata_put(owner);
            metadata_text(name);
            metadata_text(descriptor);
            metadata_end();
            described = true;
        }
    }
    (*env)->DeleteLocalRef(env, type);
    (*jvmti)->Deallocate(jvmti, (unsigned char *) name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *) descriptor);
    return described;
}

struct method *method_of(JNIEnv *env, jmethodID key) {
    uint64_t i = mix(0, (uintptr_t) key) % TABLE;
    while (methods[i].key != NULL && methods[i].key != key) {
        i = (i + 1) % TABLE;
    }
    struct method *method = &methods[i];
    if (method->key == NULL) {
        if (method_count == METHODS || !describe(env, key, method_count + 1)) {
            return NULL;
        }
        method->key = key;
        method->id = ++method_count;
        if ((*jvmti)->GetLineNumberTable(jvmti, key, &method->line_count, &method->lines)
                != JVMTI_ERROR_NONE) {
            /* A native method, or compiled without. */
            method->line_count = 0;
            method->lines = NULL;
        }
    }
    return method;
}

/* The table need not be sorted. */
uint64_t line_of(struct method *method, jlocation location) {
    jlocation best = -1;
    uint64_t line = 0;
    for (jint i = 0; i < method->line_count; i++) {
        jlocation start = method->lines[i].start_location;
        if (start <= location && start > best) {
            best = start;
            line = (uint64_t) method->lines[i].line_number + 1;
        }
    }
    return line;
}

void method_meet(JNIEnv *env, struct method *method) {
    jclass type = NULL;
    if (!method->met && met_count < MET
            && (*jvmti)->GetMethodDeclaringClass(jvmti, method->key, &type) == JVMTI_ERROR_NONE) {
        jclass kept = (*env)->NewGlobalRef(env, type);
        if (kept != NULL) {
            met[met_count++] = kept;
            method->met = true;
        }
        (*env)->DeleteLocalRef(env, type);
    }
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
