/*
 * What Java threads are doing, by their identifiers: a virtual thread may begin on one thread of the
 * operating system and end on another. A thread is here only while it is blocked, waits or parks.
 *
 * A thread lies somewhere in a short window behind the place its identifier points to. Only it
 * itself puts itself there and takes itself away, so a compare-and-set on a free place is enough.
 */
#include "tracer.h"

#include <stdlib.h>

#define PEOPLE (256 * 1024)
#define WINDOW 8

static struct person *people;

bool people_open(void) {
    people = calloc(PEOPLE + WINDOW, sizeof(struct person));
    return people != NULL;
}

void people_close(void) {
    free(people);
    people = NULL;
}

static struct person *window_of(uint64_t thread) {
    return &people[(thread * 0x9E3779B97F4A7C15ULL) >> 46];
}

_Static_assert(PEOPLE == 1 << (64 - 46), "the places an identifier can point to");

struct person *person_find(uint64_t thread) {
    struct person *window = window_of(thread);
    for (int i = 0; i < WINDOW; i++) {
        if (atomic_load_explicit(&window[i].thread, memory_order_acquire) == thread) {
            return &window[i];
        }
    }
    return NULL;
}

struct person *person_get(uint64_t thread) {
    struct person *found = person_find(thread);
    struct person *window = window_of(thread);
    for (int i = 0; i < WINDOW && found == NULL; i++) {
        uint64_t nobody = 0;
        if (atomic_load_explicit(&window[i].thread, memory_order_relaxed) == 0
                && atomic_compare_exchange_strong(&window[i].thread, &nobody, thread)) {
            found = &window[i];
        }
    }
    if (found == NULL) {
        trace_count_unfollowed();
    }
    return found;
}

void person_put(struct person *person) {
    if (person->entering == NULL && person->waiting == NULL && person->nested_parks == 0
            && atomic_load_explicit(&person->park, memory_order_relaxed) == 0) {
        atomic_store_explicit(&person->thread, 0, memory_order_release);
    }
}
