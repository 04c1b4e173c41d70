/*
 * Call chains, methods, classes, threads and locks: each is described once in the trace, and events
 * refer to it by a number. Looking up what is known takes no lock (seed 001, 4.2.4); what is new is
 * added under one, which the descriptions need anyway.
 */
#include "tracer.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES 128
#define CHAINS (64 * 1024)
#define METHODS (64 * 1024)
#define THREADS (96 * 1024)
#define CLASSES (64 * 1024)
#define LOCKS (1024 * 1024)
#define LOCKS_IN_CHUNK 4096
#define CLASS_BUCKETS 256

/* More than there are entries, so that searches end soon. */
#define TABLE (128 * 1024)

struct method {
    jmethodID key;
    uint32_t id;
    jint line_count;
    jvmtiLineNumberEntry *lines;
};

struct entry {
    /* Written last; 0 if the entry is free. */
    _Atomic uint64_t key;
    uint32_t id;
};

static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;
static struct entry *chains;
static struct entry *threads;
static struct entry *classes;
static struct method *methods;
static uint32_t chain_count;
/* Read without the lock, too. */
static _Atomic uint32_t thread_count;
static uint32_t class_count;
static uint32_t method_count;
static struct lock *_Atomic chunks[LOCKS / LOCKS_IN_CHUNK];
static _Atomic uint32_t locks;
/* Their numbers come after those of monitors: nothing is kept for them, so they may be many. */
static uint32_t last_blocker;

static jfieldID thread_id;
static jfieldID thread_name;

bool chains_open(JNIEnv *env, char *reason, size_t size) {
    jclass type = (*env)->FindClass(env, "java/lang/Thread");
    if (type != NULL) {
        thread_id = (*env)->GetFieldID(env, type, "tid", "J");
    }
    if (type != NULL && thread_id != NULL) {
        thread_name = (*env)->GetFieldID(env, type, "name", "Ljava/lang/String;");
    }
    if ((*env)->ExceptionCheck(env)) {
        (*env)->ExceptionClear(env);
        strncpy(reason, "this JVM's threads have no fields tid and name", size);
        return false;
    }
    chains = calloc(TABLE, sizeof(struct entry));
    threads = calloc(TABLE, sizeof(struct entry));
    classes = calloc(TABLE, sizeof(struct entry));
    methods = calloc(TABLE, sizeof(struct method));
    chain_count = class_count = method_count = 0;
    thread_count = 0;
    last_blocker = LOCKS;
    if (chains == NULL || threads == NULL || classes == NULL || methods == NULL) {
        chains_close();
        strncpy(reason, "not enough memory for the tables of call chains", size);
        return false;
    }
    return true;
}

void chains_close(void) {
    for (uint32_t i = 0; methods != NULL && i < TABLE; i++) {
        (*jvmti)->Deallocate(jvmti, (unsigned char *) methods[i].lines);
    }
    for (uint32_t id = 1; id <= locks; id++) {
        struct lock *lock = lock_with(id);
        if (lock != NULL) {
            free(lock->recent);
        }
    }
    for (uint32_t i = 0; i < LOCKS / LOCKS_IN_CHUNK; i++) {
        free(chunks[i]);
        chunks[i] = NULL;
    }
    locks = 0;
    free(chains);
    free(threads);
    free(classes);
    free(methods);
    chains = threads = classes = NULL;
    methods = NULL;
}

static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL;
    return hash ^ (hash >> 29);
}

/* The entry of that key, or the free one where it belongs. Tables are never full. */
static struct entry *find(struct entry *table, uint64_t key) {
    for (uint64_t i = mix(0, key);; i++) {
        struct entry *entry = &table[i % TABLE];
        uint64_t found = atomic_load_explicit(&entry->key, memory_order_acquire);
        if (found == key || found == 0) {
            return entry;
        }
    }
}

static bool known(struct entry *entry) {
    return atomic_load_explicit(&entry->key, memory_order_acquire) != 0;
}

static void add(struct entry *entry, uint64_t key, uint32_t id) {
    entry->id = id;
    atomic_store_explicit(&entry->key, key, memory_order_release);
}

