/*
 * Classes, by their names: those of several loaders with one name are one.
 */
#include "tracer.h"

#include "tables.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CLASSES (64 * 1024)

/* As many may have been met and not told. Owners are in many classes, and take half of it at most. */
#define MET 256

/*
 * A class that was met gets hooks within this time; and within this time after that most calls are
 * over that began before.
 */
#define SETTLING_NANOS 100000000ULL

static struct entry *classes;
static uint32_t class_count;
static uint32_t last_id;

/* How a class was met, by the place of its entry. */
enum { NOT_MET, IN_CODE, AS_LOCK };
static unsigned char *known_met;
/* Those of which nobody has been told; global references. */
static jclass met[MET];
static jint met_count;
static pthread_once_t prepared = PTHREAD_ONCE_INIT;
static pthread_cond_t met_one;
static _Atomic uint64_t settled;

/* By a clock that nobody sets. */
static void prepare(void) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&met_one, &attributes);
    pthread_condattr_destroy(&attributes);
}

bool classes_open(void) {
    pthread_once(&prepared, prepare);
    classes = table_new();
    known_met = calloc(TABLE, 1);
    class_count = 0;
    last_id = 0;
    atomic_store(&settled, 0);
    return classes != NULL && known_met != NULL;
}

bool classes_full(void) {
    return class_count > CLASSES - MOST_AT_ONCE;
}

/* Those that were met are met again: nothing is changed, but owners are looked up for a moment. */
void classes_forget(void) {
    table_empty(classes);
    memset(known_met, NOT_MET, TABLE);
    class_count = 0;
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

/* The entry of a class that is described; NULL if it cannot be. */
static struct entry *entry_of(jclass type) {
    char *signature = NULL;
    if ((*jvmti)->GetClassSignature(jvmti, type, &signature, NULL) != JVMTI_ERROR_NONE) {
        return NULL;
    }
    uint64_t key = 1;
    for (char *at = signature; *at != 0; at++) {
        key = mix(key, (unsigned char) *at);
    }
    key |= 1;
    struct entry *entry = table_find(classes, key);
    if (!entry_known(entry) && class_count < CLASSES) {
        char *name = readable(signature);
        if (metadata_begin(CLASS, 20 + text_length(name))) {
            class_count++;
            metadata_put(++last_id);
            metadata_text(name);
            metadata_end();
            entry_set(entry, key, last_id);
        }
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *) signature);
    return entry_known(entry) ? entry : NULL;
}

uint32_t class_id(jclass type) {
    struct entry *entry = entry_of(type);
    return entry == NULL ? 0 : entry->id;
}

static bool is_of_jdk(JNIEnv *env, jclass type) {
    jobject loader = NULL;
    (*jvmti)->GetClassLoader(jvmti, type, &loader);
    bool none = loader == NULL;
    (*env)->DeleteLocalRef(env, loader);
    return none;
}

static bool keep_for_taking(JNIEnv *env, jclass type) {
    jclass kept = met_count == MET ? NULL : (*env)->NewGlobalRef(env, type);
    if (kept == NULL) {
        return false;
    }
    met[met_count++] = kept;
    pthread_cond_broadcast(&met_one);
    if (!is_of_jdk(env, type)) {
        classes_changed();
    }
    return true;
}

static bool meet(JNIEnv *env, jclass type, unsigned char how);

/*
 * What a class inherits uses the same monitors. Code of the JDK has to do with them only if they are
 * its own: it is what many inherit who lock something else.
 */
static bool meet_above(JNIEnv *env, jclass type, unsigned char how) {
    jclass above = (*env)->GetSuperclass(env, type);
    bool done = above == NULL || (how == IN_CODE && is_of_jdk(env, above)) || meet(env, above, how);
    (*env)->DeleteLocalRef(env, above);
    return done;
}

static bool meet(JNIEnv *env, jclass type, unsigned char how) {
    struct entry *entry = entry_of(type);
    if (entry == NULL) {
        return false;
    }
    unsigned char *known = &known_met[entry - classes];
    if (*known >= how) {
        return true;
    }
    if (!meet_above(env, type, how) || (*known == NOT_MET && !keep_for_taking(env, type))) {
        return false;
    }
    *known = how;
    return true;
}

bool class_meet(JNIEnv *env, jclass type) {
    return meet(env, type, IN_CODE);
}

bool class_meet_lock(JNIEnv *env, jclass type) {
    return meet(env, type, AS_LOCK);
}

bool class_meet_owner(JNIEnv *env, jclass type) {
    return is_of_jdk(env, type) || (met_count < MET / 2 && class_meet(env, type));
}

void classes_changed(void) {
    atomic_store(&settled, trace_now() + SETTLING_NANOS);
}

bool classes_settle(uint64_t now) {
    return now < atomic_load_explicit(&settled, memory_order_relaxed);
}

void classes_wake(void) {
    pthread_mutex_lock(&describing);
    pthread_cond_broadcast(&met_one);
    pthread_mutex_unlock(&describing);
}

/* Waits until a class is met or tracing ends, for so long at most; returns whether one is. */
JNIEXPORT jboolean HOOK(awaitMet)(JNIEnv *env, jclass hooks, jint millis) {
    (void) env;
    (void) hooks;
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += millis * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_once(&prepared, prepare);
    pthread_mutex_lock(&describing);
    if (met_count == 0) {
        pthread_cond_timedwait(&met_one, &describing, &until);
    }
    bool is_met = met_count > 0;
    pthread_mutex_unlock(&describing);
    return is_met;
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
