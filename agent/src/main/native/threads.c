/*
 * Threads, by their identifiers. Threads come and go: when there have been many, all are forgotten,
 * and described again when next seen.
 */
#include "tracer.h"

#include "tables.h"

#include <stdio.h>
#include <stdlib.h>

#define THREADS (96 * 1024)

static struct entry *threads;
static uint32_t thread_count;

static jfieldID thread_id;
static jfieldID thread_name;

bool threads_open(JNIEnv *env, char *reason, size_t size) {
    jclass type = (*env)->FindClass(env, "java/lang/Thread");
    if (type != NULL) {
        thread_id = (*env)->GetFieldID(env, type, "tid", "J");
    }
    if (type != NULL && thread_id != NULL) {
        thread_name = (*env)->GetFieldID(env, type, "name", "Ljava/lang/String;");
    }
    if ((*env)->ExceptionCheck(env)) {
        (*env)->ExceptionClear(env);
        snprintf(reason, size, "this JVM's threads have no fields tid and name");
        return false;
    }
    thread_count = 0;
    threads = table_new();
    if (threads == NULL) {
        snprintf(reason, size, "not enough memory for the table of threads");
    }
    return threads != NULL;
}

void threads_close(void) {
    free(threads);
    threads = NULL;
}

/* Under the lock. */
static void describe(JNIEnv *env, jthread thread, uint64_t id) {
    /* By its field: whoever asks the JVM from within a virtual thread's scheduling may hang. */
    jstring name = (*env)->GetObjectField(env, thread, thread_name);
    const char *text = name == NULL ? NULL : (*env)->GetStringUTFChars(env, name, NULL);
    bool virtual = (*env)->GetVersion(env) >= JNI_VERSION_21 && (*env)->IsVirtualThread(env, thread);
    if (metadata_begin(THREAD, 30 + text_length(text == NULL ? "" : text))) {
        thread_count++;
        metadata_put(id);
        metadata_text(text == NULL ? "" : text);
        metadata_put(virtual);
        metadata_end();
        if (thread_count > THREADS) {
            table_empty(threads);
            thread_count = 0;
        }
        entry_set(table_find(threads, id), id, 1);
    }
    if (text != NULL) {
        (*env)->ReleaseStringUTFChars(env, name, text);
    }
    (*env)->DeleteLocalRef(env, name);
}

uint64_t thread_of(JNIEnv *env, jthread thread) {
    uint64_t id = (uint64_t) (*env)->GetLongField(env, thread, thread_id);
    if (!entry_known(table_find(threads, id)) && !trace_is_full()) {
        pthread_mutex_lock(&describing);
        if (!entry_known(table_find(threads, id))) {
            describe(env, thread, id);
        }
        pthread_mutex_unlock(&describing);
    }
    return id;
}
