#include "blocks.h"

#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define MAGIC 0x31534b434f4c4c48ULL

_Static_assert(offsetof(struct header, state) == 32, "layout");
_Static_assert(offsetof(struct header, dropped) == 40, "layout");
_Static_assert(offsetof(struct header, tracer_nanos) == 80, "layout");
_Static_assert(offsetof(struct header, classes_not_restored) == 96, "layout");
_Static_assert(offsetof(struct header, end_monotonic) == 104, "layout");
_Static_assert(offsetof(struct block, serial) == 16, "layout");
_Static_assert(offsetof(struct block, bytes) == BLOCK_HEADER_SIZE, "layout");
_Static_assert(sizeof(struct block) == BLOCK_SIZE, "layout");

/* More than can be in writing, one for every lane and one for descriptions. */
#define MOST_LOOKED_AT (2 * LANES)

struct header *header;
static size_t mapped;
static struct block *blocks;

static pthread_mutex_t taking = PTHREAD_MUTEX_INITIALIZER;
static uint32_t next_block;
static uint64_t last_serial;
/* The full block that has to be freed first, NULL if some other may be free. */
static struct block *_Atomic awaited;

bool blocks_open(const char *path, uint32_t block_count) {
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
    return true;
}

void blocks_publish(void) {
    atomic_store(&header->state, STATE_ON);
    atomic_thread_fence(memory_order_release);
    header->magic = MAGIC;
}

void blocks_close(void) {
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

struct block *block_take(uint32_t kind) {
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
