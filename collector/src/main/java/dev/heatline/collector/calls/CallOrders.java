package dev.heatline.collector.calls;

import dev.heatline.collector.jvm.CallMeter;
import dev.heatline.collector.jvm.Jvm;
import dev.heatline.collector.spool.Answer;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Measures calls where a server wants it, in one JVM at a time. The server is told again and again
 * which JVMs are followed, and answers what is to be measured in them now: what is new begins, and
 * what is not there any more ends. So nothing stays changed that nobody wants, whichever side is
 * restarted.
 */
public final class CallOrders implements Runnable {
    private static final long ASK_MILLIS = 2_000;

    private final Ingest server;
    private final Path agent;
    private final Supplier<List<Jvm>> followed;
    private final OrderedCalls.Host host;
    private final CountDownLatch stop;
    private final Once remarks;

    /** JVMs have other ids when there is another collector. */
    private final String own = UUID.randomUUID().toString();

    /** What was carried out or refused, as long as the server wants it. */
    private final Set<String> known = new HashSet<>();

    private @Nullable OrderedCalls last;
    private String lastId = "";

    /**
     * @param agent what is loaded into JVMs
     * @param followed asked again and again
     * @param stop opened when everything is to end
     * @param remarks told what is wrong with the server, for people
     */
    public CallOrders(
            Ingest server,
            Path agent,
            Supplier<List<Jvm>> followed,
            OrderedCalls.Host host,
            CountDownLatch stop,
            Once remarks) {
        this.server = server;
        this.agent = agent;
        this.followed = followed;
        this.host = host;
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
            if (last != null) {
                last.end();
                last.awaitEnd();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Optional<OrderedCalls> underWay() {
        return Optional.ofNullable(last).filter(calls -> !calls.isOver());
    }

    private void ask() throws InterruptedException {
        Map<String, Jvm> jvms = new LinkedHashMap<>();
        // One that is being measured may not be followed for a moment.
        Stream.concat(
                        followed.get().stream().filter(CallMeter::isPossibleIn),
                        underWay().map(OrderedCalls::jvm).stream())
                .forEach(jvm -> jvms.put(id(jvm), jvm));
        if (jvms.isEmpty()) {
            return;
        }
        List<FollowedJvm> told =
                jvms.entrySet().stream().map(each -> told(each.getKey(), each.getValue())).toList();
        Answer answer =
                server.tell(
                        "/api/v1/collectors", BodyPublishers.ofString(FollowedJvm.written(told)));
        // A server that cannot be asked may still want what it wanted; see OrderedCalls.
        if (answer.isTaken()) {
            remarks.over(server.server() + " can ask for measurements again");
            carryOut(answer.said(), jvms);
        } else {
            remarks.say("nothing can be measured on request: " + answer.why());
        }
    }

    private String id(Jvm jvm) {
        return own + "-" + jvm.pid() + "-" + jvm.process().started();
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

    private void carryOut(String answer, Map<String, Jvm> jvms) throws InterruptedException {
        Set<String> wanted = new HashSet<>();
        try {
            for (CallOrder order : CallOrder.read(answer)) {
                wanted.add(order.id());
                Jvm jvm = jvms.get(order.jvm());
                if (jvm != null && known.add(order.id())) {
                    begin(order, jvm);
                }
            }
        } catch (IOException e) {
            remarks.say(server.server() + " wants what is not understood: " + e.getMessage());
        }
        if (!wanted.contains(lastId)) {
            underWay().ifPresent(OrderedCalls::end);
        }
        known.retainAll(wanted);
    }

    private void begin(CallOrder order, Jvm jvm) throws InterruptedException {
        Optional<OrderedCalls> other = underWay();
        if (other.isPresent()) {
            String why = "the collector measures one JVM at a time, now " + other.get().jvm();
            OrderedCalls.refuse(server, order, why);
        } else {
            last = OrderedCalls.start(server, agent, jvm, order, host);
            lastId = order.id();
        }
    }
}
