package dev.heatline.collector.jvm;

import dev.heatline.wire.ProcessKey;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a JVM calls its threads. The kernel knows at most 15 bytes of a name, and none of the first
 * thread's; the JVM tells all of it in a thread dump, for which it stops its threads once.
 */
public final class ThreadNames {
    /** The stacks of some ten thousand threads, of which only the names are wanted. */
    private static final int MAX_ANSWER = 64 << 20;

    /**
     * A name may hold quotes and ends of lines; what follows it on its line does not. JDK 17 writes
     * the thread's number in hexadecimal, 25 in decimal.
     */
    private static final Pattern THREAD =
            Pattern.compile(
                    "(?m)^\"((?s:.{0,4096}?))\" [^\"\n]*\\bnid=(?:0x(\\p{XDigit}{1,8})|(\\d{1,10})) ");

    private ThreadNames() {}

    /**
     * The names of the threads with these numbers, as far as they live and are the JVM's own,
     * without what a terminal would obey.
     *
     * @throws JvmException if it cannot be attached to, has ended, or does not answer
     */
    public static Map<Long, String> of(Jvm jvm, Iterable<Long> tids) {
        String dump;
        try (DiagnosticCommands commands = DiagnosticCommands.of(jvm)) {
            dump = commands.run("Thread.print", MAX_ANSWER);
        }
        Map<Long, String> there = parse(dump);
        boolean same = new RunningProcess(jvm.pid()).pidThere() == jvm.pid();
        Map<Long, String> names = new HashMap<>();
        for (long tid : tids) {
            String name = there.get(same ? tid : new ProcessKey(tid, "").there().pid());
            if (name != null) {
                names.put(tid, name);
            }
        }
        return names;
    }

    /** By the numbers that the threads have for themselves. */
    static Map<Long, String> parse(String dump) {
        Map<Long, String> names = new HashMap<>();
        Matcher thread = THREAD.matcher(dump);
        while (thread.find()) {
            long number =
                    thread.group(2) != null
                            ? Long.parseLong(thread.group(2), 16)
                            : Long.parseLong(thread.group(3));
            names.put(number, OneLine.of(thread.group(1)));
        }
        return names;
    }
}
