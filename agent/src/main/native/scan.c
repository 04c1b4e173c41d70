/*
 * Which classes have monitors, so that only those are changed: a method of a changed class that is
 * running stays interpreted until it returns, which some never do. And which wait and notify.
 */
#include <jvmti.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tracer.h"

#define ACC_SYNCHRONIZED 0x0020

enum { IINC = 132, TABLESWITCH = 170, LOOKUPSWITCH = 171, MONITORENTER = 194, WIDE = 196 };

static jint number(const unsigned char *bytes) {
    return (jint) ((unsigned) bytes[0] << 24 | (unsigned) bytes[1] << 16
            | (unsigned) bytes[2] << 8 | bytes[3]);
}

static jint length_at(const unsigned char *code, jint at, const jbyte *lengths) {
    jint operands = ((at + 4) & ~3);
    switch (code[at]) {
        case WIDE:
            return code[at + 1] == IINC ? 6 : 4;
        case TABLESWITCH:
            return operands + 12 - at
                    + 4 * (number(code + operands + 8) - number(code + operands + 4) + 1);
        case LOOKUPSWITCH:
            return operands + 8 - at + 8 * number(code + operands + 4);
        default:
            return lengths[code[at]];
    }
}

static bool enters(const unsigned char *code, jint count, const jbyte *lengths) {
    for (jint at = 0; at < count; at += length_at(code, at, lengths)) {
        if (code[at] == MONITORENTER) {
            return true;
        }
    }
    return false;
}

static bool method_has_monitor(jvmtiEnv *ti, jmethodID method, const jbyte *lengths) {
    jint modifiers = 0;
    (*ti)->GetMethodModifiers(ti, method, &modifiers);
    unsigned char *code = NULL;
    jint count = 0;
    if ((modifiers & ACC_SYNCHRONIZED) != 0) {
        return true;
    }
    if ((*ti)->GetBytecodes(ti, method, &count, &code) != JVMTI_ERROR_NONE) {
        return false;
    }
    bool found = enters(code, count, lengths);
    (*ti)->Deallocate(ti, code);
    return found;
}

static bool class_has_monitor(jvmtiEnv *ti, jclass type, const jbyte *lengths) {
    jint count = 0;
    jmethodID *methods = NULL;
    if ((*ti)->GetClassMethods(ti, type, &count, &methods) != JVMTI_ERROR_NONE) {
        /* Not linked yet: none of its methods is running. */
        return true;
    }
    bool found = false;
    for (jint i = 0; i < count && !found; i++) {
        found = method_has_monitor(ti, methods[i], lengths);
    }
    (*ti)->Deallocate(ti, (unsigned char *) methods);
    return found;
}

/* Constants of a class file, by their tags; long ones take two places. */
enum { UTF8 = 1, LONG = 5, DOUBLE = 6, NAME_AND_TYPE = 12 };

static unsigned two_bytes(const unsigned char *at) {
    return (unsigned) at[0] << 8 | at[1];
}

/* How long a constant is with its tag; 0 if there is no such tag. */
static int constant_length(const unsigned char *at) {
    static const int lengths[] = {0, 0, 0, 5, 5, 9, 9, 3, 3, 5, 5, 5, 5, 0, 0, 4, 3, 5, 5, 3, 3};
    if (*at == UTF8) {
        return 3 + (int) two_bytes(at + 1);
    }
    return *at < sizeof lengths / sizeof lengths[0] ? lengths[*at] : 0;
}

struct call {
    const char *name;
    const char *descriptor;
};

/* What is looked for. */
struct search {
    /* Of opcodes; 0 where it depends; NULL where only calls count. */
    const jbyte *lengths;
    /* Ends with one without a name. */
    const struct call *calls;
    /* Room for the texts of a class, as many as an index can tell. */
    const unsigned char **texts;
};

#define MOST_CONSTANTS (1 << 16)

static bool is_text(const unsigned char *text, const char *expected) {
    size_t length = strlen(expected);
    return text != NULL && two_bytes(text + 1) == length && memcmp(text + 3, expected, length) == 0;
}

static bool is_one_of(
        const unsigned char *name, const unsigned char *descriptor, const struct call *calls) {
    for (; calls->name != NULL; calls++) {
        if (is_text(name, calls->name) && is_text(descriptor, calls->descriptor)) {
            return true;
        }
    }
    return false;
}

