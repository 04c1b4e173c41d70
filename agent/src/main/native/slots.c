/*
 * Slots: the contended locks, where the owners' hooks find them. And the clock by which the hooks
 * know that an exit follows another in the same moment.
 */
#include "tracer.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

/*
 * The first few slots are for any lock: hooks look through them. A lock that finds them taken gets
 * one in a short window behind the place its identity hash code points to, where hooks find it at
 * once. The numbers are those of LockHooks.
 */
#define FEW 8
#define PLACES 4096
#define WINDOW 8
#define SLOTS (FEW + PLACES + WINDOW)

/* It goes on for so many ticks when no lock is contended any more: mostly one soon is. */
#define IDLE_TICKS 8

static jclass hooks;
static jfieldID blocked;
static jobjectArray contended;
static jintArray ids;
static jintArray class_counts;
static jobjectArray owners;
static jobjectArray inside;
static jintArray again;

static pthread_mutex_t slotting = PTHREAD_MUTEX_INITIALIZER;
static struct lock *_Atomic holders[SLOTS];
/* As LockHooks sees it: how many of the first slots to look through, FEW + 1 if also in others. */
static int32_t limit;
/* How many are not in the first slots. */
static int32_t hashed;
static jint counts[CLASS_BUCKETS];

static pthread_t ticker;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool ticking;
static bool ticker_waits;
static _Atomic uint32_t *ticks;

static jobject static_field(JNIEnv *env, jclass type, const char *name, const char *signature) {
    jfieldID field = (*env)->GetStaticFieldID(env, type, name, signature);
    return (*env)->NewGlobalRef(env, (*env)->GetStaticObjectField(env, type, field));
}

static void *tick(void *unused) {
    (void) unused;
    int idle = 0;
    pthread_mutex_lock(&slotting);
    while (ticking) {
        idle = limit == 0 ? idle + 1 : 0;
        if (idle > IDLE_TICKS) {
            ticker_waits = true;
            pthread_cond_wait(&changed, &slotting);
            ticker_waits = false;
        } else {
            pthread_mutex_unlock(&slotting);
            struct timespec pause = {0, TICK_NANOS};
            nanosleep(&pause, NULL);
            pthread_mutex_lock(&slotting);
        }
        atomic_fetch_add_explicit(ticks, 1, memory_order_relaxed);
    }
    pthread_mutex_unlock(&slotting);
    return NULL;
}

static bool start_ticker(void) {
    /* Signals are for the threads of the JVM and the application. */
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    ticking = true;
    ticking = pthread_create(&ticker, NULL, tick, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ticking;
}

static void stop_ticker(void) {
    if (!ticking) {
        return;
    }
    pthread_mutex_lock(&slotting);
    ticking = false;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&slotting);
    pthread_join(ticker, NULL);
}

bool slots_open(JNIEnv *env, jclass type) {
    hooks = (*env)->NewGlobalRef(env, type);
    blocked = (*env)->GetStaticFieldID(env, type, "blocked", "I");
    contended = static_field(env, type, "contended", "[Ljava/lang/Object;");
    ids = static_field(env, type, "ids", "[I");
    class_counts = static_field(env, type, "classes", "[I");
    owners = static_field(env, type, "owners", "[Ljava/lang/Thread;");
    inside = static_field(env, type, "inside", "[Ljava/lang/Thread;");
    again = static_field(env, type, "again", "[I");
    jobject clock = static_field(env, type, "clock", "Ljava/nio/ByteBuffer;");
    /* The buffer is the class's, which stays for ever. */
    ticks = (*env)->GetDirectBufferAddress(env, clock);
    (*env)->DeleteGlobalRef(env, clock);
    return start_ticker();
}

static void set_limit(JNIEnv *env, int32_t value) {
    if (limit == 0 && ticker_waits) {
        pthread_cond_signal(&changed);
    }
    limit = value;
    (*env)->SetStaticIntField(env, hooks, blocked, value);
}

static void count_class(JNIEnv *env, uint32_t bucket, jint change) {
    counts[bucket] += change;
    (*env)->SetIntArrayRegion(env, class_counts, (jsize) bucket, 1, &counts[bucket]);
}

static int32_t free_slot(int32_t from, int32_t count) {
    for (int32_t slot = from; slot < from + count; slot++) {
        if (atomic_load(&holders[slot]) == NULL) {
            return slot;
        }
    }
    return -1;
}

