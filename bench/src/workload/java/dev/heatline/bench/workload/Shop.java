package dev.heatline.bench.workload;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** The example shop in this process, and a customer that sends it one request of each kind. */
final class Shop implements Unit {
    private static final String[] REQUESTS = {
        "GET /search?q=copper+kettle",
        "GET /prices",
        "GET /category?id=%d",
        "GET /bestsellers?category=%d",
        "GET /product?id=%d",
        "POST /basket?customer=c%d&quantity=1&product=%1$d",
        "GET /basket?customer=c%d",
        "GET /picture?id=%d",
        "GET /recommendations?id=%d",
        "GET /stock?id=%d"
    };

    private final URI address;

    Shop() throws IOException {
        address = start();
    }

    /** The shop prints where it is: {@code shop 1.0 at http://…}. */
    private static URI start() throws IOException {
        PrintStream out = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            dev.heatline.shop.Main.main(new String[] {"--port", "0"});
        } catch (Exception e) {
            throw new IOException("the shop does not start", e);
        } finally {
            System.setOut(out);
        }
        String line = printed.toString(StandardCharsets.UTF_8).strip();
        return URI.create(line.substring(line.lastIndexOf(' ') + 1));
    }

    @Override
    public void run(Random random) throws IOException {
        for (String request : REQUESTS) {
            send(String.format(request, random.nextInt(40)));
        }
    }

    private void send(String request) throws IOException {
        int space = request.indexOf(' ');
        HttpURLConnection connection =
                (HttpURLConnection)
                        address.resolve(request.substring(space + 1)).toURL().openConnection();
        connection.setRequestMethod(request.substring(0, space));
        // Read to its end, so that the connection is used again.
        try (InputStream in = connection.getInputStream()) {
            in.readAllBytes();
        }
    }
}
