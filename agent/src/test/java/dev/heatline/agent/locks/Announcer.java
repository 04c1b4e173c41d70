package dev.heatline.agent.locks;

/** Has nothing to do with monitors, though its methods are named like that. */
final class Announcer {
    private int announced;

    void announce() {
        notify("news");
        wait("for more");
        System.out.println("announced " + announced);
    }

    private void notify(String event) {
        announced += event.length();
    }

    private void wait(String event) {
        announced -= event.length();
    }
}
