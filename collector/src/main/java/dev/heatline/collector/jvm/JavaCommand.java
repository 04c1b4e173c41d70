package dev.heatline.collector.jvm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The command a JVM was started with.
 *
 * @param options what stands before the main class
 * @param main the main class or jar; empty if that is in a file of arguments
 */
record JavaCommand(List<String> options, String main) {

    /** Options of the launcher whose value is the next argument. */
    private static final Set<String> WITH_VALUE =
            Set.of(
                    "-cp",
                    "-classpath",
                    "--class-path",
                    "-p",
                    "--module-path",
                    "--upgrade-module-path",
                    "--add-modules",
                    "--enable-native-access",
                    "--add-reads",
                    "--add-exports",
                    "--add-opens",
                    "--limit-modules",
                    "--patch-module",
                    "--source");

    private static final Set<String> BEFORE_MAIN = Set.of("-jar", "-m", "--module");

    static JavaCommand of(List<String> arguments) {
        List<String> options = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (BEFORE_MAIN.contains(argument) && i + 1 < arguments.size()) {
                return new JavaCommand(options, arguments.get(i + 1));
            }
            if (!argument.startsWith("-") && !argument.startsWith("@")) {
                return new JavaCommand(options, argument);
            }
            options.add(argument);
            if (WITH_VALUE.contains(argument) && i + 1 < arguments.size()) {
                i++;
                options.add(arguments.get(i));
            }
        }
        return new JavaCommand(options, "");
    }

    /** The system properties that were set. */
    Map<String, String> properties() {
        Map<String, String> properties = new HashMap<>();
        for (String option : options) {
            int equals = option.indexOf('=');
            if (option.startsWith("-D") && equals > 0) {
                properties.put(option.substring(2, equals), option.substring(equals + 1));
            }
        }
        return properties;
    }
}
