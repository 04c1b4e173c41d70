package dev.heatline.server;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.http.ServerRequestHeaders;
import io.helidon.webserver.http.Filter;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Stands before every route: who asks, from where, how often, and for how long the answer took.
 *
 * <p>Without tokens, being on this machine is what entitles. A web page that is open in a browser
 * here is on this machine too, so it must not be able to ask: not by sending requests across
 * origins, and not by a host name of its own that resolves to this machine.
 */
final class Guard implements Filter {
    private static final HeaderName FETCH_SITE = HeaderNames.create("Sec-Fetch-Site");
    private static final HeaderName FETCH_MODE = HeaderNames.create("Sec-Fetch-Mode");

    private static final Set<String> INGEST_PATHS =
            Set.of(
                    Routes.PROFILES,
                    Routes.PYROSCOPE,
                    Routes.OTLP,
                    Routes.COLLECTORS,
                    Routes.REPORTS);

    /** What neither tells nor changes anything. */
    private static final Set<String> OPEN_PATHS = Set.of(Routes.READY, Routes.OPENAPI);

    private static final Pattern LOCAL_HOST =
            Pattern.compile("(localhost|127(\\.\\d{1,3}){3}|\\[::1])(:\\d{1,5})?");

    private final Optional<Tokens> tokens;
    private final boolean localOnly;
    private final RateLimit rate;
    private final Metrics metrics;
    private final UnderWay underWay;

    /**
     * @param localOnly whether to answer only under the names of this machine
     * @param underWay knows the requests that have no answer yet
     */
    Guard(
            Optional<Tokens> tokens,
            boolean localOnly,
            RateLimit rate,
            Metrics metrics,
            UnderWay underWay) {
        this.tokens = tokens;
        this.localOnly = localOnly;
        this.rate = rate;
        this.metrics = metrics;
        this.underWay = underWay;
    }

    @Override
    public void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
        long started = System.nanoTime();
        response.whenSent(() -> count(request, response, System.nanoTime() - started));
        Answer.SAFETY.forEach(response::header);
        response.header(HeaderNames.CACHE_CONTROL, "no-store");
        if (!underWay.enter()) {
            throw new Refusal(503, "the server is shutting down", 5);
        }
        try {
            refuseStrangers(request);
            chain.proceed();
        } finally {
            underWay.leave();
        }
    }

    private void count(RoutingRequest request, RoutingResponse response, long nanos) {
        String route = request.matchingPattern().orElse("other");
        int status = response.status().code();
        metrics.observe(
                Metrics.Family.REQUESTS,
                Metrics.label("route", route)
                        + ","
                        + Metrics.label("status", Integer.toString(status)),
                nanos);
        if (status >= 400) {
            metrics.add(
                    Metrics.Family.REFUSALS, Metrics.label("status", Integer.toString(status)), 1);
        }
    }

    private void refuseStrangers(RoutingRequest request) {
        ServerRequestHeaders headers = request.headers();
        String host = header(headers, HeaderNames.HOST);
        if (localOnly && !LOCAL_HOST.matcher(host.toLowerCase(Locale.ROOT)).matches()) {
            throw new Refusal(
                    421, "this server only answers as localhost; start it with tokens for others");
        }
        refuseOtherOrigins(request, host);
        String path = request.prologue().uriPath().path();
        if (OPEN_PATHS.contains(path) || PageFiles.has(path)) {
            refuseHaste(request.remotePeer().host());
            return;
        }
        if (tokens.isEmpty()) {
            refuseHaste(request.remotePeer().host());
            return;
        }
        Optional<Tokens.Holder> holder =
                tokens.get().holder(header(headers, HeaderNames.AUTHORIZATION));
        refuseHaste(
                holder.map(known -> "line " + known.number()).orElse(request.remotePeer().host()));
        if (holder.isEmpty()) {
            throw new Refusal(
                    401, "this needs a token of the server's token file: Authorization: Bearer");
        }
        Tokens.Right wanted = wanted(request.prologue().method(), path);
        if (!holder.get().right().includes(wanted)) {
            throw new Refusal(
                    403,
                    "this needs a token for "
                            + wanted.name().toLowerCase(Locale.ROOT)
                            + ", the given one is for "
                            + holder.get().right().name().toLowerCase(Locale.ROOT));
        }
    }

    /** What changes something here, other than by ingesting, is for administrators. */
    private static Tokens.Right wanted(Method method, String path) {
        if (method.equals(Method.POST) && INGEST_PATHS.contains(path)) {
            return Tokens.Right.INGEST;
        }
        if (method.equals(Method.GET) || method.equals(Method.HEAD)) {
            return Tokens.Right.READ;
        }
        return path.equals(Routes.MEASUREMENTS) ? Tokens.Right.MEASURE : Tokens.Right.ADMIN;
    }

    private static void refuseOtherOrigins(RoutingRequest request, String host) {
        ServerRequestHeaders headers = request.headers();
        String origin = header(headers, HeaderNames.ORIGIN);
        boolean otherOrigin =
                !origin.isEmpty() && !origin.replaceFirst("^https?://", "").equals(host);
        String site = header(headers, FETCH_SITE);
        // Following a link to here is fine: whoever placed it does not see what it leads to.
        boolean link =
                request.prologue().method().equals(Method.GET)
                        && header(headers, FETCH_MODE).equals("navigate");
        boolean otherSite = site.equals("cross-site") || site.equals("same-site");
        if (otherOrigin || (otherSite && !link)) {
            throw new Refusal(403, "requests from web pages of other origins are refused");
        }
    }

    private void refuseHaste(String client) {
        if (!rate.allows(client, System.nanoTime())) {
            throw new Refusal(429, "too many requests; ask less often", 1);
        }
    }

    private static String header(ServerRequestHeaders headers, HeaderName name) {
        return headers.first(name).orElse("");
    }
}
