/*
 * Object.wait: leaves a monitor and wants it back when it is over.
 */
#include "tracer.h"

#include "tables.h"

/* Asking the JVM stops all threads for a moment. It is done once for most monitors. */
#define LOOK_NANOS 20000000ULL

static _Atomic uint64_t last_look;

/* What was met lately, so that code which never gets hooks does not pay for it each time. */
#define MET_METHODS 1024

static _Atomic(jmethodID) waited_in[MET_METHODS];

void waits_open(void) {
    atomic_store(&last_look, 0);
    for (int i = 0; i < MET_METHODS; i++) {
        atomic_store(&waited_in[i], NULL);
    }
}

/* Those that the JVM counts as waiting: it does not count virtual threads. */
static int32_t queued(const struct lock *lock) {
    int32_t count = 0;
    for (struct person *person = lock->first_waiting; person != NULL; person = person->next) {
        count += person->is_virtual || atomic_load(&person->waited) ? 0 : 1;
    }
    return count;
}

/*
 * How many wait unseen on a lock, asked until there is an answer: a notify is for them first. Only
 * for the monitor's owner.
 */
static void look_for_waiting(JNIEnv *env, struct lock *lock, jobject object) {
    jvmtiMonitorUsage usage;
    if (!lock->asked && lock_ask(&last_look, LOOK_NANOS, object, &usage)) {
        int32_t unseen = usage.notify_waiter_count - queued(lock);
        lock->unseen_waiting = unseen < 0 ? 0 : unseen;
        lock->asked = true;
        lock_free_usage(env, &usage);
    }
}

/* Behind all others. */
static void enqueue(struct lock *lock, struct person *person) {
    person->previous = lock->last_waiting;
    person->next = NULL;
    person->queued = true;
    if (lock->last_waiting == NULL) {
        lock->first_waiting = person;
    } else {
        lock->last_waiting->next = person;
    }
    lock->last_waiting = person;
}

static void dequeue(struct lock *lock, struct person *person) {
    if (!person->queued) {
        return;
    }
    person->queued = false;
    if (person->previous == NULL) {
        lock->first_waiting = person->next;
    } else {
        person->previous->next = person->next;
    }
    if (person->next == NULL) {
        lock->last_waiting = person->previous;
    } else {
        person->next->previous = person->previous;
    }
}

static bool begin_wait(JNIEnv *env, uint64_t now, jobject object, jthread current) {
    uint64_t id = thread_of(env, current);
    struct lock *lock = lock_get(env, object);
    if (lock == NULL) {
        return false;
    }
    struct person *person = person_get(id);
    if (person == NULL || person->waiting != NULL) {
        /* Or it still has a wait whose end it could not tell, for lack of memory or stack. */
        lock_put(lock);
        return false;
    }
    look_for_waiting(env, lock, object);
    person->waiting = lock;
    person->is_virtual =
            (*env)->GetVersion(env) >= JNI_VERSION_21 && (*env)->IsVirtualThread(env, current);
    atomic_store(&person->waited, false);
    enqueue(lock, person);
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
    /* On one that is not known nobody waits who is known. */
    struct lock *lock = lock_find(object);
    if (lock == NULL) {
        return;
    }
    if (!all && lock->first_waiting != NULL) {
        look_for_waiting(env, lock, object);
    }
    bool done = !all && lock->unseen_waiting > 0;
    lock->unseen_waiting = done ? lock->unseen_waiting - 1 : 0;
    if (done) {
        /* Who runs code that is older than the hooks may come back unseen. */
        lock->asked = false;
    }
    while (lock->first_waiting != NULL && !done) {
        struct person *person = lock->first_waiting;
        dequeue(lock, person);
        done = end_wait(env, now, lock, object, person, false) && !all;
    }
    lock_put(lock);
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
        if (person != NULL && person->waiting != NULL) {
            end_wait(env, now, person->waiting, object, person, timed_out);
        }
        tracer_leave();
    }
}

/* The innermost frames of who waits are those of Object. */
#define WAITING_FRAMES 4

static bool is_object(JNIEnv *env, jclass type) {
    jboolean is_interface = JNI_FALSE;
    (*jvmti)->IsInterface(jvmti, type, &is_interface);
    jclass above = (*env)->GetSuperclass(env, type);
    (*env)->DeleteLocalRef(env, above);
    return above == NULL && !is_interface;
}

static void meet_waiting(JNIEnv *env, jobject object) {
    jvmtiFrameInfo frames[WAITING_FRAMES];
    jint count = 0;
    (*jvmti)->GetStackTrace(jvmti, NULL, 0, WAITING_FRAMES, frames, &count);
    for (jint i = 0; i < count; i++) {
        jmethodID method = frames[i].method;
        _Atomic(jmethodID) *place = &waited_in[mix(0, (uintptr_t) method) % MET_METHODS];
        jclass type = NULL;
        if (atomic_load_explicit(place, memory_order_relaxed) == method
                || (*jvmti)->GetMethodDeclaringClass(jvmti, method, &type) != JVMTI_ERROR_NONE) {
            return;
        }
        bool found = !is_object(env, type);
        if (found) {
            jclass lock_type = (*env)->GetObjectClass(env, object);
            describing_begin();
            bool met = class_meet_lock(env, lock_type) && class_meet(env, type);
            describing_end();
            (*env)->DeleteLocalRef(env, lock_type);
            if (met) {
                atomic_store_explicit(place, method, memory_order_relaxed);
            }
        }
        (*env)->DeleteLocalRef(env, type);
        if (found) {
            return;
        }
    }
}

/* In code with hooks, that is told already. */
void JNICALL monitor_wait(
        jvmtiEnv *unused, JNIEnv *env, jthread thread, jobject object, jlong millis) {
    (void) unused;
    (void) millis;
    if (tracer_enter()) {
        struct person *person = person_find(thread_of(env, thread));
        if (person == NULL || person->waiting == NULL) {
            meet_waiting(env, object);
        }
        tracer_leave();
    }
}

static void reenter(JNIEnv *env, uint64_t now, uint64_t id, struct person *person) {
    struct lock *lock = person->waiting;
    dequeue(lock, person);
    bool waited = atomic_exchange(&person->waited, false);
    person->waiting = NULL;
    person_put(person);
    if (waited) {
        lock_own(env, REENTERED, now, id, lock);
    }
    lock_put(lock);
}

JNIEXPORT void HOOK(endWait)(JNIEnv *env, jclass type, jthread current) {
    (void) type;
    uint64_t now = trace_now();
    if (tracer_enter()) {
        uint64_t id = thread_of(env, current);
        struct person *person = person_find(id);
        if (person != NULL && person->waiting != NULL) {
            reenter(env, now, id, person);
        }
        tracer_leave();
    }
}
