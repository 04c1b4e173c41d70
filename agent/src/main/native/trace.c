/*
 * Events and descriptions, on their way into blocks.
 */
#define _GNU_SOURCE
#include "trace.h"

#include "blocks.h"

#include <sched.h>
#include <string.h>
#include <time.h>

/* Longer than the longest event. */
#define EVENT_MAX 128

/*
 * A block of events and who writes to it. There are more lanes than cores, and a thread of the
 * operating system tries its own first: hardly ever does one wait for another. A block of its own
 * for every thread would need as many blocks as there are threads, and threads end.
 */
struct lane {
    _Alignas(128) atomic_bool busy;
    struct block *block;
    uint32_t used;
    /* When the last event in the block was. */
    _Atomic uint64_t time;
};

static unsigned lane_count;
static struct lane lanes[LANES];

struct spent {
    _Alignas(128) _Atomic uint64_t nanos;
};

static struct spent spent[LANES];

static struct block *metadata;
static uint32_t metadata_used;

uint64_t trace_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t) time.tv_sec * 1000000000ULL + (uint64_t) time.tv_nsec;
}

uint64_t cpu_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (uint64_t) time.tv_sec * 1000000000ULL + (uint64_t) time.tv_nsec;
}

unsigned trace_thread_number(void) {
    static atomic_uint last;
    static __thread unsigned number;
    if (number == 0) {
        number = atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
    }
    return number;
}

bool trace_open(const char *path, uint32_t block_count) {
    if (!blocks_open(path, block_count)) {
        return false;
    }
    metadata = NULL;
    /* Most blocks are for what is on its way to the reader. */
    lane_count = block_count / 8 < LANES ? block_count / 8 : LANES;
    lane_count = lane_count == 0 ? 1 : lane_count;
    for (unsigned i = 0; i < LANES; i++) {
        lanes[i].block = NULL;
        atomic_store(&lanes[i].time, 0);
        atomic_store(&spent[i].nanos, 0);
    }
    blocks_publish();
    return true;
}

static void publish_spent(void) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < LANES; i++) {
        sum += atomic_load_explicit(&spent[i].nanos, memory_order_relaxed);
    }
    atomic_store(&header->tracer_nanos, sum);
}

void trace_silence(void) {
    atomic_store(&header->end_monotonic, trace_now());
}

void trace_close(void) {
    for (unsigned i = 0; i < LANES; i++) {
        if (lanes[i].block != NULL) {
            atomic_store(&lanes[i].block->state, FULL);
        }
    }
    if (metadata != NULL) {
        atomic_store(&metadata->state, FULL);
    }
    publish_spent();
    blocks_close();
}

static bool try_lane(struct lane *lane) {
    return !atomic_load_explicit(&lane->busy, memory_order_relaxed)
            && !atomic_exchange_explicit(&lane->busy, true, memory_order_acquire);
}

/*
 * A lane for an event of that time. Times within a block cannot go backwards, so an event that is
 * told late goes to a lane that has been quiet since.
 */
static struct lane *lane_for(uint64_t time) {
    unsigned own = trace_thread_number();
    for (int attempt = 0; attempt < 64; attempt++) {
        for (unsigned i = 0; i < lane_count; i++) {
            struct lane *lane = &lanes[(own + i) % lane_count];
            bool fits = atomic_load_explicit(&lane->time, memory_order_relaxed) <= time;
            if ((fits || attempt > 0) && try_lane(lane)) {
                if (attempt > 0 || atomic_load_explicit(&lane->time, memory_order_relaxed) <= time) {
                    return lane;
                }
                atomic_store_explicit(&lane->busy, false, memory_order_release);
            }
        }
        if (attempt > 0) {
            sched_yield();
        }
    }
    return NULL;
}

static void put_varint(unsigned char *bytes, uint32_t *at, uint64_t value) {
    while (value >= 0x80) {
        bytes[(*at)++] = (unsigned char) (value | 0x80);
        value >>= 7;
    }
    bytes[(*at)++] = (unsigned char) value;
}

void trace_put(struct lane *lane, uint64_t value) {
    put_varint(lane->block->bytes, &lane->used, value);
}

struct lane *trace_begin(enum event_type type, uint64_t time, uint64_t thread) {
    struct lane *lane = lane_for(time);
    if (lane == NULL) {
        trace_count_dropped();
        return NULL;
    }
    if (lane->block == NULL || lane->used + EVENT_MAX > CAPACITY) {
        struct block *block = block_take(EVENTS);
        if (block == NULL) {
            atomic_store_explicit(&lane->busy, false, memory_order_release);
            trace_count_dropped();
            return NULL;
        }
        if (lane->block != NULL) {
            atomic_store_explicit(&lane->block->state, FULL, memory_order_release);
        }
        lane->block = block;
        lane->used = 0;
        atomic_store_explicit(&lane->time, header->start_monotonic, memory_order_relaxed);
    }
    uint64_t before = atomic_load_explicit(&lane->time, memory_order_relaxed);
    lane->block->bytes[lane->used++] = (unsigned char) type;
    trace_put(lane, time > before ? time - before : 0);
    trace_put(lane, thread);
    if (time > before) {
        atomic_store_explicit(&lane->time, time, memory_order_relaxed);
    }
    return lane;
}

void trace_end(struct lane *lane) {
    atomic_store_explicit(&lane->block->used, lane->used, memory_order_release);
    atomic_store_explicit(&lane->busy, false, memory_order_release);
}

void trace_spent(uint64_t nanos) {
    atomic_fetch_add_explicit(
            &spent[trace_thread_number() % LANES].nanos, nanos, memory_order_relaxed);
}

bool metadata_begin(enum metadata_type type, size_t size) {
    if (metadata == NULL || metadata_used + size + 1 > CAPACITY) {
        struct block *block = block_take(METADATA);
        if (block == NULL) {
            return false;
        }
        if (metadata != NULL) {
            atomic_store_explicit(&metadata->state, FULL, memory_order_release);
        }
        metadata = block;
        metadata_used = 0;
    }
    metadata->bytes[metadata_used++] = (unsigned char) type;
    return true;
}

void metadata_put(uint64_t value) {
    put_varint(metadata->bytes, &metadata_used, value);
}

void metadata_text(const char *text) {
    size_t length = strnlen(text, TEXT_MAX);
    metadata_put(length);
    memcpy(metadata->bytes + metadata_used, text, length);
    metadata_used += (uint32_t) length;
}

void metadata_end(void) {
    atomic_store_explicit(&metadata->used, metadata_used, memory_order_release);
}

uint64_t trace_beat(
        uint64_t classes_changed, uint64_t classes_skipped, uint64_t classes_not_restored) {
    publish_spent();
    atomic_store(&header->classes_changed, classes_changed);
    atomic_store(&header->classes_skipped, classes_skipped);
    atomic_store(&header->classes_not_restored, classes_not_restored);
    return atomic_load(&header->heartbeat);
}
