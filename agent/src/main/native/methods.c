/*
 * Methods and the lines of their code: as they are when a method is first seen, and renewed when its
 * class gets hooks.
 */
#include "tracer.h"

#include "tables.h"

#include <stdlib.h>

#define METHODS (64 * 1024)
static struct method *methods;
static uint32_t method_count;
static uint32_t last_id;
static uint32_t last_version;

bool methods_open(void) {
    methods = calloc(TABLE, sizeof(struct method));
    method_count = 0;
    last_id = 0;
    last_version = 0;
    return methods != NULL;
}

bool methods_full(void) {
    return method_count > METHODS - MOST_AT_ONCE;
}

static void forget_lines(struct method *method) {
    (*jvmti)->Deallocate(jvmti, (unsigned char *) method->lines);
    method->lines = NULL;
    method->line_count = 0;
}

void methods_forget(void) {
    for (uint32_t i = 0; i < TABLE; i++) {
        struct method *method = &methods[i];
        atomic_store_explicit(&method->key, NULL, memory_order_relaxed);
        forget_lines(method);
        atomic_store_explicit(&method->met, false, memory_order_relaxed);
        method->owner_met = false;
        atomic_store_explicit(&method->version, 0, memory_order_relaxed);
    }
    method_count = 0;
}

void methods_close(void) {
    for (uint32_t i = 0; methods != NULL && i < TABLE; i++) {
        forget_lines(&methods[i]);
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

/* The one of that key, or the free place where it belongs. */
static struct method *method_at(jmethodID key) {
    uint64_t i = mix(0, (uintptr_t) key) % TABLE;
    while (methods[i].key != NULL && methods[i].key != key) {
        i = (i + 1) % TABLE;
    }
    return &methods[i];
}

static void read_lines(struct method *method) {
    if ((*jvmti)->GetLineNumberTable(jvmti, method->key, &method->line_count, &method->lines)
            != JVMTI_ERROR_NONE) {
        /* A native method, or compiled without. */
        method->line_count = 0;
        method->lines = NULL;
    }
}

struct method *method_of(JNIEnv *env, jmethodID key) {
    struct method *method = method_at(key);
    if (method->key == NULL) {
        if (method_count == METHODS || !describe(env, key, last_id + 1)) {
            return NULL;
        }
        method_count++;
        method->id = ++last_id;
        method->key = key;
        read_lines(method);
    }
    return method;
}

/* The table need not be sorted. What is injected before the first line counts as that. */
uint64_t line_of(struct method *method, jlocation location) {
    jvmtiLineNumberEntry *best = NULL;
    for (jint i = 0; i < method->line_count; i++) {
        jvmtiLineNumberEntry *line = &method->lines[i];
        bool before = line->start_location <= location;
        if (best == NULL
                || (best->start_location <= location
                                ? before && line->start_location > best->start_location
                                : line->start_location < best->start_location)) {
            best = line;
        }
    }
    return best == NULL ? 0 : (uint64_t) best->line_number + 1;
}

uint32_t method_version(jmethodID key) {
    struct method *method = method_at(key);
    return method->key == NULL ? 0 : atomic_load_explicit(&method->version, memory_order_acquire);
}

bool method_is_met(jmethodID key) {
    struct method *method = method_at(key);
    return method->key != NULL && atomic_load_explicit(&method->met, memory_order_relaxed);
}

void method_meet(JNIEnv *env, struct method *method) {
    jclass type = NULL;
    if (!method->met
            && (*jvmti)->GetMethodDeclaringClass(jvmti, method->key, &type) == JVMTI_ERROR_NONE) {
        method->met = class_meet(env, type);
        (*env)->DeleteLocalRef(env, type);
    }
}

void method_meet_owner(JNIEnv *env, struct method *method) {
    jclass type = NULL;
    if (!method->met && !method->owner_met
            && (*jvmti)->GetMethodDeclaringClass(jvmti, method->key, &type) == JVMTI_ERROR_NONE) {
        method->owner_met = class_meet_owner(env, type);
        (*env)->DeleteLocalRef(env, type);
    }
}

static void renew_lines_of(jclass type) {
    jint count = 0;
    jmethodID *keys = NULL;
    if ((*jvmti)->GetClassMethods(jvmti, type, &count, &keys) != JVMTI_ERROR_NONE) {
        return;
    }
    for (jint i = 0; i < count; i++) {
        struct method *method = method_at(keys[i]);
        if (method->key != NULL) {
            forget_lines(method);
            read_lines(method);
            atomic_store_explicit(&method->version, ++last_version, memory_order_release);
        }
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *) keys);
}

/* Classes got hooks: their lines begin elsewhere in their code from now on. */
JNIEXPORT void HOOK(renewLines)(JNIEnv *env, jclass hooks, jobjectArray types) {
    (void) hooks;
    if (tracer_enter()) {
        describing_begin();
        jsize count = (*env)->GetArrayLength(env, types);
        for (jsize i = 0; i < count; i++) {
            jclass type = (*env)->GetObjectArrayElement(env, types, i);
            renew_lines_of(type);
            (*env)->DeleteLocalRef(env, type);
        }
        classes_changed();
        describing_end();
        tracer_leave();
    }
}
