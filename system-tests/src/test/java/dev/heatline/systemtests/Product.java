package dev.heatline.systemtests;

import dev.heatline.formats.HeatFormat;
import dev.heatline.formats.ReadOptions;
import dev.heatline.formats.Source;
import dev.heatline.model.Profile;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The parts of the product, started as their users start them. */
final class Product {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path JVMS = Path.of("/usr/lib/jvm");
    private static final long PAUSE_NANOS = 100_000_000;
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    static final Path JVM_25 = Path.of(System.getProperty("java.home"));
    private static final Optional<Path> JVM_17 = findJvm17();

    private Product() {}

    /** The JVMs to profile: the one that runs the tests, and 17 if there is one. */
    static List<Path> jvms() {
        List<Path> jvms = new ArrayList<>(List.of(JVM_25));
        JVM_17.ifPresent(jvms::add);
        return jvms;
    }

    private static Optional<Path> findJvm17() {
        Optional<Path> found = jvms17().stream().sorted().findFirst();
        if (found.isEmpty()) {
            System.err.println("JDK 17 not found under " + JVMS + ": JVMs of 17 not tested");
        }
        return found;
    }

    private static List<Path> jvms17() {
        try (Stream<Path> homes = Files.list(JVMS)) {
            return homes.filter(Product::is17).toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static boolean is17(Path home) {
        try {
            return Files.readString(home.resolve("release")).contains("JAVA_VERSION=\"17.");
        } catch (IOException e) {
            return false;
        }
    }

    /** A folder of the project. */
    static Path folder(String name) {
        return ROOT.resolve(name);
    }

    /** Starts the command line; what it says goes to the end of a file. */
    static Process heatline(Path log, String... words) throws IOException {
        return started(log, heatlineCommand(words));
    }

    /** What starts the command line. */
    static List<String> heatlineCommand(String... words) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                JVM_25.resolve("bin/java").toString(),
                                "--sun-misc-unsafe-memory-access=allow",
                                "-Xlog:disable",
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-jar",
                                ROOT.resolve("cli/target/heatline.jar").toString()));
        command.addAll(List.of(words));
        return command;
    }

    /** Starts the shop with customers of its own. */
    static Process shop(Path log, Path jvm, String version, String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(jvm.resolve("bin/java").toString()));
        command.addAll(List.of("-Xmx192m", "-XX:+UseSerialGC"));
        command.addAll(List.of(options));
        command.add("-jar");
        command.add(ROOT.resolve("examples/shop/target/shop.jar").toString());
        command.addAll(List.of("--version", version, "--port", "0", "--self-load"));
        return started(log, command);
    }

    /** Starts a program; what it says goes to the end of a file. */
    static Process started(Path log, List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    /**
     * A port nobody listens on, and below those that the kernel gives to who connects to others: it
     * has to be free again when a server that was killed is started anew.
     */
    static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(10_000, 30_000);
            try (ServerSocket socket = new ServerSocket(port)) {
                return socket.getLocalPort();
            } catch (IOException e) {
                // Somebody has it.
            }
        }
    }

    /** The answer to a question, empty while there is none or it is not a good one. */
    static Optional<String> get(String address) throws InterruptedException {
        return get(address, "");
    }

    /** The same, with a token if that is not empty. */
    static Optional<String> get(String address, String token) throws InterruptedException {
        return answer(address, token, BodyHandlers.ofString());
    }

    /** Sends a request without content, with a token if that is not empty. */
    static HttpResponse<String> send(String method, String address, String token)
            throws IOException, InterruptedException {
        return HTTP.send(
                request(address, token).method(method, BodyPublishers.noBody()).build(),
                BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(String address, String token) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(address)).timeout(Duration.ofSeconds(10));
        return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }

    /** The first value of a field of some JSON that is a text. */
    static String field(String json, String name) {
        Matcher field = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
        if (!field.find()) {
            throw new AssertionError("no " + name + " in " + json);
        }
        return field.group(1);
    }

    /** A selection as a profile, empty while there is none. */
    static Optional<Profile> profile(String address) throws InterruptedException {
        return profile(address, "");
    }

    /** The same, with a token if that is not empty. */
    static Optional<Profile> profile(String address, String token) throws InterruptedException {
        return answer(address, token, BodyHandlers.ofByteArray())
                .map(
                        bytes -> {
                            try (Source source = Source.of(address, bytes)) {
                                return new HeatFormat().read(source, ReadOptions.DEFAULT);
                            }
                        });
    }

    private static <T> Optional<T> answer(
            String address, String token, HttpResponse.BodyHandler<T> handler)
            throws InterruptedException {
        try {
            HttpResponse<T> response = HTTP.send(request(address, token).build(), handler);
            return response.statusCode() == 200 ? Optional.of(response.body()) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Asks until there is an answer. */
    static <T> T await(String what, Path log, Duration patience, Callable<Optional<T>> question)
            throws Exception {
        return await(what, log, patience, _ -> true, question);
    }

    /** Asks until there is a good answer. */
    static <T> T await(
            String what,
            Path log,
            Duration patience,
            Predicate<T> good,
            Callable<Optional<T>> question)
            throws Exception {
        Optional<T> answer = ask(patience, good, question);
        if (answer.filter(good).isEmpty()) {
            throw new AssertionError(
                    "%s did not come within %s, but %s:\n%s"
                            .formatted(what, patience, answer, Files.readString(log)));
        }
        return answer.get();
    }

    /** Asks until the answer is the expected one. */
    static <T> void awaitEqual(
            T expected, Path log, Duration patience, Callable<Optional<T>> question)
            throws Exception {
        Optional<T> answer = ask(patience, expected::equals, question);
        if (!answer.equals(Optional.of(expected))) {
            throw new AssertionError(
                    "after %s\n%s instead of\n%s:\n%s"
                            .formatted(patience, answer, expected, Files.readString(log)));
        }
    }

    /** Asks until an answer is good or patience ends; returns the last one. */
    private static <T> Optional<T> ask(
            Duration patience, Predicate<T> good, Callable<Optional<T>> question) throws Exception {
        long start = System.nanoTime();
        Optional<T> answer = question.call();
        while (answer.filter(good).isEmpty() && System.nanoTime() - start < patience.toNanos()) {
            LockSupport.parkNanos(PAUSE_NANOS);
            answer = question.call();
        }
        return answer;
    }
}
