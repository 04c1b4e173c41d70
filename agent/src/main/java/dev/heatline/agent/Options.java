package dev.heatline.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What stands behind the {@code =} of {@code -javaagent:heatline-agent.jar=app=shop,version=1.2}.
 *
 * @param values by name
 * @param problems what could not be understood and was left out
 */
record Options(Map<String, String> values, List<String> problems) {
    private static final Set<String> NAMES = Set.of("app", "version", "instance");
    private static final String LABEL = "label.";
    private static final String SERVER = "server";

    static Options of(String text) {
        Map<String, String> values = new TreeMap<>();
        List<String> problems = new ArrayList<>();
        for (String option : text.split(",", -1)) {
            int equals = option.indexOf('=');
            String name = option.substring(0, Math.max(0, equals)).strip();
            boolean known =
                    NAMES.contains(name)
                            || (name.startsWith(LABEL) && name.length() > LABEL.length());
            if (known) {
                values.put(name, option.substring(equals + 1).strip());
            } else if (name.equals(SERVER)) {
                problems.add(
                        "the agent sends nothing, so it has no option server=; say it to the"
                                + " collector: heatline collect --server URL");
            } else if (!option.isBlank()) {
                problems.add(
                        "unknown agent option "
                                + option.strip()
                                + "; there are app=, version=, instance= and label.NAME=");
            }
        }
        return new Options(values, problems);
    }
}
