/*
 * What the parts of the lock tracer share. Nothing here calls Java code.
 */
#ifndef HEATLINE_TRACER_H
#define HEATLINE_TRACER_H

#include <jvmti.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "trace.h"

extern jvmtiEnv *jvmti;

/*
 * Everything that uses the JVM tool interface or the trace stands between these two. The first
 * answers false when tracing is off: then there is nothing to do, and nothing to leave.
 */
bool tracer_enter(void);
void tracer_leave(void);

/* Names of natives of the class of hooks. */
#define HOOK(name) JNICALL Java_dev_heatline_agent_boot_LockHooks_##name

/* people.c: what a Java thread is doing, by its identifier. */
struct person {
    _Atomic uint64_t thread;
    /* Order of the open park; that of its unpark and WOKEN once there was one; 0 if not parked. */
    _Atomic uint64_t park;
    uint64_t parked_since;
    uint32_t nested_parks;
    /* Locks it uses, or NULL. */
    struct lock *entering;
    struct lock *waiting;
    /* Whether its wait is over, so that it wants the monitor back. */
    atomic_bool waited;
    bool is_virtual;
    /* Who began to wait on the same lock before and after it. Only for the monitor's owner. */
    struct person *previous;
    struct person *next;
    bool queued;
};

#define WOKEN (1ULL << 63)

bool people_open(void);
void people_close(void);
/* Finds a thread; NULL if it is doing nothing. */
struct person *person_find(uint64_t thread);
/* Finds it or starts it; NULL if there are too many. Only for the calling thread. */
struct person *person_get(uint64_t thread);
/* Forgets it if it is doing nothing any more. Only for the calling thread. */
void person_put(struct person *person);

/* The chain an owner had at a place; it is good for some milliseconds. */
struct recent {
    uint64_t owner;
    uint64_t time;
    int32_t site;
    uint32_t chain;
};

#define RECENT 8

/* Classes of locks are counted in so many buckets, as LockHooks knows. */
#define CLASS_BUCKETS 256

struct lock {
    _Atomic uint64_t id;
    /* Identity hash code of the object. */
    uint32_t hash;
    /* Of the class, in the table that LockHooks looks at first. */
    uint32_t class_bucket;
    _Atomic uint32_t sequence;
    /* Threads that are blocked; while there are any, the lock has a slot. */
    _Atomic int32_t waiters;
    int32_t slot;
    _Atomic uint64_t blocked_since;
    /* Whether owners seem to leave unseen. */
    atomic_bool blind;
    /* How often its owner was asked for. */
    _Atomic uint32_t looks;
    /* Whether the object's class was met. */
    atomic_bool met;

    /* From here on only the monitor's owner reads and writes. */
    bool pending;
    int32_t exit_site;
    uint32_t exit_chain;
    uint32_t next_recent;
    uint64_t exit_owner;
    uint64_t exit_time;
    uint64_t exit_told;
    /* How long the owner had it, over all exits that are held back. */
    uint64_t pending_held;
    /* When the last event under the monitor was. */
    uint64_t told;
    struct recent *recent;
    /* Who waits, in this order; before them, how many began before tracing did. */
    struct person *first_waiting;
    struct person *last_waiting;
    int32_t unseen_waiting;
    bool asked;

    /* How many threads use it at the moment; only for locks.c. */
    _Atomic int32_t users;
};

/* tables.c: what events refer to, described when first seen. */
bool tables_open(JNIEnv *env, jclass hooks, char *reason, size_t size);
void tables_close(JNIEnv *env);
/* The calling thread's call chain without its innermost frames; 0 if there is no more room. */
uint32_t chain_here(JNIEnv *env, int skip);
/* As many as a chain keeps. */
#define FRAMES 128

struct frames {
    jint count;
    /* Whether there are more further out. */
    bool cut_off;
    jvmtiFrameInfo frame[FRAMES + 1];
};

/*
 * That of another thread, or of the calling one for NULL, without frames of hooks; its frames may
 * also be looked at.
 */
