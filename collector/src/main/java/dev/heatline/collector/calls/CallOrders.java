package dev.heatline.collector.calls;

import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.spool.Ingest;
import dev.heatline.collector.spool.Once;
import dev.heatline.wire.CallOrder;
import dev.heatline.wire.FollowedJvm;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Measures calls where a server wants it. It is told again and again which JVMs are followed, and
 * answers what is to be measured in them now: what is new begins, and what is not there any more
 * ends. So nothing stays changed that nobody wants, whichever side is restarted.
 */
public final class CallOrders implements Runnable {
    private static final long ASK_MILLIS = 2_000;

    /** How many orders are remembered, so that none is carried out twice. */
    private static final int KNOWN = 1_000;

    private final Ingest server;
    private final Path agent;
    private final Supplier<List<Jvm>> followed;
    private final OrderedCalls.Keeper keeper;
    private final CountDownLatch stop;
    private final Once remarks;

    /** JVMs have other ids when there is another collector. */
    private final String own = UUID.randomUUID().toString();

    private final Map<String, OrderedCalls> begun =
            new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, OrderedCalls> eldest) {
                    return size() > KNOWN && eldest.getValue().isOver();
                }
            };

    /**
     * @param agent what is loaded into JVMs
     * @param followed asked again and again
     * @param keeper takes what was measured
     * @param stop opened when everything is to end
     * @param remarks told what goes on, for people
     */
    public CallOrders(
            Ingest server,
            Path agent,
            Supplier<List<Jvm>> followed,
            OrderedCalls.Keeper keeper,
            CountDownLatch stop,
            Once remarks) {
        this.server = server;
        this.agent = agent;
        this.followed = followed;
        this.keeper = keeper;
        this.stop = stop;
        this.remarks = remarks;
    }

    /** Until all is to stop, and what was begun has ended. */
    @Override
    public void run() {
        try {
            while (!stop.await(ASK_MILLIS, TimeUnit.MILLISECONDS)) {
                ask();
            }
            begun.values().forEach(OrderedCalls::end);
            for (OrderedCalls each : begun.values()) {
                each.awaitEnd();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void ask() throws InterruptedException {
        Map<String, Jvm> jvms = new LinkedHashMap<>();
        for (Jvm jvm : followed.get()) {
            jvms.put(own + "-" + jvm.pid() + "-" + jvm.process().started(), jvm);
        }
        if (jvms.isEmpty()) {
            return;
        }
        List<FollowedJvm> told =
                jvms.entrySet().stream().map(each -> told(each.getKey(), each.getValue())).toList();
        Optional<String> answer =
                server.tell(
                        "/api/v1/collectors", BodyPublishers.ofString(FollowedJvm.written(told)));
        // A server that cannot be asked may still want what it wanted; see OrderedCalls.
        if (answer.isPresent()) {
            carryOut(answer.get(), jvms);
        }
    }

    private static FollowedJvm told(String id, Jvm jvm) {
        return new FollowedJvm(
                id,
                jvm.execution().application(),
                jvm.execution().version(),
                jvm.execution().instance(),
                jvm.main(),
                jvm.pid());
    }

    private void carryOut(String answer, Map<String, Jvm> jvms) {
        Set<String> wanted = new HashSet<>();
        try {
            for (CallOrder order : CallOrder.read(answer)) {
                wanted.add(order.id());
                Jvm jvm = jvms.get(order.jvm());
                if (jvm != null && !begun.containsKey(order.id())) {
                    remarks.say(
                            jvm
                                    + ": calls below "
                                    + String.join(", ", order.request().roots())
                                    + " are measured, as the server wants it");
                    begun.put(order.id(), OrderedCalls.start(server, agent, jvm, order, keeper));
                }
            }
        } catch (IOException e) {
            remarks.say(server.server() + " wants what is not understood: " + e.getMessage());
        }
        begun.forEach(
                (id, calls) -> {
                    if (!wanted.contains(id)) {
                        calls.end();
                    }
                });
    }
}