static size_t length(const char *text) {
    return strnlen(text, TEXT_MAX);
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

/* Under the lock; 0 if it cannot be described. */
static uint32_t class_id(jclass type) {
    char *signature = NULL;
    if ((*jvmti)->GetClassSignature(jvmti, type, &signature, NULL) != JVMTI_ERROR_NONE) {
        return 0;
    }
    uint64_t key = 1;
    for (char *at = signature; *at != 0; at++) {
        key = mix(key, (unsigned char) *at);
    }
    key |= 1;
    struct entry *entry = find(classes, key);
    uint32_t id = entry->id;
    if (!known(entry) && class_count < CLASSES) {
        char *name = readable(signature);
        if (metadata_begin(CLASS, 20 + length(name))) {
            id = ++class_count;
            metadata_put(id);
            metadata_text(name);
            metadata_end();
            add(entry, key, id);
        }
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *) signature);
    return id;
}

/* Under the lock. */
static bool describe_method(JNIEnv *env, jmethodID key, uint32_t id) {
    char *name = NULL;
    char *descriptor = NULL;
    jclass type = NULL;
    bool described = false;
    if ((*jvmti)->GetMethodName(jvmti, key, &name, &descriptor, NULL) == JVMTI_ERROR_NONE
            && (*jvmti)->GetMethodDeclaringClass(jvmti, key, &type) == JVMTI_ERROR_NONE) {
        uint32_t owner = class_id(type);
        if (owner != 0 && metadata_begin(METHOD, 30 + length(name) + length(descriptor))) {
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

/* Under the lock; NULL if it cannot be described. */
static struct method *method_of(JNIEnv *env, jmethodID key) {
    uint64_t i = mix(0, (uintptr_t) key) % TABLE;
    while (methods[i].key != NULL && methods[i].key != key) {
        i = (i + 1) % TABLE;
    }
    struct method *method = &methods[i];
    if (method->key == NULL) {
        if (method_count == METHODS || !describe_method(env, key, method_count + 1)) {
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

/* Line + 1; 0 if unknown. The table need not be sorted. */
static uint64_t line_of(struct method *method, jlocation location) {
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

/* Under the lock; false if there is no room for it. */
static bool describe_chain(
        JNIEnv *env, uint32_t id, jvmtiFrameInfo *frames, jint count, bool cut_off) {
    uint64_t described[FRAMES][2];
    for (jint i = 0; i < count; i++) {
        struct method *method = method_of(env, frames[i].method);
        if (method == NULL) {
            return false;
        }
        described[i][0] = method->id;
        described[i][1] = line_of(method, frames[i].location);
    }
    if (!metadata_begin(CHAIN, 20 + (size_t) count * 10)) {
        return false;
    }
    metadata_put(id);
    metadata_put((uint64_t) count);
    for (jint i = 0; i < count; i++) {
        metadata_put(described[i][0]);
        metadata_put(described[i][1]);
    }
    metadata_put(cut_off);
    metadata_end();
    return true;
}

static uint32_t chain_id(JNIEnv *env, jvmtiFrameInfo *frames, jint count) {
    bool cut_off = count > FRAMES;
    count = cut_off ? FRAMES : count;
    uint64_t key = 1;
    for (jint i = 0; i < count; i++) {
        key = mix(mix(key, (uintptr_t) frames[i].method), (uint64_t) frames[i].location);
    }
    key |= 1;
    struct entry *entry = find(chains, key);
    if (!known(entry)) {
        pthread_mutex_lock(&adding);
        entry = find(chains, key);
        if (!known(entry)) {
            if (chain_count < CHAINS
                    && describe_chain(env, chain_count + 1, frames, count, cut_off)) {
                add(entry, key, ++chain_count);
            } else {
                trace_count_dropped();
                entry = NULL;
            }
        }
        pthread_mutex_unlock(&adding);
    }
    return entry == NULL ? 0 : entry->id;
}

static uint32_t take_chain(JNIEnv *env, jthread thread, int skip) {
    jvmtiFrameInfo frames[FRAMES + 1];
    jint count = 0;
    if ((*jvmti)->GetStackTrace(jvmti, thread, skip, FRAMES + 1, frames, &count)
                    != JVMTI_ERROR_NONE
            || count == 0) {
        return 0;
    }
    return chain_id(env, frames, count);
}

uint32_t chain_here(JNIEnv *env, int skip) {
    /* By NULL: by its name the JVM would first stop virtual threads from changing carriers. */
    return take_chain(env, NULL, skip);
}

uint32_t chain_of(JNIEnv *env, jthread thread) {
    return take_chain(env, thread, 0);
}

/* Under the lock. */
static void describe_thread(JNIEnv *env, jthread thread, uint64_t id) {
    /* By its field: whoever asks the JVM from within a virtual thread's scheduling may hang. */
    jstring name = (*env)->GetObjectField(env, thread, thread_name);
    const char *text = name == NULL ? NULL : (*env)->GetStringUTFChars(env, name, NULL);
    bool virtual = (*env)->GetVersion(env) >= JNI_VERSION_21 && (*env)->IsVirtualThread(env, thread);
    if (metadata_begin(THREAD, 30 + length(text == NULL ? "" : text))) {
        thread_count++;
        metadata_put(id);
        metadata_text(text == NULL ? "" : text);
        metadata_put(virtual);
        metadata_end();
        add(find(threads, id), id, 1);
    }
    if (text != NULL) {
        (*env)->ReleaseStringUTFChars(env, name, text);
    }
    (*env)->DeleteLocalRef(env, name);
}

uint64_t thread_of(JNIEnv *env, jthread thread) {
    uint64_t id = (uint64_t) (*env)->GetLongField(env, thread, thread_id);
    if (!known(find(threads, id)) && thread_count < THREADS) {
        pthread_mutex_lock(&adding);
        if (!known(find(threads, id))) {
            describe_thread(env, thread, id);
        }
        pthread_mutex_unlock(&adding);
    }
    return id;
}

struct lock *lock_with(uint32_t id) {
    struct lock *chunk =
            atomic_load_explicit(&chunks[(id - 1) / LOCKS_IN_CHUNK], memory_order_acquire);
    return chunk == NULL ? NULL : &chunk[(id - 1) % LOCKS_IN_CHUNK];
}

uint32_t lock_count(void) {
    return atomic_load(&locks);
}

/* Under the lock; false if it cannot be described. */
static bool describe_lock(JNIEnv *env, jobject object, uint32_t id, uint32_t *class_bucket) {
    jint hash = 0;
    jint class_hash = 0;
    jclass type = (*env)->GetObjectClass(env, object);
    uint32_t class = class_id(type);
    (*jvmti)->GetObjectHashCode(jvmti, type, &class_hash);
    (*jvmti)->GetObjectHashCode(jvmti, object, &hash);
    (*env)->DeleteLocalRef(env, type);
    if (class == 0 || !metadata_begin(LOCK, 30)) {
        trace_count_dropped();
        return false;
    }
    metadata_put(id);
    metadata_put(class);
    metadata_put((uint32_t) hash);
    metadata_end();
    *class_bucket = (uint32_t) class_hash % CLASS_BUCKETS;
    return true;
}

/* Under the lock; NULL if there are too many. */
static struct lock *new_lock(JNIEnv *env, jobject object) {
    uint32_t id = atomic_load(&locks) + 1;
    if (id > LOCKS) {
        trace_count_unfollowed();
        return NULL;
    }
    if (lock_with(id) == NULL) {
        struct lock *chunk = calloc(LOCKS_IN_CHUNK, sizeof(struct lock));
        atomic_store_explicit(&chunks[(id - 1) / LOCKS_IN_CHUNK], chunk, memory_order_release);
    }
    struct lock *lock = lock_with(id);
    if (lock == NULL || !describe_lock(env, object, id, &lock->class_bucket)) {
        return NULL;
    }
    lock->id = id;
    lock->slot = -1;
    atomic_store(&locks, id);
    return lock;
}

static bool is_monitor(jlong tag) {
    return tag > 0 && tag <= LOCKS;
}

struct lock *lock_of(JNIEnv *env, jobject object) {
    jlong tag = 0;
    (*jvmti)->GetTag(jvmti, object, &tag);
    if (is_monitor(tag)) {
        return lock_with((uint32_t) tag);
    }
    pthread_mutex_lock(&adding);
    (*jvmti)->GetTag(jvmti, object, &tag);
    struct lock *lock = is_monitor(tag) ? lock_with((uint32_t) tag) : new_lock(env, object);
    if (lock != NULL) {
        (*jvmti)->SetTag(jvmti, object, lock->id);
    }
    pthread_mutex_unlock(&adding);
    return lock;
}

uint32_t blocker_of(JNIEnv *env, jobject object) {
    jlong tag = 0;
    (*jvmti)->GetTag(jvmti, object, &tag);
    if (tag == 0) {
        pthread_mutex_lock(&adding);
        (*jvmti)->GetTag(jvmti, object, &tag);
        uint32_t unused;
        if (tag == 0 && describe_lock(env, object, last_blocker + 1, &unused)) {
            tag = ++last_blocker;
            (*jvmti)->SetTag(jvmti, object, tag);
        }
        pthread_mutex_unlock(&adding);
    }
    return (uint32_t) tag;
}
