/*
 * Which classes have monitors, so that only those are changed: a method of a changed class that is
 * running stays interpreted until it returns, which some never do.
 */
#include <jvmti.h>
#include <stdbool.h>
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

/*
 * Sets to null the classes that have none. Without an answer of the JVM's all of them stay. Opcodes
 * have these lengths; 0 where it depends.
 */
JNIEXPORT void HOOK(keepThoseWithMonitors)(
        JNIEnv *env, jclass hooks, jobjectArray types, jbyteArray opcode_lengths) {
    (void) hooks;
    jbyte lengths[256];
    (*env)->GetByteArrayRegion(env, opcode_lengths, 0, 256, lengths);
    JavaVM *vm = NULL;
    jvmtiEnv *ti = NULL;
    jvmtiCapabilities wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.can_get_bytecodes = 1;
    if ((*env)->GetJavaVM(env, &vm) != JNI_OK
            || (*vm)->GetEnv(vm, (void **) &ti, JVMTI_VERSION_11) != JNI_OK) {
        return;
    }
    if ((*ti)->AddCapabilities(ti, &wanted) == JVMTI_ERROR_NONE) {
        jsize count = (*env)->GetArrayLength(env, types);
        for (jsize i = 0; i < count; i++) {
            jclass type = (*env)->GetObjectArrayElement(env, types, i);
            if (!class_has_monitor(ti, type, lengths)) {
                (*env)->SetObjectArrayElement(env, types, i, NULL);
            }
            (*env)->DeleteLocalRef(env, type);
        }
    }
    (*ti)->DisposeEnvironment(ti);
}
