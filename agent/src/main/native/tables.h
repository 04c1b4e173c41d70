/*
 * Tables of what events refer to: each thing is described in the trace before the first event that
 * needs it, and events refer to it by a number. Looking up what is known takes no lock (seed 001,
 * 4.2.4); what is new is added under one, which the descriptions need anyway.
 *
 * When one of the tables of classes, methods and call chains is full, all three are emptied: a program
 * that makes classes as it runs has ever new ones. What comes again is described again, by a new
 * number: no number ever stands for two things in one trace.
 */
#ifndef HEATLINE_TABLES_H
#define HEATLINE_TABLES_H

#include <jvmti.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whoever describes something holds it: at most one at a time. */
extern pthread_mutex_t describing;
/* Takes it, and sees to it that there is room for a call chain with all its methods and classes. */
void describing_begin(void);
void describing_end(void);
/* More than a call chain or a class with all that it inherits from needs. */
#define MOST_AT_ONCE 1024

/* More than a table may have entries, so that searches end soon. */
#define TABLE (128 * 1024)

struct entry {
    /* Written last; 0 if the entry is free. */
    _Atomic uint64_t key;
    _Atomic uint32_t id;
};

/* NULL if there is not enough memory. */
struct entry *table_new(void);
/* The entry of that key, or the free one where it belongs. */
struct entry *table_find(struct entry *table, uint64_t key);
bool entry_known(struct entry *entry);
void entry_set(struct entry *entry, uint64_t key, uint32_t id);
/* Under the lock. Who looks something up meanwhile does not find it, and waits for the lock. */
void table_empty(struct entry *table);

uint64_t mix(uint64_t hash, uint64_t value);
/* How much of a text is described. */
size_t text_length(const char *text);

/* classes.c; under the lock. */
bool classes_open(void);
void classes_close(JNIEnv *env);
bool classes_full(void);
void classes_forget(void);
/* 0 if it cannot be described. */
uint32_t class_id(jclass type);

/*
 * Somebody is blocked or waits in its code. LockHooks is told once, of what it inherits from the
 * application, too. False if there is no room now.
 */
bool class_meet(JNIEnv *env, jclass type);
/* Likewise, on the monitor of an object of it; LockHooks is told of all it inherits. */
bool class_meet_lock(JNIEnv *env, jclass type);
/* Likewise, an owner is in its code; those of the JDK are too many. */
bool class_meet_owner(JNIEnv *env, jclass type);

/* methods.c; under the lock. */
struct method {
    _Atomic(jmethodID) key;
    uint32_t id;
    jint line_count;
    jvmtiLineNumberEntry *lines;
    /* Whether its class was met, for somebody who was blocked or for an owner. */
    atomic_bool met;
    bool owner_met;
    /* When its lines changed last, in the order of all changes; 0 if they did not. */
    _Atomic uint32_t version;
};

bool methods_open(void);
void methods_close(void);
bool methods_full(void);
void methods_forget(void);
/* NULL if it cannot be described. */
struct method *method_of(JNIEnv *env, jmethodID key);
/* Another number whenever its lines have changed; without the lock. */
uint32_t method_version(jmethodID key);
/* Whether somebody was blocked in it before; without the lock. */
bool method_is_met(jmethodID key);
/* Its class is met; if there is no room for that now, the next time. */
void method_meet(JNIEnv *env, struct method *method);
void method_meet_owner(JNIEnv *env, struct method *method);
/* Line + 1; 0 if unknown. */
uint64_t line_of(struct method *method, jlocation location);

/* The others; what they are for is in tracer.h. */
bool chains_open(jclass hooks);
void chains_close(void);
bool chains_full(void);
void chains_forget(void);
/* False with the reason if this JVM's threads are different. */
bool threads_open(JNIEnv *env, char *reason, size_t size);
void threads_close(void);
void locks_open(void);
void locks_close(void);

#endif
