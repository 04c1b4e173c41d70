package dev.heatline.bench;

import dev.heatline.formats.Format;
import dev.heatline.formats.Formats;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.formats.WriteOptions;
import dev.heatline.model.Profile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * How large a profile is in each format, and how fast it opens: a .heat file must be smaller than
 * gzipped pprof of the same samples and open at least five times as fast.
 *
 * <p>{@code java -Xmx4g -jar bench/target/heatline-bench.jar opening [FILE]}
 */
final class FileOpening {

    private FileOpening() {}

    static void run(String[] args) throws IOException {
        Profile profile =
                args.length > 0
                        ? Formats.read(Path.of(args[0]), ReadOptions.DEFAULT)
                        : LargeTree.of(1_000_000, 0);
        byte[] heat = write(profile, "heat");
        SideBySide opening = new SideBySide("heat", () -> read("heat", heat));
        StringBuilder sizes = new StringBuilder(size("heat", heat));
        for (String name : new String[] {"pprof", "otlp", "speedscope"}) {
            byte[] file = write(profile, name);
            sizes.append(", ").append(size(name, file));
            opening.with(name, () -> read(name, file));
        }
        opening.run(10).print(profile.nodeCount() + " nodes: " + sizes);
    }

    private static String size(String name, byte[] file) {
        return String.format(Locale.ROOT, "%s %.2f MB", name, file.length / 1e6);
    }

    private static byte[] write(Profile profile, String name) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        format(name).write(profile, out, WriteOptions.DEFAULT);
        return out.toByteArray();
    }

    private static Profile read(String name, byte[] file) {
        return Formats.read(Source.of(name, file), ReadOptions.DEFAULT);
    }

    private static Format format(String name) {
        return Formats.byName(name).orElseThrow();
    }
}
