package dev.heatline.shop;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Starts a shop, or customers of one, or both in one process. */
public final class Main {
    private static final String USAGE =
            """
            Usage: java -jar shop.jar [OPTIONS]
              --version 1.0|1.1   which shop; 1.1 has a regression (1.0)
              --port N            where to listen on the loopback address; 0 takes a free port (8080)
              --self-load         send requests to itself
              --load ADDRESS      no shop: send requests to the one at an address
              --rate N            requests a second (%d)
              --requests N        end after this many requests (never)
              --seed N            another mix of requests (1)
              --until-eof         end when standard input does
            """
                    .formatted(Load.DEFAULT_RATE);

    private String version = "1.0";
    private int port = 8080;
    private boolean selfLoad;
    private @Nullable URI target;
    private int rate = Load.DEFAULT_RATE;
    private int requests = Integer.MAX_VALUE;
    private int seed = 1;
    private boolean untilEof;

    private Main() {}

    /** Runs until the process is told to end, or the requests have been sent. */
    public static void main(String[] args) throws Exception {
        Main main = new Main();
        try {
            main.parse(args);
        } catch (IllegalArgumentException e) {
            System.err.println("shop: " + e.getMessage());
            System.err.print(USAGE);
            System.exit(2);
        }
        main.run();
    }

    private void parse(String... args) {
        Deque<String> words = new ArrayDeque<>(List.of(args));
        while (!words.isEmpty()) {
            String option = words.remove();
            switch (option) {
                case "--version" -> version = oneOf(option, value(option, words), "1.0", "1.1");
                case "--port" -> port = number(option, value(option, words), 0);
                case "--self-load" -> selfLoad = true;
                case "--load" -> target = URI.create(value(option, words));
                case "--rate" -> rate = number(option, value(option, words), 1);
                case "--requests" -> requests = number(option, value(option, words), 1);
                case "--until-eof" -> untilEof = true;
                case "--seed" -> seed = number(option, value(option, words), 0);
                default -> throw new IllegalArgumentException("there is no option " + option);
            }
        }
    }

    private static String value(String option, Deque<String> words) {
        if (words.isEmpty()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return words.remove();
    }

    private static String oneOf(String option, String value, String... allowed) {
        if (!List.of(allowed).contains(value)) {
            throw new IllegalArgumentException(
                    option + " must be " + String.join(" or ", allowed) + ", but is " + value);
        }
        return value;
    }

    private static int number(String option, String value, int least) {
        try {
            int number = Integer.parseInt(value);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below, as for a number that is too small.
        }
        throw new IllegalArgumentException(
                option + " must be a number from " + least + " on, but is " + value);
    }

    private void run() throws IOException, SQLException, InterruptedException {
        if (untilEof) {
            Thread watch = new Thread(Main::endWithInput, "until-eof");
            watch.setDaemon(true);
            watch.start();
        }
        if (target != null) {
            load(target).await();
            return;
        }
        Shop shop = new Shop(version, port);
        shop.start();
        System.out.println("shop " + version + " at " + shop.address());
        if (!selfLoad) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> close(shop), "close"));
            return;
        }
        Load load = load(shop.address());
        Thread close =
                new Thread(
                        () -> {
                            load.close();
                            close(shop);
                        },
                        "close");
        Runtime.getRuntime().addShutdownHook(close);
        load.await();
        System.exit(0);
    }

    /** Whoever started this holds the other end, and cannot die without letting go of it. */
    private static void endWithInput() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // As good as its end.
        }
        System.exit(0);
    }

    private Load load(URI address) {
        Load load = new Load(address, rate, requests, seed);
        load.start();
        return load;
    }

    private static void close(Shop shop) {
        try {
            shop.close();
        } catch (SQLException e) {
            System.err.println("shop: the database did not close: " + e.getMessage());
        }
    }
}
