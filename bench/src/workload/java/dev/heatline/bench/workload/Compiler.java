package dev.heatline.bench.workload;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.eclipse.jdt.internal.compiler.batch.Main;

/** A compiler (ecj): a class of some size is compiled, and nothing written. */
final class Compiler implements Unit {
    private static final int METHODS = 40;

    private final Path source;

    Compiler() throws IOException {
        Path folder = Files.createTempDirectory("compiled");
        source = folder.resolve("Shop.java");
        Files.writeString(source, text());
        source.toFile().deleteOnExit();
        folder.toFile().deleteOnExit();
    }

    private static String text() {
        StringBuilder text = new StringBuilder("import java.util.*;\npublic class Shop {\n");
        text.append("private final Map<String, List<Integer>> baskets = new TreeMap<>();\n");
        for (int i = 0; i < METHODS; i++) {
            text.append(
                    """
                    int total%1$d(String customer, int factor) {
                        int sum = 0;
                        List<Integer> basket = baskets.getOrDefault(customer, List.of());
                        for (int price : basket) {
                            sum += price > %1$d ? price * factor : Math.max(price, factor %% 7);
                        }
                        Comparator<Integer> order = Comparator.comparing(x -> -x);
                        return basket.stream().sorted(order).mapToInt(x -> x).limit(3).sum() + sum;
                    }
                    """
                            .formatted(i));
        }
        return text.append("}\n").toString();
    }

    @Override
    public void run(Random random) throws IOException {
        StringWriter problems = new StringWriter();
        PrintWriter out = new PrintWriter(problems);
        boolean compiled =
                new Main(out, out, false, null, null)
                        .compile(
                                new String[] {
                                    "-proc:none", "-nowarn", "-17", "-d", "none", source.toString()
                                });
        if (!compiled) {
            throw new IOException("the compiler failed: " + problems);
        }
    }
}
