/*
 * Contended monitors: the JVM tells who blocks, injected code tells who leaves.
 *
 * The part of a lock that describes its last exit is guarded by the Java monitor itself: whoever
 * leaves it, has just entered it or is about to wait on it is its owner. Whoever blocks is not.
 */
#include "tracer.h"

#include <pthread.h>
#include <stdlib.h>

#define SLOTS 1024
#define CLASS_BUCKETS 256

/* Exits of one owner at one place that follow one another this closely are told by their last. */
#define EPISODE_NANOS 500000ULL
/* At different places, only if the owner had it no longer than this. */
#define TINY_NANOS 20000ULL
/* For short pieces of time a chain of the same owner and place is good enough for so long. */
#define RECENT_NANOS 10000000ULL
/* Who blocks longer than this, and nobody was seen leaving, was blocked by an unseen owner. */
#define BLIND_NANOS 5000000ULL
/* Asking the JVM for an owner stops all threads for a moment. */
#define LOOK_NANOS 100000000ULL

/* Innermost frames of the hooks, which are not the application's. */
#define HOOK_FRAMES 3

/* In the place of a site: the injected code gives numbers from 1. */
#define WAIT_SITE 0

static jclass hooks;
static jfieldID blocked;
static jobjectArray contended;
static jintArray ids;
static jintArray class_counts;

static pthread_mutex_t slotting = PTHREAD_MUTEX_INITIALIZER;
static bool taken[SLOTS];
static int32_t limit;
static jint counts[CLASS_BUCKETS];

static _Atomic uint64_t next_look;

static jobject static_field(JNIEnv *env, jclass type, const char *name, const char *signature) {
    jfieldID field = (*env)->GetStaticFieldID(env, type, name, signature);
    return (*env)->NewGlobalRef(env, (*env)->GetStaticObjectField(env, type, field));
}

void monitors_open(JNIEnv *env, jclass type) {
    hooks = (*env)->NewGlobalRef(env, type);
    blocked = (*env)->GetStaticFieldID(env, type, "blocked", "I");
    contended = static_field(env, type, "contended", "[Ljava/lang/Object;");
    ids = static_field(env, type, "ids", "[I");
    class_counts = static_field(env, type, "classes", "[I");
    atomic_store(&next_look, 0);
}

static void set_limit(JNIEnv *env, int32_t value) {
    limit = value;
    (*env)->SetStaticIntField(env, hooks, blocked, value);
}

static void count_class(JNIEnv *env, uint32_t bucket, jint change) {
    counts[bucket] += change;
    (*env)->SetIntArrayRegion(env, class_counts, (jsize) bucket, 1, &counts[bucket]);
}

static void take_slot(JNIEnv *env, struct lock *lock, jobject object) {
    int32_t slot = 0;
    while (slot < SLOTS && taken[slot]) {
        slot++;
    }
    if (slot == SLOTS) {
        trace_count_unfollowed();
        return;
    }
    taken[slot] = true;
    lock->slot = slot;
    jint id = (jint) lock->id;
    (*env)->SetIntArrayRegion(env, ids, slot, 1, &id);
    (*env)->SetObjectArrayElement(env, contended, slot, object);
    count_class(env, lock->class_bucket, 1);
    if (slot >= limit) {
        set_limit(env, slot + 1);
    }
}

static void give_slot(JNIEnv *env, struct lock *lock) {
    int32_t slot = lock->slot;
    if (slot < 0) {
        return;
    }
    lock->slot = -1;
    (*env)->SetObjectArrayElement(env, contended, slot, NULL);
    count_class(env, lock->class_bucket, -1);
    taken[slot] = false;
    int32_t highest = limit;
    while (highest > 0 && !taken[highest - 1]) {
        highest--;
    }
    if (highest != limit) {
        set_limit(env, highest);
    }
}

