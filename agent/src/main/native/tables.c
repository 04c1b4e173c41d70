#include "tracer.h"

#include "tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

pthread_mutex_t describing = PTHREAD_MUTEX_INITIALIZER;

struct entry *table_new(void) {
    return calloc(TABLE, sizeof(struct entry));
}

uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL;
    return hash ^ (hash >> 29);
}

/* Tables are never full. */
struct entry *table_find(struct entry *table, uint64_t key) {
    for (uint64_t i = mix(0, key);; i++) {
        struct entry *entry = &table[i % TABLE];
        uint64_t found = atomic_load_explicit(&entry->key, memory_order_acquire);
        if (found == key || found == 0) {
            return entry;
        }
    }
}

bool entry_known(struct entry *entry) {
    return atomic_load_explicit(&entry->key, memory_order_acquire) != 0;
}

void entry_set(struct entry *entry, uint64_t key, uint32_t id) {
    atomic_store_explicit(&entry->id, id, memory_order_relaxed);
    atomic_store_explicit(&entry->key, key, memory_order_release);
}

void table_empty(struct entry *table) {
    for (uint32_t i = 0; i < TABLE; i++) {
        atomic_store_explicit(&table[i].key, 0, memory_order_relaxed);
    }
}

/* Together: chains are known by their methods and the versions of those. */
void describing_begin(void) {
    pthread_mutex_lock(&describing);
    if (classes_full() || methods_full() || chains_full()) {
        chains_forget();
        methods_forget();
        classes_forget();
    }
}

void describing_end(void) {
    pthread_mutex_unlock(&describing);
}

size_t text_length(const char *text) {
    return strnlen(text, TEXT_MAX);
}

bool tables_open(JNIEnv *env, jclass hooks, char *reason, size_t size) {
    if (!threads_open(env, reason, size)) {
        tables_close(env);
        return false;
    }
    locks_open();
    if (!classes_open() || !methods_open() || !chains_open(hooks) || !people_open()) {
        tables_close(env);
        snprintf(reason, size, "not enough memory for the tables of threads and call chains");
        return false;
    }
    return true;
}

void tables_close(JNIEnv *env) {
    people_close();
    locks_close();
    threads_close();
    chains_close();
    methods_close();
    classes_close(env);
}
