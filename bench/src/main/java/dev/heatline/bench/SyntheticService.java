package dev.heatline.bench;

import dev.heatline.model.ColumnBuilder;
import dev.heatline.model.Consumer;
import dev.heatline.model.FrameKind;
import dev.heatline.model.Moments;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * A web service that exists only as its profiles: a few endpoints behind the frames of a framework,
 * some thousand methods that call each other, many stacks of which few are hot, and threads of a
 * pool. Every release moves the lines of some classes and renames some methods.
 */
final class SyntheticService {
    private static final int METHODS = 3_600;
    private static final int METHODS_PER_CLASS = 8;
    private static final int CLASSES = METHODS / METHODS_PER_CLASS;
    private static final int FRAMEWORK = 14;
    private static final int ENDPOINTS = 40;
    private static final int CALLEES = 5;

    /** How far callees are away, so that stacks end after some twenty frames. */
    private static final int REACH = METHODS / 10;

    /** So many stacks are about equally hot; the others get rarer and rarer (Zipf-Mandelbrot). */
    private static final int HOT = 15;

    private static final int POOL = 16;
    private static final int SCHEDULERS = 4;
    private static final long SAMPLE_NANOS = 10_000_000;

    private static final List<String> PACKAGES =
            List.of(
                    "com.acme.shop.order",
                    "com.acme.shop.customer",
                    "com.acme.shop.stock",
                    "com.acme.shop.pricing",
                    "com.acme.shop.payment",
                    "com.acme.shop.catalogue",
                    "com.acme.shop.shipping",
                    "com.acme.shop.search",
                    "com.acme.platform.messaging",
                    "com.acme.platform.security",
                    "org.springframework.web.servlet",
                    "org.springframework.aop.framework",
                    "org.hibernate.engine.internal",
                    "org.hibernate.sql.results",
                    "com.fasterxml.jackson.databind.ser",
                    "org.apache.catalina.core",
                    "org.postgresql.jdbc",
                    "com.zaxxer.hikari.pool",
                    "java.util.stream",
                    "java.util.concurrent");

    private static final List<String> NOUNS =
            List.of(
                    "Order",
                    "Customer",
                    "Invoice",
                    "Price",
                    "Stock",
                    "Payment",
                    "Basket",
                    "Address",
                    "Catalogue",
                    "Session",
                    "Query",
                    "Entity",
                    "Request",
                    "Response",
                    "Event",
                    "Cache");

    private static final List<String> KINDS =
            List.of(
                    "Service",
                    "Repository",
                    "Controller",
                    "Mapper",
                    "Validator",
                    "Handler",
                    "Serializer",
                    "Interceptor");

    private static final List<String> VERBS =
            List.of(
                    "find",
                    "load",
                    "save",
                    "apply",
                    "convert",
                    "validate",
                    "resolve",
                    "write",
                    "read",
                    "create",
                    "update",
                    "calculate");

    private final int[][] callees = new int[METHODS][CALLEES];
    private final Map<Long, Integer> children = new HashMap<>();
    private int contexts;
    private int[] parent = new int[1 << 16];
    private int[] method = new int[1 << 16];
    private int[] line = new int[1 << 16];
    private final int stacks;
    private final int[] stackContext;
    private final int[] stackEndpoint;
    private final double[] weight;

    private SyntheticService(long seed, int stacks, double zipf) {
        this.stacks = stacks;
        stackContext = new int[stacks];
        stackEndpoint = new int[stacks];
        weight = new double[stacks];
        SplittableRandom random = new SplittableRandom(seed);
        for (int caller = 0; caller < METHODS; caller++) {
            for (int i = 0; i < CALLEES; i++) {
                callees[caller][i] = Math.min(METHODS - 1, caller + 1 + random.nextInt(REACH));
            }
        }
        int[] rank = new int[stacks];
        for (int stack = 0; stack < stacks; stack++) {
            int other = random.nextInt(stack + 1);
            rank[stack] = rank[other];
            rank[other] = stack;
            stackEndpoint[stack] = (int) (ENDPOINTS * Math.pow(random.nextDouble(), 2));
            stackContext[stack] = walk(stackEndpoint[stack], random);
        }
        double sum = 0;
        for (int stack = 0; stack < stacks; stack++) {
            weight[stack] = Math.pow(HOT + rank[stack], -zipf);
            sum += weight[stack];
        }
        for (int stack = 0; stack < stacks; stack++) {
            weight[stack] /= sum;
        }
    }

    /** One whose minutes are much alike: few of its stacks are hot. */
    static SyntheticService ordinary() {
        return new SyntheticService(1, 4_000, 2.2);
    }

    /** One that does very many different things, each of them seldom. */
    static SyntheticService manifold() {
        return new SyntheticService(2, 200_000, 0.8);
    }

    /** Returns the innermost context of a stack that prefers the first callees. */
    private int walk(int endpoint, RandomGenerator random) {
        int context = -1;
        for (int frame = 0; frame < FRAMEWORK; frame++) {
            context = child(context, frame, 0);
        }
        int current = FRAMEWORK + endpoint;
        context = child(context, current, 0);
        for (int left = 3 + random.nextInt(12); left > 0 && current < METHODS - 1; left--) {
            int choice = (int) (CALLEES * Math.pow(random.nextDouble(), 8));
            current = callees[current][choice];
            context = child(context, current, random.nextInt(10) / 9);
        }
        return context;
    }

