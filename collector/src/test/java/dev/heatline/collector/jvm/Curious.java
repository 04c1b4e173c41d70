package dev.heatline.collector.jvm;

/** An application that looks for the agent and prints what it finds of the names it is given. */
final class Curious {
    private Curious() {}

    public static void main(String[] names) {
        for (String name : names) {
            try {
                System.out.println("loaded " + Class.forName(name).getName());
            } catch (ClassNotFoundException | LinkageError e) {
                System.out.println("no " + name);
            }
            String file = name.replace('.', '/') + ".class";
            if (Curious.class.getClassLoader().getResource(file) != null) {
                System.out.println("resource " + file);
            }
        }
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getContextClassLoader() != null
                    && thread.getContextClassLoader().getClass().getName().contains("heatline")) {
                System.out.println("thread " + thread.getName());
            }
        }
    }
}