static void update_limit(JNIEnv *env) {
    int32_t highest = FEW;
    while (highest > 0 && atomic_load(&holders[highest - 1]) == NULL) {
        highest--;
    }
    int32_t value = hashed > 0 ? FEW + 1 : highest;
    if (value != limit) {
        set_limit(env, value);
    }
}

static void take_slot(JNIEnv *env, struct lock *lock, jobject object) {
    int32_t slot = free_slot(0, FEW);
    if (slot < 0) {
        slot = free_slot(FEW + (int32_t) (lock->hash % PLACES), WINDOW);
    }
    if (slot < 0) {
        trace_count_unfollowed();
        return;
    }
    atomic_store(&holders[slot], lock);
    lock->slot = slot;
    jint id = (jint) lock->id;
    (*env)->SetIntArrayRegion(env, ids, slot, 1, &id);
    (*env)->SetObjectArrayElement(env, contended, slot, object);
    if (slot >= FEW) {
        hashed++;
        count_class(env, lock->class_bucket, 1);
    }
    update_limit(env);
}

static void give_slot(JNIEnv *env, struct lock *lock) {
    int32_t slot = lock->slot;
    if (slot < 0) {
        return;
    }
    lock->slot = -1;
    (*env)->SetObjectArrayElement(env, contended, slot, NULL);
    (*env)->SetObjectArrayElement(env, inside, slot, NULL);
    (*env)->SetObjectArrayElement(env, owners, slot, NULL);
    atomic_store(&holders[slot], NULL);
    if (slot >= FEW) {
        hashed--;
        count_class(env, lock->class_bucket, -1);
    }
    update_limit(env);
}

void lock_block(JNIEnv *env, struct lock *lock, jobject object, uint64_t time) {
    int32_t waiters = atomic_load(&lock->waiters);
    while (waiters > 0) {
        if (atomic_compare_exchange_weak(&lock->waiters, &waiters, waiters + 1)) {
            return;
        }
    }
    pthread_mutex_lock(&slotting);
    if (atomic_fetch_add(&lock->waiters, 1) == 0) {
        atomic_store(&lock->blocked_since, time);
        take_slot(env, lock, object);
    }
    pthread_mutex_unlock(&slotting);
}

void lock_unblock(JNIEnv *env, struct lock *lock) {
    int32_t waiters = atomic_load(&lock->waiters);
    while (waiters > 1) {
        if (atomic_compare_exchange_weak(&lock->waiters, &waiters, waiters - 1)) {
            return;
        }
    }
    pthread_mutex_lock(&slotting);
    if (atomic_fetch_sub(&lock->waiters, 1) == 1) {
        give_slot(env, lock);
    }
    pthread_mutex_unlock(&slotting);
}

struct lock *slot_lock(jint slot, jint id) {
    struct lock *lock = slot < 0 || slot >= SLOTS ? NULL : atomic_load(&holders[slot]);
    return lock != NULL && (jint) lock->id == id ? lock : NULL;
}

int32_t slot_left_again(JNIEnv *env, struct lock *lock) {
    jint left = 0;
    int32_t slot = lock->slot;
    if (slot >= 0) {
        (*env)->GetIntArrayRegion(env, again, slot, 1, &left);
        (*env)->SetObjectArrayElement(env, owners, slot, NULL);
    }
    if (left > 0) {
        jint none = 0;
        (*env)->SetIntArrayRegion(env, again, slot, 1, &none);
    }
    return left;
}

void slots_close(JNIEnv *env) {
    stop_ticker();
    set_limit(env, 0);
    for (int32_t i = 0; i < SLOTS; i++) {
        (*env)->SetObjectArrayElement(env, contended, i, NULL);
        (*env)->SetObjectArrayElement(env, owners, i, NULL);
        (*env)->SetObjectArrayElement(env, inside, i, NULL);
        atomic_store(&holders[i], NULL);
    }
    hashed = 0;
    for (int32_t i = 0; i < CLASS_BUCKETS; i++) {
        counts[i] = 0;
    }
    (*env)->SetIntArrayRegion(env, class_counts, 0, CLASS_BUCKETS, counts);
    (*env)->DeleteGlobalRef(env, hooks);
    (*env)->DeleteGlobalRef(env, contended);
    (*env)->DeleteGlobalRef(env, ids);
    (*env)->DeleteGlobalRef(env, class_counts);
    (*env)->DeleteGlobalRef(env, owners);
    (*env)->DeleteGlobalRef(env, inside);
    (*env)->DeleteGlobalRef(env, again);
}
