package dev.heatline.collector.spool;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * A process that reads two sources to their ends and uploads what it reads, until it is killed. A
 * source is the numbers from 1 on, a position the last number read, and the samples of a profile
 * are the sum of its numbers. The server is a folder with a file for each upload id.
 */
final class KilledCollector {
    static final int SOURCES = 2;

    private KilledCollector() {}

    /**
     * Runs until both sources are read and uploaded.
     *
     * @param args spool, its limit in bytes, server, last number of each source, how many appends
     *     come before an upload
     */
    public static void main(String[] args) throws IOException {
        Path server = Path.of(args[2]);
        int last = Integer.parseInt(args[3]);
        int burst = Integer.parseInt(args[4]);
        try (Spool spool = Spool.open(Path.of(args[0]), Long.parseLong(args[1]), _ -> {})) {
            boolean more = true;
            while (more) {
                more = false;
                for (int i = 0; i < burst * SOURCES; i++) {
                    more |= readOn(spool, "source " + i % SOURCES, last);
                }
                more |= uploadOldest(spool, server);
                // Whoever kills this process counts these.
                System.out.write('.');
                System.out.flush();
            }
        }
    }

    private static boolean readOn(Spool spool, String source, int last) {
        int position = spool.position(source).map(Integer::parseInt).orElse(0);
        int next = Math.min(last, position + 1 + position % 3);
        if (position == last) {
            return false;
        }
        long sum = 0;
        for (int number = position + 1; number <= next; number++) {
            sum += number;
        }
        spool.append(Profiles.entry(source, "" + next), Profiles.of(sum));
        return true;
    }

    private static boolean uploadOldest(Spool spool, Path server) throws IOException {
        Optional<SpoolFile> oldest = spool.oldest();
        if (oldest.isPresent()) {
            Path taken = server.resolve(oldest.get().entry().id());
            Path partial = server.resolveSibling("partial");
            try (InputStream body = spool.body(oldest.get())) {
                Files.copy(body, partial, StandardCopyOption.REPLACE_EXISTING);
            }
            Files.move(partial, taken, StandardCopyOption.ATOMIC_MOVE);
            spool.remove(oldest.get());
        }
        return oldest.isPresent();
    }
}
