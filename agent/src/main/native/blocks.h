/*
 * The mapped file: its header and its blocks, as dev.heatline.wire.LockTrace describes them.
 */
#ifndef HEATLINE_BLOCKS_H
#define HEATLINE_BLOCKS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define HEADER_SIZE 4096
#define BLOCK_SIZE (16 * 1024)
#define BLOCK_HEADER_SIZE 32
#define CAPACITY (BLOCK_SIZE - BLOCK_HEADER_SIZE)

/* How many blocks of events can be in writing at a time. */
#define LANES 64

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
    _Atomic uint64_t end_monotonic;
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

extern struct header *header;

/* Creates the file; false with errno set if that cannot be done. */
bool blocks_open(const char *path, uint32_t block_count);
/* From now on a reader takes it for a trace. */
void blocks_publish(void);
/* Says that tracing is off and forgets the file. */
void blocks_close(void);
/* A free block made ready for writing, or NULL. */
struct block *block_take(uint32_t kind);

#endif
