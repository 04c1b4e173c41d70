#define _GNU_SOURCE
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define MAGIC 0x31534b434f4c4c48ULL
#define HEADER_SIZE 4096
#define BLOCK_SIZE (16 * 1024)
#define BLOCK_HEADER_SIZE 32
#define CAPACITY (BLOCK_SIZE - BLOCK_HEADER_SIZE)

enum { STATE_ON = 1, STATE_OFF = 2 };
enum { FREE = 0, WRITING = 1, FULL = 2 };
enum { EVENTS = 0, METADATA = 1 };

struct header {
    uint64_t magic;
    uint32_t block_count;
    uint32_t pid;
    uint64_t start_monotonic;
    uint64_t start_epoch;
    _Atomic uint32_t state;
    uint32_t unused;
    _Atomic uint64_t dropped;
    _Atomic uint64_t unfollowed;
    _Atomic uint64_t classes_changed;
    _Atomic uint64_t classes_skipped;
    _Atomic uint64_t heartbeat;
    _Atomic uint64_t tracer_nanos;
    _Atomic uint64_t forgotten;
    _Atomic uint64_t classes_not_restored;
};

struct block {
    _Atomic uint32_t state;
    _Atomic uint32_t used;
    uint32_t kind;
    uint32_t unused;
    uint64_t serial;
    uint64_t reserved;
    unsigned char bytes[CAPACITY];
};

_Static_assert(offsetof(struct header, state) == 32, "layout");
_Static_assert(offsetof(struct header, dropped) == 40, "layout");
_Static_assert(offsetof(struct header, tracer_nanos) == 80, "layout");
_Static_assert(offsetof(struct header, classes_not_restored) == 96, "layout");
_Static_assert(offsetof(struct block, serial) == 16, "layout");
_Static_assert(offsetof(struct block, bytes) == BLOCK_HEADER_SIZE, "layout");
_Static_assert(sizeof(struct block) == BLOCK_SIZE, "layout");

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

#define LANES 64

/* More than can be in writing, one for every lane and one for descriptions. */
#define MOST_LOOKED_AT (2 * LANES)

static struct header *header;
static size_t mapped;
static struct block *blocks;
static unsigned lane_count;
static struct lane lanes[LANES];

struct spent {
    _Alignas(128) _Atomic uint64_t nanos;
};

static struct spent spent[LANES];

static pthread_mutex_t taking = PTHREAD_MUTEX_INITIALIZER;
static uint32_t next_block;
static uint64_t last_serial;
/* The full block that has to be freed first, NULL if some other may be free. */
static struct block *_Atomic awaited;

static struct block *metadata;
static uint32_t metadata_used;

uint64_t trace_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
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
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) {
        return false;
    }
    mapped = HEADER_SIZE + (size_t) block_count * BLOCK_SIZE;
    /* Reserved now: a disk that is full later would kill the application when it writes. */
    int error = posix_fallocate(file, 0, (off_t) mapped);
    void *memory = MAP_FAILED;
    if (error == 0) {
        memory = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        error = errno;
    }
    close(file);
    if (memory == MAP_FAILED) {
        unlink(path);
        errno = error;
        return false;
    }
    struct timespec epoch;
    clock_gettime(CLOCK_REALTIME, &epoch);
    header = memory;
    blocks = (struct block *) ((char *) memory + HEADER_SIZE);
    header->block_count = block_count;
    header->pid = (uint32_t) getpid();
    header->start_monotonic = trace_now();
    header->start_epoch = (uint64_t) epoch.tv_sec * 1000000000ULL + (uint64_t) epoch.tv_nsec;
    next_block = 0;
    last_serial = 0;
    atomic_store(&awaited, NULL);
    metadata = NULL;
    /* Most blocks are for what is on its way to the reader. */
    lane_count = block_count / 8 < LANES ? block_count / 8 : LANES;
    lane_count = lane_count == 0 ? 1 : lane_count;
    for (unsigned i = 0; i < LANES; i++) {
        lanes[i].block = NULL;
        atomic_store(&lanes[i].time, 0);
        atomic_store(&spent[i].nanos, 0);
    }
    atomic_store(&header->state, STATE_ON);
    atomic_thread_fence(memory_order_release);
    header->magic = MAGIC;
    return true;
}

static void publish_spent(void) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < LANES; i++) {
        sum += atomic_load_explicit(&spent[i].nanos, memory_order_relaxed);
    }
    atomic_store(&header->tracer_nanos, sum);
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
    atomic_store(&header->state, STATE_OFF);
    munmap(header, mapped);
    header = NULL;
}

bool trace_is_full(void) {
    struct block *block = atomic_load_explicit(&awaited, memory_order_acquire);
    return block != NULL && atomic_load_explicit(&block->state, memory_order_acquire) == FULL;
}

/*
 * The next free block, or NULL. Blocks are taken in turn. Some may still be written, but so many
 * behind the next one that are all not free mean that the reader has not come by, and then the
 * first that is full tells when it has.
 */
static struct block *next_free(void) {
    struct block *full = NULL;
    uint32_t most = header->block_count < MOST_LOOKED_AT ? header->block_count : MOST_LOOKED_AT;
    for (uint32_t i = 0; i < most; i++) {
        uint32_t at = (next_block + i) % header->block_count;
        uint32_t state = atomic_load_explicit(&blocks[at].state, memory_order_acquire);
        if (state == FREE) {
            next_block = (at + 1) % header->block_count;
            atomic_store_explicit(&awaited, NULL, memory_order_release);
            return &blocks[at];
        }
        full = full == NULL && state == FULL ? &blocks[at] : full;
    }
    atomic_store_explicit(&awaited, full, memory_order_release);
    return NULL;
}

/* A free block made ready for writing, or NULL. */
static struct block *take(uint32_t kind) {
    if (trace_is_full()) {
        return NULL;
    }
    pthread_mutex_lock(&taking);
    struct block *block = next_free();
    if (block != NULL) {
        atomic_store_explicit(&block->used, 0, memory_order_relaxed);
        block->kind = kind;
        block->serial = ++last_serial;
        /* Only now does the reader look at it. */
        atomic_store_explicit(&block->state, WRITING, memory_order_release);
    }
    pthread_mutex_unlock(&taking);
    return block;
}

void trace_count_dropped(void) {
    atomic_fetch_add_explicit(&header->dropped, 1, memory_order_relaxed);
}

void trace_count_unfollowed(void) {
    atomic_fetch_add_explicit(&header->unfollowed, 1, memory_order_relaxed);
}

void trace_count_forgotten(void) {
    atomic_fetch_add_explicit(&header->forgotten, 1, memory_order_relaxed);
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
        struct block *block = take(EVENTS);
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
        struct block *block = take(METADATA);
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
