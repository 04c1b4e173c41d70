package dev.heatline.bench.workload;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.xml.transform.TransformerException;

/**
 * Real libraries at work, for recordings and for costs: a database (H2), a search engine (Lucene)
 * and a style-sheet processor (Xalan), each on a thread of its own.
 *
 * <p>{@code java -cp bench/target/workload:bench/target/lib/* dev.heatline.bench.workload.Workload
 * SECONDS [QUERIES]}; QUERIES are the searches per index, 100 unless given.
 */
public final class Workload {

    private Workload() {}

    public static void main(String[] args)
            throws InterruptedException, SQLException, TransformerException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[0]));
        int queries = args.length > 1 ? Integer.parseInt(args[1]) : 100;
        List<Thread> threads =
                List.of(
                        thread("database", new Database(50, 200), until),
                        thread("search", new Search(200, queries), until),
                        thread("styles", new Styles(100), until));
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static Thread thread(String name, Unit unit, long until) {
        return new Thread(
                () -> {
                    Random random = new Random(name.hashCode());
                    while (System.nanoTime() < until) {
                        try {
                            unit.run(random);
                        } catch (IOException | SQLException | TransformerException e) {
                            throw new IllegalStateException(name + " failed", e);
                        }
                    }
                },
                name);
    }
}