    private int child(int from, int callee, int site) {
        long key = ((from + 1L) * METHODS + callee) * 2 + site;
        Integer known = children.putIfAbsent(key, contexts);
        if (known != null) {
            return known;
        }
        if (contexts == parent.length) {
            parent = Arrays.copyOf(parent, contexts * 2);
            method = Arrays.copyOf(method, contexts * 2);
            line = Arrays.copyOf(line, contexts * 2);
        }
        parent[contexts] = from;
        method[contexts] = callee;
        line[contexts] = 20 + callee % METHODS_PER_CLASS * 25 + site * 7;
        return contexts++;
    }

    int classes() {
        return CLASSES;
    }

    String className(int number) {
        String noun = NOUNS.get(number / PACKAGES.size() % NOUNS.size());
        String kind = KINDS.get((number * 5 + number / 320) % KINDS.size());
        return PACKAGES.get(number % PACKAGES.size()) + "." + noun + kind;
    }

    private Consumer method(int number, int release) {
        String name = VERBS.get(number % VERBS.size()) + NOUNS.get(number / 12 % NOUNS.size());
        int renamed = 0;
        for (int past = 1; past <= release; past++) {
            renamed += isChanged(number + METHODS, past, 100) ? 1 : 0;
        }
        return Consumer.method(
                className(number / METHODS_PER_CLASS),
                renamed == 0 ? name : name + renamed,
                number % 3 == 0 ? "(Ljava/lang/String;I)V" : "(Ljava/lang/Object;)Z");
    }

    private static int moved(int classNumber, int release) {
        int lines = 0;
        for (int past = 1; past <= release; past++) {
            lines += isChanged(classNumber, past, 20) ? 3 : 0;
        }
        return lines;
    }

    /** Whether a release changed something, of which it changes one in so many. */
    private static boolean isChanged(int number, int release, int oneIn) {
        return Math.floorMod(((number * 31 + release) * 0x9E3779B9) >>> 8, oneIn) == 0;
    }

    /** One process that runs the service. Not safe for use by several threads. */
    final class Instance {
        private final SplittableRandom random;
        private final int[] nodes = new int[contexts];
        private final int[] builtIn = new int[contexts];
        private final int[] ids = new int[METHODS];
        private final Consumer[] methods = new Consumer[METHODS];
        private final int[] shift = new int[CLASSES];
        private int release = -1;
        private int minute;

        Instance(long seed) {
            random = new SplittableRandom(seed);
        }

        /** The profile of a minute in which about so many samples were taken. */
        Profile minute(Instant begin, int ofRelease, double samples) {
            deploy(ofRelease);
            minute++;
            Arrays.fill(ids, -1);
            ProfileBuilder builder = new ProfileBuilder();
            ColumnBuilder counts = builder.column(Resource.SAMPLES);
            ColumnBuilder cpu = builder.column(Resource.CPU);
            Moments.Builder moments = new Moments.Builder();
            int[] threads = threads(builder);
            double[] demand = new double[ENDPOINTS];
            Arrays.setAll(demand, _ -> samples * Math.exp(0.3 * random.nextGaussian()));
            for (int stack = 0; stack < stacks; stack++) {
                int endpoint = stackEndpoint[stack];
                int count = poisson(demand[endpoint] * weight[stack]);
                if (count > 0) {
                    int node = node(builder, stackContext[stack]);
                    for (; count > 0; count--) {
                        int thread = threads[thread(endpoint)];
                        long second = begin.getEpochSecond() + random.nextInt(60);
                        counts.add(node, thread, 1, second);
                        cpu.add(node, thread, SAMPLE_NANOS);
                        moments.add(second, 1);
                    }
                }
            }
            return builder.build(
                    Provenance.NONE
                            .withFact(Provenance.INTERVAL, "10ms")
                            .plusMoments(Resource.SAMPLES.name(), moments.build()));
        }

        private void deploy(int newRelease) {
            if (newRelease != release) {
                release = newRelease;
                Arrays.setAll(methods, number -> method(number, release));
                Arrays.setAll(shift, number -> moved(number, release));
            }
        }

        private int[] threads(ProfileBuilder builder) {
            int[] threads = new int[POOL + SCHEDULERS];
            Arrays.setAll(
                    threads,
                    i ->
                            builder.consumer(
                                    Consumer.thread(
                                            "main",
                                            i < POOL
                                                    ? "http-nio-8080-exec-" + (i + 1)
                                                    : "scheduling-" + (i - POOL + 1))));
            return threads;
        }

        /** The last endpoints are scheduled, each on its own thread. */
        private int thread(int endpoint) {
            int scheduler = endpoint - (ENDPOINTS - SCHEDULERS);
            return scheduler < 0 ? random.nextInt(POOL) : POOL + scheduler;
        }

        private int node(ProfileBuilder builder, int context) {
            if (builtIn[context] != minute) {
                builtIn[context] = minute;
                int above = parent[context] < 0 ? Profile.ROOT : node(builder, parent[context]);
                int callee = method[context];
                if (ids[callee] < 0) {
                    ids[callee] = builder.consumer(methods[callee]);
                }
                int at = line[context] + shift[callee / METHODS_PER_CLASS];
                nodes[context] = builder.child(above, ids[callee], Site.of(at, FrameKind.COMPILED));
            }
            return nodes[context];
        }

        private int poisson(double mean) {
            if (mean > 40) {
                return (int)
                        Math.max(0, Math.round(mean + Math.sqrt(mean) * random.nextGaussian()));
            }
            double term = Math.exp(-mean);
            double left = random.nextDouble() - term;
            int count = 0;
            while (left > 0 && term > 0) {
                count++;
                term *= mean / count;
                left -= term;
            }
            return count;
        }
    }
}
