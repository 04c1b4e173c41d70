/*
 * Locks, by the tags the JVM keeps for their objects: monitors, and what threads park for.
 *
 * The tracer remembers so many monitors, and then forgets the oldest that nobody uses whenever a new
 * one needs its place. Nobody has to look for the object: its tag tells the lock's place and number,
 * and when there is another number in that place, the lock is a new one. Whoever uses a lock is
 * counted in it, from finding it until it is given back, so it is not forgotten under his hands.
 */
#include "tracer.h"

#include "tables.h"

#include <stdlib.h>
#include <string.h>

/* With what belongs to it a lock takes some 350 bytes, so all of them less than 12 MB. */
#define LOCKS (32 * 1024)
#define LOCKS_IN_CHUNK 4096

/* Tags: the number and, for monitors, its place + 1. */
#define PLACE_BITS 16

_Static_assert(LOCKS < 1 << PLACE_BITS, "places fit into tags");

/* In the place of how many use it. */
#define BEING_FORGOTTEN (-1)
/* So many that are in use are passed over when there is no free place. */
#define LOOKS 64

static struct lock *chunks[LOCKS / LOCKS_IN_CHUNK];
static _Atomic uint32_t places;
static uint32_t oldest;
/* Monitors and what threads park for are numbered together; nothing is kept for the latter. */
static uint64_t last_id;

void locks_open(void) {
    last_id = 0;
    oldest = 0;
}

void locks_close(void) {
    for (uint32_t i = 0; i < lock_count(); i++) {
        free(lock_at(i)->recent);
    }
    for (uint32_t i = 0; i < LOCKS / LOCKS_IN_CHUNK; i++) {
        free(chunks[i]);
        chunks[i] = NULL;
    }
    atomic_store(&places, 0);
}

uint32_t lock_count(void) {
    return atomic_load(&places);
}

struct lock *lock_at(uint32_t place) {
    return &chunks[place / LOCKS_IN_CHUNK][place % LOCKS_IN_CHUNK];
}

bool lock_use(struct lock *lock, uint64_t id) {
    int32_t users = atomic_load(&lock->users);
    do {
        if (users == BEING_FORGOTTEN) {
            return false;
        }
    } while (!atomic_compare_exchange_weak(&lock->users, &users, users + 1));
    if (atomic_load(&lock->id) != id) {
        lock_put(lock);
        return false;
    }
    return true;
}

void lock_put(struct lock *lock) {
    atomic_fetch_sub(&lock->users, 1);
}

struct lock *lock_find(jobject object) {
    jlong tag = 0;
    (*jvmti)->GetTag(jvmti, object, &tag);
    uint32_t place = (uint32_t) tag & ((1U << PLACE_BITS) - 1);
    if (place == 0) {
        return NULL;
    }
    struct lock *lock = lock_at(place - 1);
    return lock_use(lock, (uint64_t) tag >> PLACE_BITS) ? lock : NULL;
}

/* Under the lock of descriptions; false if there is no room for it. */
static bool describe(JNIEnv *env, jobject object, uint64_t id, jint *hash, jint *class_hash) {
    jclass type = (*env)->GetObjectClass(env, object);
    uint32_t class = class_id(type);
    (*jvmti)->GetObjectHashCode(jvmti, type, class_hash);
    (*jvmti)->GetObjectHashCode(jvmti, object, hash);
    (*env)->DeleteLocalRef(env, type);
    if (class == 0 || !metadata_begin(LOCK, 30)) {
        trace_count_dropped();
        return false;
    }
    metadata_put(id);
    metadata_put(class);
    metadata_put((uint32_t) *hash);
    metadata_end();
    return true;
}

/* A place that was never used, or -1. */
static int32_t new_place(void) {
    uint32_t place = lock_count();
    if (place == LOCKS) {
        return -1;
    }
    struct lock **chunk = &chunks[place / LOCKS_IN_CHUNK];
    if (*chunk == NULL) {
        *chunk = calloc(LOCKS_IN_CHUNK, sizeof(struct lock));
    }
    if (*chunk == NULL) {
        return -1;
    }
    /* Not used, as long as it is being forgotten. */
    atomic_store(&lock_at(place)->users, BEING_FORGOTTEN);
    atomic_store(&places, place + 1);
    return (int32_t) place;
}

/* The place of the oldest lock that nobody uses, which is forgotten; or -1. */
static int32_t used_place(void) {
    for (int i = 0; i < LOOKS && lock_count() > 0; i++) {
        uint32_t place = oldest;
        oldest = (oldest + 1) % lock_count();
        struct lock *lock = lock_at(place);
        int32_t nobody = 0;
        if (atomic_compare_exchange_strong(&lock->users, &nobody, BEING_FORGOTTEN)) {
            lock_settle(lock);
            trace_count_forgotten();
            return (int32_t) place;
        }
    }
    return -1;
}

/* Under the lock of descriptions; NULL if all are in use. */
static struct lock *new_lock(JNIEnv *env, jobject object) {
    int32_t place = new_place();
    place = place < 0 ? used_place() : place;
    if (place < 0) {
        trace_count_unfollowed();
        return NULL;
    }
    struct lock *lock = lock_at((uint32_t) place);
    struct recent *recent = lock->recent;
    uint64_t id = 0;
    jint hash = 0;
    jint class_hash = 0;
    if (describe(env, object, last_id + 1, &hash, &class_hash)) {
        id = ++last_id;
        jlong tag = (jlong) (id << PLACE_BITS) | (place + 1);
        (*jvmti)->SetTag(jvmti, object, tag);
    }
    if (recent != NULL) {
        memset(recent, 0, RECENT * sizeof(struct recent));
    }
    memset(lock, 0, offsetof(struct lock, users));
    lock->id = id;
    lock->hash = (uint32_t) hash;
    lock->class_bucket = (uint32_t) class_hash % CLASS_BUCKETS;
    lock->slot = -1;
    lock->recent = recent;
    /* Last: from now on others use it. One that could not be described is nobody's. */
    atomic_store(&lock->users, id == 0 ? 0 : 1);
    return id == 0 ? NULL : lock;
}

/* Under the lock of descriptions. */
static void meet_class(JNIEnv *env, struct lock *lock, jobject object) {
    jclass type = (*env)->GetObjectClass(env, object);
    atomic_store(&lock->met, class_meet_lock(env, type));
    (*env)->DeleteLocalRef(env, type);
}

struct lock *lock_get(JNIEnv *env, jobject object) {
    struct lock *lock = lock_find(object);
    if (lock == NULL && trace_is_full()) {
        trace_count_dropped();
    } else if (lock == NULL || !atomic_load_explicit(&lock->met, memory_order_relaxed)) {
        describing_begin();
        lock = lock == NULL ? lock_find(object) : lock;
        lock = lock == NULL ? new_lock(env, object) : lock;
        if (lock != NULL) {
            meet_class(env, lock, object);
        }
        describing_end();
    }
    return lock;
}

uint64_t blocker_of(JNIEnv *env, jobject object) {
    jlong tag = 0;
    (*jvmti)->GetTag(jvmti, object, &tag);
    if (tag == 0 && trace_is_full()) {
        trace_count_dropped();
    } else if (tag == 0) {
        jint unused;
        describing_begin();
        (*jvmti)->GetTag(jvmti, object, &tag);
        if (tag == 0 && describe(env, object, last_id + 1, &unused, &unused)) {
            tag = (jlong) (++last_id << PLACE_BITS);
            (*jvmti)->SetTag(jvmti, object, tag);
        }
        describing_end();
    }
    return (uint64_t) tag >> PLACE_BITS;
}
