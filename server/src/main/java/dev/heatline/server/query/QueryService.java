package dev.heatline.server.query;

import dev.heatline.formats.FormatException;
import dev.heatline.model.ModelException;
import dev.heatline.report.ReportException;
import dev.heatline.server.measure.MeasureException;
import dev.heatline.server.measure.Measurements;
import dev.heatline.store.Store;
import dev.heatline.store.StoreException;
import io.helidon.http.Method;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import java.util.function.Predicate;

/** Answers questions about what a store holds; belongs under {@code /api/v1}. */
public final class QueryService implements HttpService, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(QueryService.class.getName());

    /** What is answered: a request's parameters, and the application where it is in the path. */
    interface Answering {
        Answer answer(Params params, String application);
    }

    /**
     * A kind of question.
     *
     * @param path {@code {app}} stands for an application
     * @param parameters the names of all it understands
     * @param isLight which questions are answered from what is already computed
     */
    record Route(
            Method method,
            String path,
            Set<String> parameters,
            Predicate<Params> isLight,
            Answering answering) {

        Route(Method method, String path, Set<String> parameters, Answering answering) {
            this(method, path, parameters, _ -> false, answering);
        }

        Route light(Predicate<Params> which) {
            return new Route(method, path, parameters, which, answering);
        }
    }

    private final Workers workers = new Workers();
    private final Threads threads = workers.threads();
    private final Sending sending = new Sending(threads);
    private final List<Route> routes;

    /**
     * A service of a store.
     *
     * @param sources what can be shown of the programs that were profiled
     * @param measurements what is measured while people look
     */
    public QueryService(
            Store store, QueryOptions options, Sources sources, Measurements measurements) {
        Selections selections = new Selections(store, options, threads);
        Executions executions = new Executions(store, options);
        Questions questions = new Questions(store, executions, selections, options);
        CatalogAnswers catalog = new CatalogAnswers(executions);
        MethodAnswers methods = new MethodAnswers(questions, new Together(executions, store));
        TreeAnswers trees = new TreeAnswers(questions, selections);
        ReportAnswers reports = new ReportAnswers(questions, selections);
        LockAnswers locks = new LockAnswers(questions);
        TimelineAnswers times = new TimelineAnswers(questions, executions, store);
        Pieces.Cutter cutter = new Pieces.Cutter(executions, selections, store);
        HistoryAnswers histories = new HistoryAnswers(questions, executions, cutter);
        StateAnswers states = new StateAnswers(questions, cutter);
        ReductionAnswers reductions = new ReductionAnswers(questions, cutter);
        TaskAnswers tasks = new TaskAnswers(questions, executions, store);
        Deletions deletions = new Deletions(store, questions, executions, selections);
        ExportAnswers exports = new ExportAnswers(questions);
        SourceAnswers shown = new SourceAnswers(sources);
        MeasureAnswers measured = new MeasureAnswers(measurements);
        Set<String> page = Set.of("limit", "offset");
        this.routes =
                List.of(
                        get("/applications", page, catalog::applications),
                        new Route(
                                Method.GET,
                                "/applications/{app}/versions",
                                page,
                                (params, app) -> Answer.json(catalog.versions(params, app))),
                        new Route(
                                Method.GET,
                                "/applications/{app}/instances",
                                page,
                                (params, app) -> Answer.json(catalog.instances(params, app))),
                        part("/resources", Set.of(), reports::resources),
                        part(
                                "/flamegraph",
                                with(Questions.BASELINE, Set.of("maxNodes", "node", "lines")),
                                trees::flameGraph),
                        part("/tree", Set.of("limit", "depth", "node", "lines"), trees::tree),
                        part(
                                "/methods",
                                Set.of("sort", "filter", "limit", "offset"),
                                methods::methods),
                        part(
                                "/method",
                                with(Questions.BASELINE, Set.of("name", "limit")),
                                methods::method),
                        part(
                                        "/classes",
                                        with(Questions.BASELINE, Set.of("class", "limit", "lines")),
                                        methods::classes)
                                .light(MethodAnswers::isLight),
                        part("/threads", Set.of("limit"), reports::threads),
                        part("/locks", Set.of("by", "node", "limit", "prune"), locks::locks),
                        get(
                                "/timeline",
                                with(Questions.SCOPE, Set.of("resource", "pieces")),
                                times::timeline),
                        part("/history", Set.of("name", "pieces"), histories::history),
                        part("/states", Set.of("pieces"), states::states),
                        get(
                                "/reductions",
                                with(Questions.SCOPE, Set.of("pieces")),
                                reductions::reductions),
                        part(
                                "/compare",
                                with(Questions.BASELINE, Set.of("limit")),
                                reports::compare),
                        part("/tasks", Set.of("limit"), tasks::tasks),
                        new Route(
                                Method.PUT,
                                "/tasks",
                                Set.of("app", "task"),
                                (params, _) -> Answer.json(tasks.save(params))),
                        new Route(
                                Method.DELETE,
                                "/tasks",
                                Set.of("app", "task"),
                                (params, _) -> Answer.json(tasks.delete(params))),
                        new Route(
                                Method.DELETE,
                                "/profiles",
                                Questions.SCOPE,
                                (params, _) -> Answer.json(deletions.delete(params))),
                        get("/source", Set.of("class"), shown::source),
                        get("/jvms", Set.of("app"), measured::jvms),
                        get("/measurements", Set.of("app"), measured::measurements),
                        get(
                                "/measurement",
                                Set.of("id", "resource", "limit"),
                                measured::measurement),
                        new Route(
                                Method.POST,
                                "/measurements",
                                MeasureAnswers.ORDER,
                                (params, _) -> Answer.json(measured.order(params))),
                        new Route(
                                Method.DELETE,
                                "/measurements",
                                Set.of("id"),
                                (params, _) -> Answer.json(measured.end(params))),
                        new Route(
                                Method.GET,
                                "/export",
                                with(selection(), Set.of("format")),
                                (params, _) -> exports.export(params)));
    }

    private static Route get(String path, Set<String> parameters, Function<Params, byte[]> json) {
        return new Route(
                Method.GET, path, parameters, (params, _) -> Answer.json(json.apply(params)));
    }

    /** A question about a part of a selection. */
    private static Route part(String path, Set<String> more, Function<Params, byte[]> json) {
        return get(path, with(selection(), more), json);
    }

    private static Set<String> selection() {
        return with(Questions.SCOPE, Questions.PART);
    }

    private static Set<String> with(Set<String> some, Set<String> more) {
        Set<String> all = new HashSet<>(some);
        all.addAll(more);
        return Set.copyOf(all);
    }

    /** All kinds of questions. */
    List<Route> routes() {
        return routes;
    }

    @Override
    public void routing(HttpRules rules) {
        for (Route route : routes) {
            rules.route(
                    route.method(),
                    // Names of applications may hold slashes.
                    route.path().replace("{app}", "{+app}"),
                    (request, response) -> answer(route, request, response));
        }
    }

    private void answer(Route route, ServerRequest request, ServerResponse response) {
        Answer refusal;
        try {
            Params params = Params.of(request.query().toMap(), route.parameters());
            String application = request.path().pathParameters().first("app").orElse("");
            FutureTask<Answer> task =
                    new FutureTask<>(() -> route.answering().answer(params, application));
            // What is light is not worth waking another thread, which takes longer than it does
            // when all cores are busy.
            boolean light = route.isLight().test(params);
            sending.send(
                    response, Threads.finished(task, light ? Runnable::run : threads.computing()));
            return;
        } catch (QueryException e) {
            refusal = Answer.error(e.status(), message(e));
        } catch (MeasureException e) {
            refusal = Answer.error(e.status(), message(e));
        } catch (ModelException | ReportException | FormatException e) {
            refusal = Answer.error(400, message(e));
        } catch (StoreException e) {
            LOG.log(System.Logger.Level.WARNING, "the store failed: {0}", e.getMessage());
            refusal = Answer.error(503, message(e));
        } catch (OutOfMemoryError e) {
            LOG.log(System.Logger.Level.WARNING, "{0} took too much memory", route.path());
            refusal = Answer.error(503, "the answer takes more memory than is free; ask for less");
        }
        Sending.sendNow(response, refusal);
    }

    private static String message(RuntimeException e) {
        return String.valueOf(e.getMessage());
    }

    /** Ends what is being computed. The store is closed by whoever opened it. */
    @Override
    public void close() {
        workers.close();
    }
}
