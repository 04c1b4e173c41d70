/*
 * Switches tracing on and off, for dev.heatline.agent.boot.LockHooks.
 */
#include "tracer.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

jvmtiEnv *jvmti;

static jvmtiCapabilities granted;
static uint64_t last_heartbeat;

/*
 * Tracing may end while threads are in the middle of a hook. Each says so in a counter, which it
 * shares with few others, and whoever switches off waits until all are zero.
 */
struct inside {
    _Alignas(128) _Atomic uint32_t threads;
};

#define COUNTERS 64

static struct inside inside[COUNTERS];
static atomic_bool active;

/*
 * Asking for CPU time takes as long as some hooks do, so one in so many is measured for all. By
 * chance: what a thread does comes in turns, such as parking, which is cheap, and having parked.
 */
#define MEASURED 8

static __thread uint32_t chance;
static __thread uint64_t entered_cpu;

static bool is_measured(void) {
    /* Those of Numerical Recipes; its high bits are good. Each thread begins elsewhere. */
    uint32_t last = chance == 0 ? trace_thread_number() * 2654435761U : chance;
    chance = last * 1664525U + 1013904223U;
    return chance < UINT32_MAX / MEASURED;
}

bool tracer_enter(void) {
    _Atomic uint32_t *threads = &inside[trace_thread_number() % COUNTERS].threads;
    /* Counted before asking: who switches off sets active first and counts then. */
    atomic_fetch_add(threads, 1);
    if (atomic_load(&active)) {
        entered_cpu = is_measured() ? cpu_now() : 0;
        return true;
    }
    atomic_fetch_sub(threads, 1);
    return false;
}

void tracer_leave(void) {
    if (entered_cpu != 0) {
        trace_spent(MEASURED * (cpu_now() - entered_cpu));
        entered_cpu = 0;
    }
    atomic_fetch_sub_explicit(
            &inside[trace_thread_number() % COUNTERS].threads, 1, memory_order_release);
}

static void await_nobody_inside(void) {
    for (unsigned i = 0; i < COUNTERS; i++) {
        while (atomic_load(&inside[i].threads) != 0) {
            sched_yield();
        }
    }
}

static const jvmtiEvent events[] = {
    JVMTI_EVENT_MONITOR_CONTENDED_ENTER,
    JVMTI_EVENT_MONITOR_CONTENDED_ENTERED,
    JVMTI_EVENT_MONITOR_WAIT,
    JVMTI_EVENT_MONITOR_WAITED,
};

#define EVENT_COUNT (sizeof events / sizeof events[0])

static jvmtiError set_events(jvmtiEventMode mode) {
    jvmtiError error = JVMTI_ERROR_NONE;
    for (size_t i = 0; i < EVENT_COUNT && error == JVMTI_ERROR_NONE; i++) {
        error = (*jvmti)->SetEventNotificationMode(jvmti, mode, events[i], NULL);
    }
    return error;
}

static void explain(char *reason, size_t size, const char *what, jvmtiError error) {
    char *name = NULL;
    (*jvmti)->GetErrorName(jvmti, error, &name);
    snprintf(reason, size, "the JVM does not %s: %s", what, name == NULL ? "?" : name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *) name);
}

static bool ask_for_capabilities(char *reason, size_t size) {
    jvmtiCapabilities possible;
    (*jvmti)->GetPotentialCapabilities(jvmti, &possible);
    memset(&granted, 0, sizeof granted);
    granted.can_generate_monitor_events = 1;
    granted.can_tag_objects = 1;
    granted.can_get_monitor_info = 1;
    granted.can_get_line_numbers = 1;
    granted.can_support_virtual_threads = possible.can_support_virtual_threads;
    jvmtiError error = (*jvmti)->AddCapabilities(jvmti, &granted);
    if (error != JVMTI_ERROR_NONE) {
        explain(reason, size, "let the tracer see monitors (another tool may have taken that)", error);
        return false;
    }
    return true;
}