/* Notes where the texts are, or returns whether one of the calls is there. */
static bool look_through(
        const unsigned char *pool, jint bytes, jint count, const struct search *search,
        bool noting) {
    const unsigned char *at = pool;
    for (jint i = 1; i < count && at < pool + bytes && constant_length(at) > 0; i++) {
        if (noting) {
            search->texts[i] = *at == UTF8 ? at : NULL;
        } else if (*at == NAME_AND_TYPE) {
            const unsigned char *name = search->texts[two_bytes(at + 1)];
            const unsigned char *descriptor = search->texts[two_bytes(at + 3)];
            if (is_one_of(name, descriptor, search->calls)) {
                return true;
            }
        }
        i += *at == LONG || *at == DOUBLE;
        at += constant_length(at);
    }
    return false;
}

static bool class_calls(jvmtiEnv *ti, jclass type, const struct search *search) {
    jint count = 0;
    jint bytes = 0;
    unsigned char *pool = NULL;
    if ((*ti)->GetConstantPool(ti, type, &count, &bytes, &pool) != JVMTI_ERROR_NONE) {
        /* Not linked yet. */
        return true;
    }
    memset(search->texts, 0, (size_t) count * sizeof *search->texts);
    look_through(pool, bytes, count, search, true);
    bool found = look_through(pool, bytes, count, search, false);
    (*ti)->Deallocate(ti, pool);
    return found;
}

/* Sets to null the classes that have nothing of it; without an answer of the JVM's all stay. */
static void keep(JNIEnv *env, jobjectArray types, struct search *search) {
    JavaVM *vm = NULL;
    jvmtiEnv *ti = NULL;
    jvmtiCapabilities wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.can_get_bytecodes = 1;
    wanted.can_get_constant_pool = 1;
    if ((*env)->GetJavaVM(env, &vm) != JNI_OK
            || (*vm)->GetEnv(vm, (void **) &ti, JVMTI_VERSION_11) != JNI_OK) {
        return;
    }
    search->texts = malloc(MOST_CONSTANTS * sizeof *search->texts);
    if (search->texts != NULL && (*ti)->AddCapabilities(ti, &wanted) == JVMTI_ERROR_NONE) {
        jsize count = (*env)->GetArrayLength(env, types);
        for (jsize i = 0; i < count; i++) {
            jclass type = (*env)->GetObjectArrayElement(env, types, i);
            bool has = type != NULL
                    && (class_calls(ti, type, search)
                            || (search->lengths != NULL
                                    && class_has_monitor(ti, type, search->lengths)));
            if (type != NULL && !has) {
                (*env)->SetObjectArrayElement(env, types, i, NULL);
            }
            (*env)->DeleteLocalRef(env, type);
        }
    }
    free(search->texts);
    (*ti)->DisposeEnvironment(ti);
}

#define WAITS {"wait", "()V"}, {"wait", "(J)V"}, {"wait", "(JI)V"}
#define NOTIFIES {"notify", "()V"}, {"notifyAll", "()V"}
#define NO_MORE {NULL, NULL}

static const struct call waits[] = {WAITS, NO_MORE};
static const struct call notifies[] = {NOTIFIES, NO_MORE};
static const struct call both[] = {WAITS, NOTIFIES, NO_MORE};

JNIEXPORT void HOOK(keepThoseWithMonitors)(
        JNIEnv *env, jclass hooks, jobjectArray types, jbyteArray opcode_lengths) {
    (void) hooks;
    jbyte lengths[256];
    (*env)->GetByteArrayRegion(env, opcode_lengths, 0, 256, lengths);
    struct search search = {lengths, both, NULL};
    keep(env, types, &search);
}

JNIEXPORT void HOOK(keepThoseThatWait)(JNIEnv *env, jclass hooks, jobjectArray types) {
    (void) hooks;
    struct search search = {NULL, waits, NULL};
    keep(env, types, &search);
}

JNIEXPORT void HOOK(keepThoseThatNotify)(JNIEnv *env, jclass hooks, jobjectArray types) {
    (void) hooks;
    struct search search = {NULL, notifies, NULL};
    keep(env, types, &search);
}