uint32_t chain_of(JNIEnv *env, jthread thread, struct frames *taken);
/* The code that somebody is blocked in, the innermost, is met. */
void frames_meet_blocked(JNIEnv *env, const struct frames *taken);
/* All code that an owner is in is met: some of it keeps others waiting, and which is not known. */
void frames_meet_owner(JNIEnv *env, const struct frames *taken);
/* Whether classes of the application were met a moment ago, or got their hooks only then. */
bool classes_settle(uint64_t now);
void classes_changed(void);
/* Nobody is to wait for a class to be met any more. */
void classes_wake(void);
uint64_t thread_of(JNIEnv *env, jthread thread);
/* What somebody parks for; 0 if it cannot be described. */
uint64_t blocker_of(JNIEnv *env, jobject object);
/* A monitor, to be given back; NULL if it is not known. */
struct lock *lock_find(jobject object);
/* Likewise, and begins to follow it if it is not known; NULL if there are too many. */
struct lock *lock_get(JNIEnv *env, jobject object);
/* Likewise that lock, if it still has the number. */
bool lock_use(struct lock *lock, uint64_t id);
void lock_put(struct lock *lock);
/* All places of locks, when nobody uses any. */
uint32_t lock_count(void);
struct lock *lock_at(uint32_t place);

/* slots.c: where owners find the locks others are blocked on. */
/* The clock that LockHooks looks at: an exit later in the same moment is not told. */
#define TICK_NANOS 250000ULL
/* False with the reason if it cannot be; it must be closed all the same. */
bool slots_open(JNIEnv *env, jclass hooks, char *reason, size_t size);
void slots_close(JNIEnv *env);
/* One thread more, one less is blocked on the lock. */
void lock_block(JNIEnv *env, struct lock *lock, jobject object, uint64_t time);
void lock_unblock(JNIEnv *env, struct lock *lock);
/* The lock of a slot if it has that number, to be given back; NULL if not. */
struct lock *slot_lock(jint slot, jint id);
/* Somebody has told an exit, so the clock has to go on. */
void slot_told(void);
/* How often the last owner left since it told so; the next exit will be told. */
int32_t slot_left_again(JNIEnv *env, struct lock *lock);

/* monitors.c */
bool monitors_open(JNIEnv *env, jclass hooks, char *reason, size_t size);
void monitors_close(JNIEnv *env);
void JNICALL monitor_enter(jvmtiEnv *unused, JNIEnv *env, jthread thread, jobject object);
void JNICALL monitor_entered(jvmtiEnv *unused, JNIEnv *env, jthread thread, jobject object);

/* In the place of what an event ends with. */
#define NOTHING UINT64_MAX
void lock_tell(
        enum event_type type, uint64_t time, uint64_t thread, struct lock *lock, uint64_t last);
/* Tells an exit that was held back, where nobody uses the lock any more. */
void lock_settle(struct lock *lock);
/* These only for the monitor's owner: tells an exit that was held back; that it is the owner now. */
void lock_flush(JNIEnv *env, struct lock *lock, uint64_t now);
void lock_own(
        JNIEnv *env, enum event_type type, uint64_t now, uint64_t thread, struct lock *lock);
/* In the place of a site: the injected code gives numbers from 1. */
#define WAIT_SITE 0
/* A chain of that owner and place: one taken a moment ago if the piece of time is short. */
uint32_t lock_chain(
        JNIEnv *env, struct lock *lock, uint64_t owner, jint site, uint64_t now, bool brief);
/*
 * Asks the JVM about a monitor, unless the last time, which is kept, is not as long ago as the pause;
 * what it says must be freed.
 */
bool lock_ask(
        _Atomic uint64_t *last_time, uint64_t pause, jobject object, jvmtiMonitorUsage *usage);
void lock_free_usage(JNIEnv *env, jvmtiMonitorUsage *usage);

/* waits.c */
void waits_open(void);
void JNICALL monitor_wait(
        jvmtiEnv *unused, JNIEnv *env, jthread thread, jobject object, jlong millis);
void JNICALL monitor_waited(
        jvmtiEnv *unused, JNIEnv *env, jthread thread, jobject object, jboolean timed_out);

/* parks.c */
void parks_open(void);

#endif
