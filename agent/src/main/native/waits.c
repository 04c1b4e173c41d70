/*
 * Object.wait: leaves a monitor and wants it back when it is over.
 */
#include "tracer.h"

/* How many wait unseen on a lock, once: a notify is for them first. */
static void look_for_waiting(JNIEnv *env, struct lock *lock, jobject object) {
    jvmtiMonitorUsage usage;
    if (!lock->asked && lock_ask(object, &usage)) {
        lock->unseen_waiting = usage.notify_waiter_count;
        lock->asked = true;
        lock_free_usage(env, &usage);
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
    lock_flush(env, lock, now);
    /* Also where it blocks later, when it wants the monitor back. */
    uint32_t chain = lock_chain(env, lock, id, WAIT_SITE, now, true);
    lock_tell(WAIT, now, id, lock, chain);
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
    lock_tell(WAITED, now, atomic_load(&person->thread), lock, timed_out ? 1 : 0);
    lock_block(env, lock, object, now);
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
        lock_own(env, REENTERED, now, id, lock);
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
        }
        tracer_leave();
    }
}
