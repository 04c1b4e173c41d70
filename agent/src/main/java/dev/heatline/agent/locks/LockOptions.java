package dev.heatline.agent.locks;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What an attaching tool asks for: {@code locks=on,folder=DIR,blocks=N}, or {@code
 * locks=off,folder=DIR} to end what it began.
 *
 * @param folder a private folder of the tool's, for the trace and the answer
 * @param blocks of the trace file
 * @param problem why it cannot be done, if so
 */
record LockOptions(boolean isOn, @Nullable Path folder, int blocks, @Nullable String problem) {
    private static final int BLOCKS = 1024;
    private static final int FEWEST_BLOCKS = 4;
    private static final int MOST_BLOCKS = 64 * 1024;

    static LockOptions of(String text) {
        String locks = "";
        Path folder = null;
        int blocks = BLOCKS;
        String problem = null;
        for (String option : text.split(",", -1)) {
            String value = option.substring(option.indexOf('=') + 1);
            if (option.startsWith("locks=")) {
                locks = value;
            } else if (option.startsWith("folder=")) {
                folder = Path.of(value);
            } else if (option.startsWith("blocks=")) {
                blocks = parse(value);
            } else {
                problem = "unknown option " + option + "; there are locks=, folder= and blocks=";
            }
        }
        if (!locks.equals("on") && !locks.equals("off")) {
            problem = "say locks=on or locks=off";
        } else if (blocks < FEWEST_BLOCKS || blocks > MOST_BLOCKS) {
            problem = "blocks= takes a number from " + FEWEST_BLOCKS + " to " + MOST_BLOCKS;
        } else if (folder == null) {
            problem = "locks=" + locks + " needs folder=";
        }
        // Whatever is not understood is not a reason to switch something off.
        return new LockOptions(!locks.equals("off"), folder, blocks, problem);
    }

    private static int parse(String number) {
        try {
            return Integer.parseInt(number);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
