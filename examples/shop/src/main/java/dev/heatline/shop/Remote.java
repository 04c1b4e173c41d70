package dev.heatline.shop;

/** Another company's service, which answers after a while: all that the shop sees is the wait. */
final class Remote {
    private static final long ANSWER_MILLIS = 20;

    private Remote() {}

    static void answer() {
        try {
            Thread.sleep(ANSWER_MILLIS);
        } catch (InterruptedException e) {
            // The shop is closing: whoever waits here gets on with it.
            Thread.currentThread().interrupt();
        }
    }
}
