/*
 * Contended monitors: the JVM tells who blocks, injected code tells who leaves.
 *
 * The part of a lock that describes its last exit is guarded by the Java monitor itself: whoever
 * leaves it, has just entered it or is about to wait on it is its owner. Whoever blocks is not.
 */
#include "tracer.h"

#include <stdlib.h>

/* Exits of one owner at one place that follow one another this closely are told by their last. */
#define EPISODE_NANOS 500000ULL
/* At different places, only if the owner had it no longer than this. */
#define TINY_NANOS 20000ULL
#define FEW_TIMES 4
/* For short pieces of time a chain of the same owner and place is good enough for so long. */
#define RECENT_NANOS 10000000ULL
/*
 * Who blocks longer than this, and nobody was seen leaving, was blocked by an unseen owner. Where
 * nobody was ever seen leaving, the first few times that need not be so long.
 */
#define BLIND_NANOS 5000000ULL
/* Asking the JVM for an owner stops all threads for a moment. */
#define LOOK_NANOS 100000000ULL
/* While nobody can be seen yet. */
#define SETTLING_LOOK_NANOS 5000000ULL
#define FEW_LOOKS 16

/* Innermost frames of the hooks, which are not the application's. */
#define EXIT_FRAMES 4
#define WAIT_FRAMES 3

static _Atomic uint64_t last_look;

void lock_tell(
        enum event_type type, uint64_t time, uint64_t thread, struct lock *lock, uint64_t last) {
    /* First, so that an event for which there is no room leaves a gap that the reader sees. */
    uint32_t place = atomic_fetch_add(&lock->sequence, 1) + 1;
    struct lane *lane = trace_begin(type, time, thread);
    if (lane != NULL) {
        trace_put(lane, lock->id);
        trace_put(lane, place);
        if (last != NOTHING) {
            trace_put(lane, last);
        }
        trace_end(lane);
    }
}

static void tell_exit(
        struct lock *lock, uint64_t time, uint64_t owner, uint32_t chain, uint64_t held) {
    uint32_t place = atomic_fetch_add(&lock->sequence, 1) + 1;
    struct lane *lane = trace_begin(EXIT, time, owner);
    if (lane != NULL) {
        trace_put(lane, lock->id);
        trace_put(lane, place);
        trace_put(lane, chain);
        trace_put(lane, held);
        trace_end(lane);
    }
}

/*
 * The last owner left so many times more, not long after the exit that is known. A few times are the
 * end of what it was doing; many are all it does, and nobody knows when the last was.
 */
static void leave_again(struct lock *lock, int32_t times, uint64_t now) {
    if (times > FEW_TIMES) {
        uint64_t time = lock->exit_time + TICK_NANOS / 2;
        time = time < now ? time : now;
        lock->pending_held += time - lock->exit_time;
        lock->exit_time = time;
        lock->pending = lock->exit_owner != 0;
    }
}

void lock_settle(struct lock *lock) {
    if (lock->pending) {
        lock->pending = false;
        tell_exit(lock, lock->exit_time, lock->exit_owner, lock->exit_chain, lock->pending_held);
    }
    lock->pending_held = 0;
}

void lock_flush(JNIEnv *env, struct lock *lock, uint64_t now) {
    leave_again(lock, slot_left_again(env, lock), now);
    lock_settle(lock);
}

bool monitors_open(JNIEnv *env, jclass hooks, char *reason, size_t size) {
    atomic_store(&last_look, 0);
    waits_open();
    return slots_open(env, hooks, reason, size);
}

void monitors_close(JNIEnv *env) {
    for (uint32_t i = 0; i < lock_count(); i++) {
        lock_settle(lock_at(i));
    }
    slots_close(env);
}

static uint64_t later(uint64_t one, uint64_t other) {
    return one > other ? one : other;
}

void lock_own(
        JNIEnv *env, enum event_type type, uint64_t now, uint64_t thread, struct lock *lock) {
    lock_flush(env, lock, now);
    uint64_t seen = later(lock->told, later(lock->exit_time, atomic_load(&lock->blocked_since)));
    bool never = lock->exit_time == 0 && atomic_load(&lock->looks) < FEW_LOOKS;
    if (now > seen + BLIND_NANOS || never) {
        atomic_store(&lock->blind, true);
    }
    lock_tell(type, now, thread, lock, NOTHING);
    lock->told = now;
    lock->exit_owner = 0;
    lock_unblock(env, lock);
}

bool lock_ask(
        _Atomic uint64_t *last_time, uint64_t pause, jobject object, jvmtiMonitorUsage *usage) {
    uint64_t now = trace_now();
    uint64_t last = atomic_load(last_time);
    return now >= last + pause && atomic_compare_exchange_strong(last_time, &last, now)
            && (*jvmti)->GetObjectMonitorUsage(jvmti, object, usage) == JVMTI_ERROR_NONE;
}

