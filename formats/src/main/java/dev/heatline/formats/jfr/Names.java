package dev.heatline.formats.jfr;

import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.ConsumerType;
import dev.heatline.model.FrameKind;
import dev.heatline.model.ProfileBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Turns the methods and threads that events refer to into consumers, each once per chunk. */
final class Names {

    /** All virtual threads that nobody gave a name: they come by the million. */
    private static final Consumer VIRTUAL_THREADS = Consumer.thread("", "virtual threads");

    /** How async-profiler ends the descriptor of functions that are not Java methods. */
    private static final String NATIVE_DESCRIPTOR_END = ")L;";

    private static final Map<String, FrameKind> FRAME_KINDS =
            Map.of(
                    "Interpreted", FrameKind.INTERPRETED,
                    "JIT compiled", FrameKind.COMPILED,
                    "Inlined", FrameKind.INLINED,
                    "C1 compiled", FrameKind.C1_COMPILED,
                    "Native", FrameKind.NATIVE,
                    "C++", FrameKind.VM,
                    "Kernel", FrameKind.KERNEL);

    private static final Map<String, String> PRIMITIVES =
            Map.of(
                    "Z", "boolean", "B", "byte", "C", "char", "S", "short", "I", "int", "J", "long",
                    "F", "float", "D", "double");

    private static final Consumer UNKNOWN_METHOD = Consumer.label("[unknown method]");
    private static final Consumer UNKNOWN_CLASS = Consumer.label("[unknown class]");

    private final ProfileBuilder builder;
    private final UnaryOperator<Consumer> naming;
    private final LongIntMap osThreads;
    private final Texts texts;
    private final Constants methods;
    private final Constants classes;
    private final Constants threads;
    private final Constants groups;
    private final Constants frameTypes;
    private final LongIntMap methodIds = new LongIntMap();
    private final LongIntMap threadIds = new LongIntMap();
    private final LongIntMap frameKinds = new LongIntMap();
    private final LongIntMap classIds = new LongIntMap();
    private final List<String> classNames = new ArrayList<>();

    /**
     * @param naming what methods are to be called instead
     * @param osThreads takes the consumers of threads by the operating system's numbers
     */
    Names(
            Metadata metadata,
            ConstantPools pools,
            ProfileBuilder builder,
            UnaryOperator<Consumer> naming,
            LongIntMap osThreads) {
        this.builder = builder;
        this.naming = naming;
        this.osThreads = osThreads;
        texts = new Texts(metadata, pools);
        methods = new Constants(metadata, pools, "jdk.types.Method", "type", "name", "descriptor");
        classes = new Constants(metadata, pools, "java.lang.Class", "name");
        threads =
                new Constants(
                        metadata,
                        pools,
                        "java.lang.Thread",
                        "javaName",
                        "osName",
                        "group",
                        "virtual",
                        "osThreadId");
        groups = new Constants(metadata, pools, "jdk.types.ThreadGroup", "name");
        frameTypes = new Constants(metadata, pools, "jdk.types.FrameType", "description");
    }

    /** The consumer id of a method. */
    int method(long id) {
        int consumer = methodIds.get(id);
        if (consumer == LongIntMap.ABSENT) {
            consumer = builder.consumer(naming.apply(decodeMethod(id)));
            methodIds.putIfAbsent(id, consumer);
        }
        return consumer;
    }

    private Consumer decodeMethod(long id) {
        if (!methods.find(id)) {
            return UNKNOWN_METHOD;
        }
        long type = methods.number(0);
        long nameSlot = methods.number(1);
        long descriptorSlot = methods.number(2);
        String name = texts.of(methods.field(1), nameSlot);
        String descriptor = texts.of(methods.field(2), descriptorSlot);
        if (descriptor.endsWith(NATIVE_DESCRIPTOR_END)) {
            return Consumer.method("", name, "");
        }
        return Consumer.method(className(type), name, descriptor);
    }

    /** The consumer id of a class, arrays as they are declared. */
    int type(long id) {
        String name = className(id);
        return builder.consumer(
                name.isEmpty()
                        ? UNKNOWN_CLASS
                        : new Consumer(ConsumerType.CLASS, "", declared(name), ""));
    }

    private static String declared(String name) {
        int dimensions = name.lastIndexOf('[') + 1;
        if (dimensions == 0) {
            return name;
        }
        String element = name.substring(dimensions);
        String written =
                element.startsWith("L") && element.endsWith(";")
                        ? element.substring(1, element.length() - 1)
                        : PRIMITIVES.getOrDefault(element, element);
        return written + "[]".repeat(dimensions);
    }

    private String className(long id) {
        int index = classIds.get(id);
        if (index == LongIntMap.ABSENT) {
            index = classNames.size();
            classNames.add(
                    classes.find(id)
                            ? texts.of(classes.field(0), classes.number(0)).replace('/', '.')
                            : "");
            classIds.putIfAbsent(id, index);
        }
        return classNames.get(index);
    }

    /** The consumer id of a thread, or {@link Column#NO_THREAD} if nothing is known of it. */
    int thread(long id) {
        int consumer = threadIds.get(id);
        if (consumer == LongIntMap.ABSENT) {
            if (!threads.find(id)) {
                return Column.NO_THREAD;
            }
            consumer = builder.consumer(decodeThread(id));
            threadIds.putIfAbsent(id, consumer);
            // A virtual thread has none of its own.
            if (threads.number(3) == 0 && threads.number(4) > 0) {
                osThreads.putIfAbsent(threads.number(4), consumer);
            }
        }
        return consumer;
    }

    private Consumer decodeThread(long id) {
        long javaName = threads.number(0);
        long osName = threads.number(1);
        long group = threads.number(2);
        boolean virtual = threads.number(3) != 0;
        String name = texts.of(threads.field(0), javaName);
        if (name.isEmpty()) {
            if (virtual) {
                return VIRTUAL_THREADS;
            }
            name = texts.of(threads.field(1), osName);
        }
        String groupName =
                threads.field(2) != null && groups.find(group)
                        ? texts.of(groups.field(0), groups.number(0))
                        : "";
        return Consumer.thread(groupName, name.isEmpty() ? "thread " + id : name);
    }

    /** The code of the {@link FrameKind} that a frame type means. */
    int frameKind(long id) {
        int kind = frameKinds.get(id);
        if (kind == LongIntMap.ABSENT) {
            String description =
                    frameTypes.find(id) ? texts.of(frameTypes.field(0), frameTypes.number(0)) : "";
            kind = FRAME_KINDS.getOrDefault(description, FrameKind.UNKNOWN).code();
            frameKinds.putIfAbsent(id, kind);
        }
        return kind;
    }
}
