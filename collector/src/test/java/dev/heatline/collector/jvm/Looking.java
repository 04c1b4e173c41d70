package dev.heatline.collector.jvm;

/** Prints what hinders whoever runs it from recording some JVMs, and what it sees of the cost. */
final class Looking {
    private Looking() {}

    public static void main(String[] pids) {
        for (String pid : pids) {
            Jvm jvm = Jvms.find(Long.parseLong(pid)).orElseThrow();
            System.out.println(jvm.user() + ": " + jvm.obstacle().orElse("nothing"));
            ProfilingCost cost = ProfilingCost.of(jvm).orElseThrow();
            System.out.println(
                    (cost.recorderNanos() > 0 ? "times, " : "no times, ")
                            + (cost.recorderBytes().isPresent() ? "bytes" : "no bytes"));
        }
    }
}