/* One thread more is blocked on the lock. */
static void block(JNIEnv *env, struct lock *lock, jobject object, uint64_t time) {
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

static void unblock(JNIEnv *env, struct lock *lock) {
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

#define NOTHING UINT64_MAX

static void tell(
        enum event_type type, uint64_t time, uint64_t thread, struct lock *lock, uint64_t last) {
    struct lane *lane = trace_begin(type, time, thread);
    if (lane != NULL) {
        trace_put(lane, lock->id);
        /* Only now, so that an event for which there is no room leaves no gap. */
        trace_put(lane, atomic_fetch_add(&lock->sequence, 1) + 1);
        if (last != NOTHING) {
            trace_put(lane, last);
        }
        trace_end(lane);
    }
}

/* Tells the exit that was held back. */
static void flush(struct lock *lock) {
    if (lock->pending) {
        lock->pending = false;
        tell(EXIT, lock->exit_time, lock->exit_owner, lock, lock->exit_chain);
    }
}

void monitors_close(JNIEnv *env) {
    for (uint32_t id = 1; id <= lock_count(); id++) {
        flush(lock_with(id));
    }
    set_limit(env, 0);
    for (int32_t i = 0; i < SLOTS; i++) {
        (*env)->SetObjectArrayElement(env, contended, i, NULL);
        taken[i] = false;
    }
    for (int32_t i = 0; i < CLASS_BUCKETS; i++) {
        counts[i] = 0;
    }
    (*env)->SetIntArrayRegion(env, class_counts, 0, CLASS_BUCKETS, counts);
    (*env)->DeleteGlobalRef(env, hooks);
    (*env)->DeleteGlobalRef(env, contended);
    (*env)->DeleteGlobalRef(env, ids);
    (*env)->DeleteGlobalRef(env, class_counts);
}

static uint64_t later(uint64_t one, uint64_t other) {
    return one > other ? one : other;
}

/* A thread owns the monitor now. */
static void own(JNIEnv *env, enum event_type type, uint64_t now, uint64_t thread,
        struct lock *lock) {
    flush(lock);
    uint64_t seen = later(lock->told, later(lock->exit_time, atomic_load(&lock->blocked_since)));
    if (now > seen + BLIND_NANOS) {
        atomic_store(&lock->blind, true);
    }
    tell(type, now, thread, lock, NOTHING);
    lock->told = now;
    lock->exit_owner = 0;
    unblock(env, lock);
}

/* Asks the JVM about a monitor, unless that was done a moment ago; what it says must be freed. */
static bool ask(jobject object, jvmtiMonitorUsage *usage) {
    uint64_t now = trace_now();
    uint64_t next = atomic_load(&next_look);
    return now >= next && atomic_compare_exchange_strong(&next_look, &next, now + LOOK_NANOS)
            && (*jvmti)->GetObjectMonitorUsage(jvmti, object, usage) == JVMTI_ERROR_NONE;
}

static void free_usage(JNIEnv *env, jvmtiMonitorUsage *usage) {
    (*env)->DeleteLocalRef(env, usage->owner);
    for (jint i = 0; i < usage->waiter_count; i++) {
        (*env)->DeleteLocalRef(env, usage->waiters[i]);
    }
    for (jint i = 0; i < usage->notify_waiter_count; i++) {
        (*env)->DeleteLocalRef(env, usage->notify_waiters[i]);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *) usage->waiters);
    (*jvmti)->Deallocate(jvmti, (unsigned char *) usage->notify_waiters);
}

static void look_for_owner(JNIEnv *env, struct lock *lock, jobject object) {
    jvmtiMonitorUsage usage;
    if (ask(object, &usage)) {
        if (usage.owner != NULL) {
            uint32_t chain = chain_of(env, usage.owner);
            tell(OWNER, trace_now(), thread_of(env, usage.owner), lock, chain);
        }
        free_usage(env, &usage);
    }
}

/* How many wait unseen on a lock, once: a notify is for them first. */
static void look_for_waiting(JNIEnv *env, struct lock *lock, jobject object) {
    jvmtiMonitorUsage usage;
    if (!lock->asked && ask(object, &usage)) {
        lock->unseen_waiting = usage.notify_waiter_count;
        free_usage(env, &usage);
    }
    lock->asked = true;
}

static void entering(JNIEnv *env, uint64_t now, jthread thread, jobject object) {
    uint64_t id = thread_of(env, thread);
    /* Before the lock gets its slot: an exit told now would stand before this event. */
    uint32_t chain = chain_here(env, 0);
    struct lock *lock = lock_of(env, object);
    struct person *person = lock == NULL ? NULL : person_get(id);
    if (person == NULL) {
        return;
    }
    if (person->waited) {
        /* After a wait that timed out, some JVMs tell this, too. WAITED has told it already. */
        return;
    }
    if (person->entering != 0) {
        /* Its last enter never ended, as far as the JVM told. */
        unblock(env, lock_with(person->entering));
    }
    person->entering = lock->id;
    tell(ENTER, now, id, lock, chain);
    block(env, lock, object, now);
    if (atomic_load_explicit(&lock->blind, memory_order_relaxed)) {
        look_for_owner(env, lock, object);
    }
}

void JNICALL monitor_enter(jvmtiEnv *unused, JNIEnv *env, jthread thread, jobject object) {
    (void) unused;
    uint64_t now = trace_now();
    if (tracer_enter()) {
        entering(env, now, thread, object);
        trace_spent(now);
        tracer_leave();
    }
}

void JNICALL monitor_entered(jvmtiEnv *unused, JNIEnv *env, jthread thread, jobject object) {
    (void) unused;
    (void) object;
    uint64_t now = trace_now();
    if (tracer_enter()) {
        uint64_t id = thread_of(env, thread);
        /* Nobody, if it was blocked before tracing began. */
        struct person *person = person_find(id);
        if (person != NULL && person->entering != 0) {
            struct lock *lock = lock_with(person->entering);
            person->entering = 0;
            person_put(person);
            own(env, ENTERED, now, id, lock);
            trace_spent(now);
        }
        tracer_leave();
    }
}

/* A chain of that owner and place: one taken a moment ago if the piece of time is short. */
static uint32_t recent_chain(
        JNIEnv *env, struct lock *lock, uint64_t owner, jint site, uint64_t now, bool brief) {
    if (lock->recent == NULL) {
        lock->recent = calloc(RECENT, sizeof(struct recent));
    }
    if (lock->recent == NULL) {
        return chain_here(env, HOOK_FRAMES);
    }
    struct recent *recent = NULL;
    for (int i = 0; i < RECENT && recent == NULL; i++) {
        if (lock->recent[i].owner == owner && lock->recent[i].site == site) {
            recent = &lock->recent[i];
        }
    }
    if (recent != NULL && brief && now - recent->time < RECENT_NANOS) {
        return recent->chain;
    }
    if (recent == NULL) {
        recent = &lock->recent[lock->next_recent++ % RECENT];
    }
    recent->owner = owner;
    recent->site = site;
    recent->time = now;
    recent->chain = chain_here(env, HOOK_FRAMES);
    return recent->chain;
}

static void leave(JNIEnv *env, struct lock *lock, uint64_t owner, jint site, uint64_t now) {
    uint64_t since = later(lock->told, lock->exit_time);
    bool again = lock->exit_owner == owner;
    if (again && lock->exit_site == site && now - since < EPISODE_NANOS) {
        lock->exit_time = now;
        lock->pending = true;
        return;
    }
    bool brief = now - later(since, atomic_load(&lock->blocked_since)) < EPISODE_NANOS;
    uint32_t chain = recent_chain(env, lock, owner, site, now, brief);
    /*
     * Tiny pieces of one owner at several places: the one that ends an episode stands for all. It is
     * there as often as it is long, so in the long run every place gets its share.
     */
    bool hold_back =
            again && now - since < TINY_NANOS && now - lock->exit_told < EPISODE_NANOS;
    if (!hold_back) {
        flush(lock);
        tell(EXIT, now, owner, lock, chain);
        lock->exit_told = now;
        atomic_store_explicit(&lock->blind, false, memory_order_relaxed);
    }
    lock->pending = hold_back;
    lock->exit_owner = owner;
    lock->exit_site = site;
    lock->exit_chain = chain;
    lock->exit_time = now;
    trace_spent(now);
}

JNIEXPORT void HOOK(exited)(JNIEnv *env, jclass type, jint id, jint site, jthread current) {
    (void) type;
    uint64_t now = trace_now();
    if (tracer_enter()) {
        /* It is from before when tracing was switched off and on again meanwhile. */
        if (id > 0 && (uint32_t) id <= lock_count()) {
            leave(env, lock_with((uint32_t) id), thread_of(env, current), site, now);
        }
        tracer_leave();
    }
}

static bool begin_wait(JNIEnv *env, uint64_t now, jobject object, jthread current) {
    uint64_t id = thread_of(env, current);
    struct lock *lock = lock_of(env, object);
    struct person *person = lock == NULL ? NULL : person_get(id);
    if (person == NULL) {
        return false;
    }
    look_for_waiting(env, lock, object);
    person->waiting = lock->id;
    atomic_store(&person->waited, false);
    person->next = NULL;
    struct person **end = &lock->first_waiting;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = person;
    flush(lock);
    /* Also where it blocks later, when it wants the monitor back. */
    uint32_t chain = recent_chain(env, lock, id, WAIT_SITE, now, true);
    tell(WAIT, now, id, lock, chain);
    lock->told = now;
    lock->exit_owner = 0;
    return true;
}

JNIEXPORT jboolean HOOK(beginWait)(JNIEnv *env, jclass type, jobject object, jthread current) {
    (void) type;
    uint64_t now = trace_now();
    bool told = false;
    if (tracer_enter()) {
        told = begin_wait(env, now, object, current);
        trace_spent(now);
        tracer_leave();
    }
    return told;
}

/* A wait is over; false if that is known already. */
static bool end_wait(
        JNIEnv *env, uint64_t now, struct lock *lock, jobject object, struct person *person,
        bool timed_out) {
    if (atomic_exchange(&person->waited, true)) {
        return false;
    }
    tell(WAITED, now, atomic_load(&person->thread), lock, timed_out ? 1 : 0);
    block(env, lock, object, now);
    return true;
}

/*
 * Who is notified wants the monitor from then on. The JVM tells it only when the monitor is handed
 * over; but it keeps those who wait in the order they came, and so do we.
 */
static void notify(JNIEnv *env, uint64_t now, jobject object, bool all) {
    struct lock *lock = lock_of(env, object);
    if (lock == NULL) {
        return;
    }
    bool done = !all && lock->unseen_waiting > 0;
    lock->unseen_waiting = done ? lock->unseen_waiting - 1 : 0;
    while (lock->first_waiting != NULL && !done) {
        struct person *person = lock->first_waiting;
        lock->first_waiting = person->next;
        done = end_wait(env, now, lock, object, person, false) && !all;
    }
}

JNIEXPORT void HOOK(notified)(JNIEnv *env, jclass type, jobject object, jboolean all) {
    (void) type;
    uint64_t now = trace_now();
    if (tracer_enter()) {
        notify(env, now, object, all);
        trace_spent(now);
        tracer_leave();
    }
}

void JNICALL monitor_waited(
        jvmtiEnv *unused, JNIEnv *env, jthread thread, jobject object, jboolean timed_out) {
    (void) unused;
    uint64_t now = trace_now();
    if (tracer_enter()) {
        struct person *person = person_find(thread_of(env, thread));
        if (person != NULL && person->waiting != 0) {
            end_wait(env, now, lock_with(person->waiting), object, person, timed_out);
            trace_spent(now);
        }
        tracer_leave();
    }
}

static void reenter(JNIEnv *env, uint64_t now, uint64_t id, struct person *person) {
    struct lock *lock = lock_with(person->waiting);
    for (struct person **at = &lock->first_waiting; *at != NULL; at = &(*at)->next) {
        if (*at == person) {
            *at = person->next;
            break;
        }
    }
    bool waited = atomic_exchange(&person->waited, false);
    person->waiting = 0;
    person_put(person);
    if (waited) {
        own(env, REENTERED, now, id, lock);
    }
}

JNIEXPORT void HOOK(endWait)(JNIEnv *env, jclass type, jthread current) {
    (void) type;
    uint64_t now = trace_now();
    if (tracer_enter()) {
        uint64_t id = thread_of(env, current);
        struct person *person = person_find(id);
        if (person != NULL && person->waiting != 0) {
            reenter(env, now, id, person);
            trace_spent(now);
        }
        tracer_leave();
    }
}
