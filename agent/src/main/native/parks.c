/*
 * Parks, unparks, and signals between them. An unpark does not say what it is for, so all of them
 * have one order (seed 001, 4.2.3), and a park that ends names the unpark that ended it.
 */
#include "tracer.h"

/* Who parks for less was hardly stopped: not worth the price of a call chain. */
#define BRIEF_NANOS 20000ULL

#define HOOK_FRAMES 2

static _Atomic uint64_t orders;

void parks_open(void) {
    atomic_store(&orders, 0);
}

static uint64_t next_order(void) {
    return atomic_fetch_add(&orders, 1) + 1;
}

static void begin_park(
        JNIEnv *env, uint64_t now, jobject blocker, jboolean timed, jthread current) {
    uint64_t id = thread_of(env, current);
    struct person *person = person_get(id);
    if (person == NULL) {
        return;
    }
    if (atomic_load_explicit(&person->park, memory_order_relaxed) != 0) {
        /* One park method calls another. */
        person->nested_parks++;
        return;
    }
    uint64_t lock = blocker == NULL ? 0 : blocker_of(env, blocker);
    /* First, so that an event for which there is no room leaves a gap that the reader sees. */
    uint64_t order = next_order();
    struct lane *lane = trace_begin(PARK, now, id);
    if (lane == NULL) {
        person_put(person);
        return;
    }
    trace_put(lane, lock);
    trace_put(lane, order);
    trace_put(lane, timed ? 1 : 0);
    trace_end(lane);
    person->parked_since = now;
    atomic_store_explicit(&person->park, order, memory_order_release);
}

JNIEXPORT void HOOK(beginPark)(
        JNIEnv *env, jclass type, jobject blocker, jboolean timed, jthread current) {
    (void) type;
    uint64_t now = trace_now();
    if (tracer_enter()) {
        begin_park(env, now, blocker, timed, current);
        tracer_leave();
    }
}

static void end_park(JNIEnv *env, uint64_t now, jthread current) {
    uint64_t id = thread_of(env, current);
    struct person *person = person_find(id);
    if (person == NULL) {
        return;
    }
    if (person->nested_parks > 0) {
        person->nested_parks--;
        return;
    }
    uint64_t park = atomic_exchange(&person->park, 0);
    uint64_t since = person->parked_since;
    person_put(person);
    if (park == 0) {
        return;
    }
    bool woken = (park & WOKEN) != 0;
    uint32_t chain = woken || now - since >= BRIEF_NANOS ? chain_here(env, HOOK_FRAMES) : 0;
    uint64_t order = next_order();
    struct lane *lane = trace_begin(PARKED, now, id);
    if (lane != NULL) {
        trace_put(lane, order);
        trace_put(lane, woken ? park & ~WOKEN : 0);
        trace_put(lane, chain);
        trace_end(lane);
    }
}

JNIEXPORT void HOOK(endPark)(JNIEnv *env, jclass type, jthread current) {
    (void) type;
    uint64_t now = trace_now();
    if (tracer_enter()) {
        end_park(env, now, current);
        tracer_leave();
    }
}

static void unpark(JNIEnv *env, uint64_t now, jthread other, jthread current) {
    uint64_t target = thread_of(env, other);
    struct person *person = person_find(target);
    uint64_t park = person == NULL ? 0 : atomic_load(&person->park);
    if (park == 0 || (park & WOKEN) != 0) {
        return;
    }
    uint64_t id = thread_of(env, current);
    uint32_t chain = chain_here(env, HOOK_FRAMES);
    uint64_t order = next_order();
    struct lane *lane = trace_begin(UNPARK, now, id);
    if (lane != NULL) {
        /* Fails if the park has ended meanwhile, even if another has begun: orders are unique. */
        atomic_compare_exchange_strong(&person->park, &park, order | WOKEN);
        trace_put(lane, order);
        trace_put(lane, target);
        trace_put(lane, chain);
        trace_end(lane);
    }
}

JNIEXPORT void HOOK(unpark)(JNIEnv *env, jclass type, jthread other, jthread current) {
    (void) type;
    uint64_t now = trace_now();
    if (tracer_enter()) {
        unpark(env, now, other, current);
        tracer_leave();
    }
}

static void signal_one(JNIEnv *env, uint64_t now, jobject lock, jthread other, jthread current) {
    uint64_t target = thread_of(env, other);
    struct person *person = person_find(target);
    if (person == NULL || atomic_load(&person->park) == 0) {
        return;
    }
    uint64_t id = thread_of(env, current);
    uint64_t wanted = blocker_of(env, lock);
    uint32_t chain = chain_here(env, HOOK_FRAMES);
    uint64_t order = next_order();
    struct lane *lane = trace_begin(SIGNAL, now, id);
    if (lane != NULL) {
        trace_put(lane, wanted);
        trace_put(lane, order);
        trace_put(lane, target);
        trace_put(lane, chain);
        trace_end(lane);
    }
}

JNIEXPORT void HOOK(signal)(
        JNIEnv *env, jclass type, jobject lock, jthread other, jthread current) {
    (void) type;
    uint64_t now = trace_now();
    if (tracer_enter()) {
        signal_one(env, now, lock, other, current);
        tracer_leave();
    }
}
