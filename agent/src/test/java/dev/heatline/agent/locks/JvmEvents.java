package dev.heatline.agent.locks;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which events of monitors a JVM would tell an agent. It has a byte for each, which is 1 as long as
 * some agent wants them, and its library says where these are.
 */
final class JvmEvents {
    static final Set<String> OF_MONITORS =
            new TreeSet<>(
                    Set.of(
                            "monitor_contended_enter",
                            "monitor_contended_entered",
                            "monitor_wait",
                            "monitor_waited"));

    private static final Pattern SYMBOL =
            Pattern.compile("([0-9a-f]+) \\w _ZN11JvmtiExport\\d+_should_post_(monitor_\\w+)E");

    private final Path library;
    private final Map<String, Long> offsets;

    private JvmEvents(Path library, Map<String, Long> offsets) {
        this.library = library;
        this.offsets = offsets;
    }

    static JvmEvents of(Path jvm) throws IOException, InterruptedException {
        Path library = jvm.resolve("lib/server/libjvm.so").toRealPath();
        Map<String, Long> offsets = new HashMap<>();
        Process symbols;
        try {
            symbols = new ProcessBuilder("nm", library.toString()).start();
        } catch (IOException e) {
            return abort("the JVM's symbols cannot be listed: " + e.getMessage());
        }
        symbols.inputReader().lines().forEach(line -> note(line, offsets));
        assumeTrue(symbols.waitFor() == 0 && !offsets.isEmpty(), "the JVM has no symbols");
        return new JvmEvents(library, offsets);
    }

    private static void note(String line, Map<String, Long> offsets) {
        Matcher symbol = SYMBOL.matcher(line);
        if (symbol.matches()) {
            offsets.put(symbol.group(2), Long.parseLong(symbol.group(1), 16));
        }
    }

    /** Those that somebody wants. */
    Set<String> told(Traced target) throws IOException {
        long start = target.program().addressOf(library);
        Set<String> told = new TreeSet<>();
        for (Map.Entry<String, Long> event : offsets.entrySet()) {
            if (target.program().memory(start + event.getValue()) != 0) {
                told.add(event.getKey());
            }
        }
        return told;
    }
}
