/*
 * Slots: the contended locks, where the owners' hooks find them. And the clock by which the hooks
 * know that an exit follows another in the same moment.
 */
#define _GNU_SOURCE
#include "tracer.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
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

/* It goes on for so many ticks when nobody left any more: mostly somebody soon does. */
#define IDLE_TICKS 1

/* Its CPU time is counted once in so many ticks, and when it stops. */
#define COUNTED_TICKS 256

/* How it is called among the threads of the process. */
#define TICKER_NAME "Heatline ticks"

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
static atomic_bool ticking;
static atomic_bool ticker_waits;
static _Atomic uint32_t *ticks;
/* Whether an exit was told since the last tick. */
static atomic_bool told;

static jobject static_field(JNIEnv *env, jclass type, const char *name, const char *signature) {
    jfieldID field = (*env)->GetStaticFieldID(env, type, name, signature);
    return (*env)->NewGlobalRef(env, (*env)->GetStaticObjectField(env, type, field));
}

/*
 * Only who told an exit looks at the clock again, to see whether this is still the same moment. So
 * it need not go on when nobody has told one since it last did.
 */
static void await_exit(void) {
    pthread_mutex_lock(&slotting);
    /* Before looking at what was told: who tells does these in the other order. */
    atomic_store(&ticker_waits, true);
    while (atomic_load(&ticking) && !atomic_load(&told)) {
        pthread_cond_wait(&changed, &slotting);
    }
    atomic_store(&ticker_waits, false);
    atomic_store(&told, false);
    pthread_mutex_unlock(&slotting);
}

static uint64_t count_spent(uint64_t counted) {
    uint64_t cpu = cpu_now();
    trace_spent(cpu - counted);
    return cpu;
}

static void *tick(void *unused) {
    (void) unused;
    pthread_setname_np(pthread_self(), TICKER_NAME);
    uint64_t counted = 0;
    int idle = 0;
    for (uint32_t i = 1; atomic_load(&ticking); i++) {
        idle = atomic_exchange(&told, false) ? 0 : idle + 1;
        if (idle > IDLE_TICKS) {
            counted = count_spent(counted);
            await_exit();
            idle = 0;
        } else {
            struct timespec pause = {0, TICK_NANOS};
            nanosleep(&pause, NULL);
        }
        /* At once, too: on a busy machine nobody knows when this thread runs the next time. */
        atomic_fetch_add_explicit(ticks, 1, memory_order_relaxed);
        if (i % COUNTED_TICKS == 0) {
            counted = count_spent(counted);
        }
    }
    count_spent(counted);
    return NULL;
}

void slot_told(void) {
    if (atomic_load(&told)) {
        return;
    }
    atomic_store(&told, true);
    if (atomic_load(&ticker_waits)) {
        pthread_mutex_lock(&slotting);
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&slotting);
    }
}

/* Returns the number of an error, or 0. */
static int start_ticker(void) {
    /* Signals are for the threads of the JVM and the application. */
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    atomic_store(&ticking, true);
    int error = pthread_create(&ticker, NULL, tick, NULL);
    if (error != 0) {
        atomic_store(&ticking, false);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

static void stop_ticker(void) {
    if (!atomic_load(&ticking)) {
        return;
    }
    pthread_mutex_lock(&slotting);
    atomic_store(&ticking, false);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&slotting);
    pthread_join(ticker, NULL);
}

/* Both look for locks in the same places. */
static bool agrees(JNIEnv *env, jclass type, const char *name, jint value) {
    jfieldID field = (*env)->GetStaticFieldID(env, type, name, "I");
    return field != NULL && (*env)->GetStaticIntField(env, type, field) == value;
}

bool slots_open(JNIEnv *env, jclass type, char *reason, size_t size) {
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
    atomic_store(&told, false);
    if (!agrees(env, type, "FEW", FEW) || !agrees(env, type, "PLACES", PLACES)
            || !agrees(env, type, "WINDOW", WINDOW)
            || !agrees(env, type, "CLASS_BUCKETS", CLASS_BUCKETS)) {
        (*env)->ExceptionClear(env);
        snprintf(reason, size, "the agent's hooks and its library do not fit together");
        return false;
    }
    int error = start_ticker();
    if (error != 0) {
        snprintf(reason, size, "no thread can be started: %s", strerror(error));
    }
    return error == 0;
}

static void set_limit(JNIEnv *env, int32_t value) {
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
    uint64_t whole = lock == NULL ? 0 : atomic_load(&lock->id);
    return lock != NULL && (jint) whole == id && lock_use(lock, whole) ? lock : NULL;
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
