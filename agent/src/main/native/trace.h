/*
 * Writes the file of dev.heatline.wire.LockTrace, which describes it; the numbers here are the same.
 */
#ifndef HEATLINE_TRACE_H
#define HEATLINE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum event_type {
    ENTER = 1,
    ENTERED = 2,
    EXIT = 3,
    WAIT = 4,
    WAITED = 5,
    REENTERED = 6,
    OWNER = 7,
    PARK = 8,
    PARKED = 9,
    UNPARK = 10,
    SIGNAL = 11
};

enum metadata_type { THREAD = 32, CLASS = 33, METHOD = 34, CHAIN = 35, LOCK = 36 };

/* Longer names are cut off, so that every description fits into a block. */
#define TEXT_MAX 4096

/* Nanoseconds of the monotonic clock. */
uint64_t trace_now(void);

/* Nanoseconds of CPU time of the calling thread. */
uint64_t cpu_now(void);

/* Creates the file; false with errno set if that cannot be done. */
bool trace_open(const char *path, uint32_t blocks);

/* Says that no more events come. */
void trace_silence(void);

/* Publishes everything, says that tracing is off and forgets the file. Nobody may be writing. */
void trace_close(void);

/*
 * Starts an event; NULL if there is no room, which is counted. What follows until trace_end must be
 * short and must not call the JVM: others may be waiting for the same block.
 */
struct lane *trace_begin(enum event_type type, uint64_t time, uint64_t thread);
void trace_put(struct lane *lane, uint64_t value);
void trace_end(struct lane *lane);

/* Adds to the CPU time that tracing cost. */
void trace_spent(uint64_t nanos);

/* Descriptions. Only one thread at a time, which tables.h sees to; false if there is no room. */
bool metadata_begin(enum metadata_type type, size_t size);
void metadata_put(uint64_t value);
void metadata_text(const char *text);
void metadata_end(void);

void trace_count_dropped(void);
void trace_count_unfollowed(void);
void trace_count_forgotten(void);

/* Whether the reader has to free a block before anything can be written that needs a new one. */
bool trace_is_full(void);

/* Publishes the counters; the reader's heartbeat. */
uint64_t trace_beat(
        uint64_t classes_changed, uint64_t classes_skipped, uint64_t classes_not_restored);

/* A small number that differs between threads of the operating system that run at the same time. */
unsigned trace_thread_number(void);

#endif
