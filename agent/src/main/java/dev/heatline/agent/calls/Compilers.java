package dev.heatline.agent.calls;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/** What the JVM's compilers do. */
final class Compilers {
    private Compilers() {}

    /** What they took since the JVM was started; 0 if it has none or does not tell. */
    static long millis() {
        try {
            CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
            return compilers != null && compilers.isCompilationTimeMonitoringSupported()
                    ? compilers.getTotalCompilationTime()
                    : 0;
        } catch (LinkageError e) {
            // Made without that module.
            return 0;
        }
    }
}
