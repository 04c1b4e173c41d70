/*
 * Locks, by the tags the JVM keeps for their objects: monitors, and what threads park for.
 */
#include "tracer.h"

#include "tables.h"

#include <stdlib.h>

#define LOCKS (1024 * 1024)
#define LOCKS_IN_CHUNK 4096
#define CLASS_BUCKETS 256

static struct lock *_Atomic chunks[LOCKS / LOCKS_IN_CHUNK];
static _Atomic uint32_t locks;
/* Their numbers come after those of monitors: nothing is kept for them, so they may be many. */
static uint32_t last_blocker;

void locks_open(void) {
    last_blocker = LOCKS;
}

void locks_close(void) {
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
}

struct lock *lock_with(uint32_t id) {
    struct lock *chunk =
            atomic_load_explicit(&chunks[(id - 1) / LOCKS_IN_CHUNK], memory_order_acquire);
    return chunk == NULL ? NULL : &chunk[(id - 1) % LOCKS_IN_CHUNK];
}

uint32_t lock_count(void) {
    return atomic_load(&locks);
}

/* Under the lock of descriptions; false if it cannot be described. */
static bool describe(JNIEnv *env, jobject object, uint32_t id, uint32_t *class_bucket) {
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
    if (lock == NULL || !describe(env, object, id, &lock->class_bucket)) {
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
    pthread_mutex_lock(&describing);
    (*jvmti)->GetTag(jvmti, object, &tag);
    struct lock *lock = is_monitor(tag) ? lock_with((uint32_t) tag) : new_lock(env, object);
    if (lock != NULL) {
        (*jvmti)->SetTag(jvmti, object, lock->id);
    }
    pthread_mutex_unlock(&describing);
    return lock;
}

uint32_t blocker_of(JNIEnv *env, jobject object) {
    jlong tag = 0;
    (*jvmti)->GetTag(jvmti, object, &tag);
    if (tag == 0) {
        pthread_mutex_lock(&describing);
        (*jvmti)->GetTag(jvmti, object, &tag);
        uint32_t unused;
        if (tag == 0 && describe(env, object, last_blocker + 1, &unused)) {
            tag = ++last_blocker;
            (*jvmti)->SetTag(jvmti, object, tag);
        }
        pthread_mutex_unlock(&describing);
    }
    return (uint32_t) tag;
}
