package dev.heatline.collector.proc;

import java.util.List;
import java.util.Optional;

/**
 * Whether the CPU times that this kernel tells of threads and processes have stolen time in them.
 * {@code /proc/stat} tells it apart in any case.
 *
 * <p>Both {@code stat} and {@code schedstat} of a thread go back to the scheduler's clock of tasks.
 * A kernel with {@code CONFIG_PARAVIRT_TIME_ACCOUNTING} stops that clock while the hypervisor has
 * taken the CPU away, on KVM, Xen and VMware alike, unless it was started with {@code
 * no-steal-acc}. Without that setting, as in 001 §5.1, the clock goes on and stolen time is taken
 * for CPU time.
 */
public enum StealCounting {
    /** CPU times are too long by what was stolen. */
    INCLUDED,

    /** CPU times are right, and what was stolen is missing in them. */
    EXCLUDED,

    /** Nobody tells. Taken for excluded: what is subtracted twice would be worse. */
    UNKNOWN;

    private static final String SETTING = "CONFIG_PARAVIRT_TIME_ACCOUNTING=y";
    private static final String SWITCHED_OFF = "no-steal-acc";

    /**
     * @param configuration that the kernel was built with, if it can be read
     * @param commandLine that it was started with
     */
    static StealCounting of(Optional<String> configuration, String commandLine) {
        if (configuration.isEmpty()) {
            return UNKNOWN;
        }
        boolean stopsClock =
                configuration.get().lines().anyMatch(SETTING::equals)
                        && !List.of(commandLine.strip().split(" ", -1)).contains(SWITCHED_OFF);
        return stopsClock ? EXCLUDED : INCLUDED;
    }
}
