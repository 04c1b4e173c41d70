package dev.heatline.collector.jvm;

/** Prints what hinders whoever runs it from recording the JVMs whose pids it is given. */
final class Looking {
    private Looking() {}

    public static void main(String[] pids) {
        for (String pid : pids) {
            Jvm jvm = Jvms.find(Long.parseLong(pid)).orElseThrow();
            System.out.println(jvm.user() + ": " + jvm.obstacle().orElse("nothing"));
        }
    }
}
