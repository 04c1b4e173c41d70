/*
 * Call chains, by their frames.
 */
#include "tracer.h"

#include "tables.h"

#include <stdlib.h>
#include <string.h>

#define CHAINS (64 * 1024)

static struct entry *chains;
static uint32_t chain_count;
static uint32_t last_id;
/* How often all were forgotten. */
static _Atomic uint32_t forgotten;

/* A method of the hooks; what waits has the application's call of Object.wait outside of it. */
struct hook {
    jmethodID method;
    bool waits;
};

/* More than there are, so that searches end soon. */
#define HOOKS 256

static struct hook known_hooks[HOOKS];

/* How many innermost frames may be in a hook. */
#define INNERMOST 16

/* That of the method, or the free place where it belongs. */
static struct hook *hook_of(jmethodID method) {
    uint64_t i = mix(0, (uintptr_t) method) % HOOKS;
    while (known_hooks[i].method != NULL && known_hooks[i].method != method) {
        i = (i + 1) % HOOKS;
    }
    return &known_hooks[i];
}

static void find_hooks(jclass type) {
    jint count = 0;
    jmethodID *methods = NULL;
    memset(known_hooks, 0, sizeof known_hooks);
    (*jvmti)->GetClassMethods(jvmti, type, &count, &methods);
    for (jint i = 0; i < count; i++) {
        char *name = NULL;
        if ((*jvmti)->GetMethodName(jvmti, methods[i], &name, NULL, NULL) == JVMTI_ERROR_NONE) {
            *hook_of(methods[i]) = (struct hook) {methods[i], strcmp(name, "await") == 0};
        }
        (*jvmti)->Deallocate(jvmti, (unsigned char *) name);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *) methods);
}

bool chains_open(jclass hooks) {
    chains = table_new();
    chain_count = 0;
    last_id = 0;
    find_hooks(hooks);
    return chains != NULL;
}

bool chains_full(void) {
    return chain_count >= CHAINS;
}

void chains_forget(void) {
    atomic_fetch_add_explicit(&forgotten, 1, memory_order_relaxed);
    /* Who sees an entry that is set from now on sees that, too. */
    atomic_thread_fence(memory_order_release);
    table_empty(chains);
    chain_count = 0;
}

void chains_close(void) {
    free(chains);
    chains = NULL;
}

/* Under the lock; false if there is no room for it. */
static bool describe(
        JNIEnv *env, uint32_t id, const jvmtiFrameInfo *frames, jint count, bool cut_off) {
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

/*
 * The number of a chain; 0 if it is not known. Without the lock, an entry may become another chain's
 * between its key and its number.
 */
static uint32_t known(uint64_t key) {
    uint32_t before = atomic_load_explicit(&forgotten, memory_order_acquire);
    struct entry *entry = table_find(chains, key);
    uint32_t id = 0;
    if (entry_known(entry)) {
        id = atomic_load_explicit(&entry->id, memory_order_relaxed);
    }
    atomic_thread_fence(memory_order_acquire);
    return atomic_load_explicit(&forgotten, memory_order_relaxed) == before ? id : 0;
}

static uint32_t chain_id(JNIEnv *env, const struct frames *taken) {
    const jvmtiFrameInfo *frames = taken->frame;
    jint count = taken->count;
    bool cut_off = taken->cut_off;
    /* One that is whole is another chain than one of which the same frames were kept. */
    uint64_t key = cut_off ? 3 : 1;
    for (jint i = 0; i < count; i++) {
        key = mix(mix(key, (uintptr_t) frames[i].method), (uint64_t) frames[i].location);
        key = mix(key, method_version(frames[i].method));
    }
    key |= 1;
    uint32_t id = known(key);
    if (id == 0) {
        describing_begin();
        id = known(key);
        if (id == 0 && describe(env, last_id + 1, frames, count, cut_off)) {
            id = ++last_id;
            chain_count++;
            entry_set(table_find(chains, key), key, id);
        }
        describing_end();
        if (id == 0) {
            trace_count_dropped();
        }
    }
    return id;
}

/* False if there are none, or if the event will hardly find room: then it is not worth it. */
static bool take_frames(jthread thread, int skip, struct frames *taken) {
    taken->count = 0;
    taken->cut_off = false;
    if (trace_is_full()) {
        trace_count_dropped();
        return false;
    }
    (*jvmti)->GetStackTrace(jvmti, thread, skip, FRAMES + 1, taken->frame, &taken->count);
    if (taken->count > FRAMES) {
        taken->count = FRAMES;
        taken->cut_off = true;
    }
    return taken->count > 0;
}

/*
 * Takes out what is not the application's: a hook with all that was going on in it, and what stands
 * between the application and Object.wait.
 */
static void strip_hooks(struct frames *taken) {
    jint kept = 0;
    for (jint i = 0; i < taken->count; i++) {
        const struct hook *hook = i < INNERMOST ? hook_of(taken->frame[i].method) : NULL;
        if (hook == NULL || hook->method == NULL) {
            taken->frame[kept++] = taken->frame[i];
        } else if (!hook->waits) {
            kept = 0;
        }
    }
    taken->count = kept;
}

uint32_t chain_here(JNIEnv *env, int skip) {
    /* By NULL: by its name the JVM would first stop virtual threads from changing carriers. */
    struct frames taken;
    return take_frames(NULL, skip, &taken) ? chain_id(env, &taken) : 0;
}

uint32_t chain_of(JNIEnv *env, jthread thread, struct frames *taken) {
    if (!take_frames(thread, 0, taken)) {
        return 0;
    }
    strip_hooks(taken);
    return taken->count == 0 ? 0 : chain_id(env, taken);
}

void frames_meet_blocked(JNIEnv *env, const struct frames *taken) {
    if (taken->count == 0 || method_is_met(taken->frame[0].method)) {
        return;
    }
    describing_begin();
    struct method *method = method_of(env, taken->frame[0].method);
    if (method != NULL) {
        method_meet(env, method);
    }
    describing_end();
}

void frames_meet_owner(JNIEnv *env, const struct frames *taken) {
    describing_begin();
    for (jint i = 0; i < taken->count; i++) {
        struct method *method = method_of(env, taken->frame[i].method);
        if (method != NULL) {
            method_meet_owner(env, method);
        }
    }
    describing_end();
}