void lock_free_usage(JNIEnv *env, jvmtiMonitorUsage *usage) {
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

/* Or somebody who has had it again. */
static bool still_owns(JNIEnv *env, jthread thread, jobject object) {
    jvmtiMonitorUsage usage;
    if ((*jvmti)->GetObjectMonitorUsage(jvmti, object, &usage) != JVMTI_ERROR_NONE) {
        return false;
    }
    bool same = usage.owner != NULL && (*env)->IsSameObject(env, usage.owner, thread);
    lock_free_usage(env, &usage);
    return same;
}

static void look_for_owner(JNIEnv *env, struct lock *lock, jobject object, uint64_t pause) {
    jvmtiMonitorUsage usage;
    if (lock_ask(&last_look, pause, object, &usage)) {
        atomic_fetch_add(&lock->looks, 1);
        if (usage.owner != NULL) {
            uint64_t now = trace_now();
            struct frames taken;
            uint32_t chain = chain_of(env, usage.owner, &taken);
            /* Else it may have left before its chain was taken. */
            if (still_owns(env, usage.owner, object)) {
                lock_tell(OWNER, now, thread_of(env, usage.owner), lock, chain);
                frames_meet_owner(env, &taken);
            }
        }
        lock_free_usage(env, &usage);
    }
}

static void entering(JNIEnv *env, uint64_t now, jthread thread, jobject object) {
    uint64_t id = thread_of(env, thread);
    /* Before the lock gets its slot: an exit told now would stand before this event. */
    struct frames taken;
    uint32_t chain = chain_of(env, NULL, &taken);
    struct lock *lock = lock_get(env, object);
    if (lock == NULL) {
        return;
    }
    struct person *person = person_get(id);
    /* After a wait that timed out, some JVMs tell this, too. WAITED has told it already. */
    if (person == NULL || person->waited) {
        lock_put(lock);
        return;
    }
    if (person->entering != NULL) {
        /* Its last enter never ended, as far as the JVM told. */
        lock_unblock(env, person->entering);
        lock_put(person->entering);
    }
    person->entering = lock;
    lock_tell(ENTER, now, id, lock, chain);
    lock_block(env, lock, object, now);
    frames_meet_blocked(env, &taken);
    if (classes_settle(trace_now())) {
        look_for_owner(env, lock, object, SETTLING_LOOK_NANOS);
    } else if (atomic_load_explicit(&lock->blind, memory_order_relaxed)) {
        look_for_owner(env, lock, object, LOOK_NANOS);
    }
}

void JNICALL monitor_enter(jvmtiEnv *unused, JNIEnv *env, jthread thread, jobject object) {
    (void) unused;
    uint64_t now = trace_now();
    if (tracer_enter()) {
        entering(env, now, thread, object);
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
        if (person != NULL && person->entering != NULL) {
            struct lock *lock = person->entering;
            person->entering = NULL;
            person_put(person);
            lock_own(env, ENTERED, now, id, lock);
            if (classes_settle(now) && atomic_load(&lock->waiters) > 0) {
                /* It may leave unseen, being in code that is older than its hooks. */
                struct frames taken;
                lock_tell(OWNER, now, id, lock, chain_of(env, NULL, &taken));
            }
            lock_put(lock);
        }
        tracer_leave();
    }
}

uint32_t lock_chain(
        JNIEnv *env, struct lock *lock, uint64_t owner, jint site, uint64_t now, bool brief) {
    int skip = site == WAIT_SITE ? WAIT_FRAMES : EXIT_FRAMES;
    if (lock->recent == NULL) {
        lock->recent = calloc(RECENT, sizeof(struct recent));
    }
    if (lock->recent == NULL) {
        return chain_here(env, skip);
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
    recent->chain = chain_here(env, skip);
    return recent->chain;
}

/* entered: when the owner did, 0 if that was before anybody was blocked. */
static void leave(
        JNIEnv *env, struct lock *lock, uint64_t owner, jint site, int32_t left, uint64_t entered,
        uint64_t now) {
    leave_again(lock, left, now);
    uint64_t since = later(lock->told, lock->exit_time);
    bool same = lock->exit_owner == owner;
    uint64_t held = entered == 0 || entered > now ? 0 : now - entered;
    if (same && lock->exit_site == site && now - since < EPISODE_NANOS) {
        lock->pending_held += held == 0 ? now - since : held;
        lock->exit_time = now;
        lock->pending = true;
        return;
    }
    bool brief = now - later(since, atomic_load(&lock->blocked_since)) < EPISODE_NANOS;
    uint32_t chain = lock_chain(env, lock, owner, site, now, brief);
    /*
     * Tiny pieces of one owner at several places: the one that ends an episode stands for all. It is
     * there as often as it is long, so in the long run every place gets its share.
     */
    bool hold_back =
            same && now - since < TINY_NANOS && now - lock->exit_told < EPISODE_NANOS;
    if (hold_back) {
        lock->pending_held += held == 0 ? now - since : held;
    } else {
        lock_settle(lock);
        tell_exit(lock, now, owner, chain, held);
        lock->exit_told = now;
        atomic_store_explicit(&lock->blind, false, memory_order_relaxed);
    }
    lock->pending = hold_back;
    lock->exit_owner = owner;
    lock->exit_site = site;
    lock->exit_chain = chain;
    lock->exit_time = now;
}

JNIEXPORT void HOOK(exited)(
        JNIEnv *env, jclass type, jint slot, jint id, jint site, jint left, jlong entered,
        jthread current) {
    (void) type;
    uint64_t now = trace_now();
    if (tracer_enter()) {
        /* Whatever comes of it: in Java it says that this exit was told in this moment. */
        slot_told();
        /* None, if tracing was switched off and on meanwhile. */
        struct lock *lock = slot_lock(slot, id);
        if (lock != NULL) {
            leave(env, lock, thread_of(env, current), site, left, (uint64_t) entered, now);
            lock_put(lock);
        }
        tracer_leave();
    }
}
