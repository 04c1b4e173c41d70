/*
 * Call chains, by their frames.
 */
#include "tracer.h"

#include "tables.h"

#include <stdlib.h>

#define CHAINS (64 * 1024)

static struct entry *chains;
static uint32_t chain_count;

bool chains_open(void) {
    chains = table_new();
    chain_count = 0;
    return chains != NULL;
}

void chains_close(void) {
    free(chains);
    chains = NULL;
}

/* Under the lock; false if there is no room for it. */
static bool describe(
        JNIEnv *env, uint32_t id, jvmtiFrameInfo *frames, jint count, bool cut_off) {
    uint64_t described[FRAMES][2];
    for (jint i = 0; i < count; i++) {
        struct method *method = method_of(env, frames[i].method);
        if (method == NULL) {
            return false;
        }
        described[i][0] = method->id;
        described[i][1] = line_of(method, frames[i].location);
    }
    if (!metadata_begin(CHAIN, 20 + (size_t) count * 10)) {
        return false;
    }
    metadata_put(id);
    metadata_put((uint64_t) count);
    for (jint i = 0; i < count; i++) {
        metadata_put(described[i][0]);
        metadata_put(described[i][1]);
    }
    metadata_put(cut_off);
    metadata_end();
    return true;
}

static uint32_t chain_id(JNIEnv *env, jvmtiFrameInfo *frames, jint count) {
    bool cut_off = count > FRAMES;
    count = cut_off ? FRAMES : count;
    /* One that is whole is another chain than one of which the same frames were kept. */
    uint64_t key = cut_off ? 3 : 1;
    for (jint i = 0; i < count; i++) {
        key = mix(mix(key, (uintptr_t) frames[i].method), (uint64_t) frames[i].location);
        key = mix(key, method_version(frames[i].method));
    }
    key |= 1;
    struct entry *entry = table_find(chains, key);
    if (!entry_known(entry)) {
        pthread_mutex_lock(&describing);
        entry = table_find(chains, key);
        if (!entry_known(entry)) {
            if (chain_count < CHAINS
                    && describe(env, chain_count + 1, frames, count, cut_off)) {
                entry_set(entry, key, ++chain_count);
            } else {
                trace_count_dropped();
                entry = NULL;
            }
        }
        pthread_mutex_unlock(&describing);
    }
    return entry == NULL ? 0 : entry->id;
}

static uint32_t take_chain(JNIEnv *env, jthread thread, int skip, struct frames *taken) {
    taken->count = 0;
    if (trace_is_full()) {
        /* The event will hardly find room; not worth walking the stack for. */
        trace_count_dropped();
        return 0;
    }
    if ((*jvmti)->GetStackTrace(
                jvmti, thread, skip, FRAMES + 1, taken->frame, &taken->count)
                    != JVMTI_ERROR_NONE
            || taken->count == 0) {
        return 0;
    }
    return chain_id(env, taken->frame, taken->count);
}

uint32_t chain_here(JNIEnv *env, int skip) {
    /* By NULL: by its name the JVM would first stop virtual threads from changing carriers. */
    struct frames taken;
    return take_chain(env, NULL, skip, &taken);
}

uint32_t chain_of(JNIEnv *env, jthread thread, struct frames *taken) {
    return take_chain(env, thread, 0, taken);
}

void frames_meet_blocked(JNIEnv *env, const struct frames *taken) {
    if (taken->count == 0 || method_is_met(taken->frame[0].method)) {
        return;
    }
    pthread_mutex_lock(&describing);
    struct method *method = method_of(env, taken->frame[0].method);
    if (method != NULL) {
        method_meet(env, method);
    }
    pthread_mutex_unlock(&describing);
}

void frames_meet_owner(JNIEnv *env, const struct frames *taken) {
    pthread_mutex_lock(&describing);
    for (jint i = 0; i < taken->count && i < FRAMES; i++) {
        struct method *method = method_of(env, taken->frame[i].method);
        if (method != NULL) {
            method_meet_owner(env, method);
        }
    }
    pthread_mutex_unlock(&describing);
}
