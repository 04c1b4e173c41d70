package dev.heatline.shop;

import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Confirms orders, each in a thread of its own: a virtual one where the JDK has them. */
final class Mail implements AutoCloseable {
    private final ExecutorService threads = Executors.newCachedThreadPool(factory());
    private final AtomicInteger sent = new AtomicInteger();

    /** Virtual threads are found by reflection, because the shop runs on JDK 17 too. */
    private static ThreadFactory factory() {
        if (Runtime.version().feature() < 21) {
            AtomicInteger count = new AtomicInteger();
            return task -> new Thread(task, "mail-" + count.getAndIncrement());
        }
        try {
            Class<?> builderType = Class.forName("java.lang.Thread$Builder");
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            builderType.getMethod("name", String.class, long.class).invoke(builder, "mail-", 0L);
            return (ThreadFactory) builderType.getMethod("factory").invoke(builder);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JDK has virtual threads, but not as known", e);
        }
    }

    void confirm(String customer, Map<Integer, Integer> basket, long cents) {
        threads.execute(
                () -> {
                    String text = compose(customer, basket, cents);
                    Remote.answer();
                    sent.addAndGet(text.isEmpty() ? 0 : 1);
                });
    }

    private static String compose(String customer, Map<Integer, Integer> basket, long cents) {
        StringBuilder text = new StringBuilder("Dear " + customer + ",\n\nyou bought\n");
        basket.forEach((product, n) -> text.append(n).append(" of ").append(product).append('\n'));
        return text.append("for ").append(cents).append(" cents.\n").toString();
    }

    /** Mails that were sent. */
    int sent() {
        return sent.get();
    }

    @Override
    public void close() {
        threads.shutdown();
        try {
            threads.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