static bool listen(char *reason, size_t size) {
    jvmtiEventCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.MonitorContendedEnter = monitor_enter;
    callbacks.MonitorContendedEntered = monitor_entered;
    callbacks.MonitorWait = monitor_wait;
    callbacks.MonitorWaited = monitor_waited;
    jvmtiError error = (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks);
    if (error == JVMTI_ERROR_NONE) {
        error = set_events(JVMTI_ENABLE);
    }
    if (error != JVMTI_ERROR_NONE) {
        explain(reason, size, "send events of monitors", error);
        return false;
    }
    return true;
}

static void dispose(void) {
    (*jvmti)->RelinquishCapabilities(jvmti, &granted);
    (*jvmti)->DisposeEnvironment(jvmti);
    jvmti = NULL;
}

static void close_all(JNIEnv *env) {
    monitors_close(env);
    trace_close();
    tables_close(env);
    dispose();
}

static bool switch_on(
        JNIEnv *env, jclass hooks, const char *file, jint blocks, char *reason, size_t size) {
    JavaVM *vm = NULL;
    if ((*env)->GetJavaVM(env, &vm) != JNI_OK
            || (*vm)->GetEnv(vm, (void **) &jvmti, JVMTI_VERSION_11) != JNI_OK) {
        snprintf(reason, size, "this JVM has no tool interface (JVM TI)");
        return false;
    }
    if (!ask_for_capabilities(reason, size) || !tables_open(env, hooks, reason, size)) {
        dispose();
        return false;
    }
    if (!trace_open(file, (uint32_t) blocks)) {
        snprintf(reason, size, "cannot create %s: %s", file, strerror(errno));
        tables_close(env);
        dispose();
        return false;
    }
    if (!monitors_open(env, hooks, reason, size)) {
        close_all(env);
        return false;
    }
    parks_open();
    last_heartbeat = 0;
    atomic_store(&active, true);
    return true;
}

/* No more events; what the trace says of itself can still be changed. */
static void silence(void) {
    set_events(JVMTI_DISABLE);
    atomic_store(&active, false);
    await_nobody_inside();
    classes_wake();
    trace_silence();
}

/* Returns what went wrong, or NULL. */
JNIEXPORT jstring HOOK(on)(JNIEnv *env, jclass hooks, jstring file, jint blocks) {
    char reason[512] = "";
    const char *path = (*env)->GetStringUTFChars(env, file, NULL);
    bool on = switch_on(env, hooks, path, blocks, reason, sizeof reason);
    (*env)->ReleaseStringUTFChars(env, file, path);
    if (on && !listen(reason, sizeof reason)) {
        silence();
        close_all(env);
        on = false;
    }
    return on ? NULL : (*env)->NewStringUTF(env, reason);
}

JNIEXPORT void HOOK(silence)(JNIEnv *env, jclass hooks) {
    (void) env;
    (void) hooks;
    silence();
}

JNIEXPORT void HOOK(close)(JNIEnv *env, jclass hooks) {
    (void) hooks;
    close_all(env);
}

/* CPU time of the calling thread. */
JNIEXPORT jlong HOOK(cpuNanos)(JNIEnv *env, jclass hooks) {
    (void) env;
    (void) hooks;
    return (jlong) cpu_now();
}

/* Counts CPU time that a thread used for tracing outside of all hooks. */
JNIEXPORT void HOOK(spent)(JNIEnv *env, jclass hooks, jlong nanos) {
    (void) env;
    (void) hooks;
    trace_spent((uint64_t) nanos);
}

/* Publishes the counters; returns whether the reader has given a sign since the last call. */
JNIEXPORT jboolean HOOK(beat)(
        JNIEnv *env, jclass hooks, jint changed, jint skipped, jint not_restored) {
    (void) env;
    (void) hooks;
    uint64_t heartbeat = trace_beat((uint64_t) changed, (uint64_t) skipped, (uint64_t) not_restored);
    bool alive = heartbeat != last_heartbeat;
    last_heartbeat = heartbeat;
    return alive;
}
