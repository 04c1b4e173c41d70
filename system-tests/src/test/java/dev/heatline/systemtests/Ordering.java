package dev.heatline.systemtests;

/** A program with a known number of calls: every order has seven items. */
final class Ordering {
    static final int ITEMS = 7;

    private static volatile double sum;

    private Ordering() {}

    public static void main(String[] args) throws InterruptedException {
        while (sum < ITEMS) {
            order();
        }
    }

    private static void order() throws InterruptedException {
        for (int i = 0; i < ITEMS; i++) {
            sum = item(i);
        }
        Thread.sleep(1);
    }

    private static double item(int number) {
        return Math.sqrt(number);
    }
}
