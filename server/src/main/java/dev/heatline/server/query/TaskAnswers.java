package dev.heatline.server.query;

import dev.heatline.model.Regex;
import dev.heatline.model.TaskDefinition;
import dev.heatline.report.View;
import dev.heatline.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/** Tasks, those that are saved and those that are asked for: {@code /tasks}. */
final class TaskAnswers {
    private static final int USUAL_ROWS = 100;
    private static final int MOST_ROWS = 10_000;

    /** Every question that names a task goes through the saved ones. */
    private static final int MOST_SAVED = 1_000;

    private static final int LONGEST_NAME = 200;

    private final Questions questions;
    private final Executions executions;
    private final Store store;

    TaskAnswers(Questions questions, Executions executions, Store store) {
        this.questions = questions;
        this.executions = executions;
        this.store = store;
    }

    /** The saved tasks, and what each of them and of those asked for used. */
    byte[] tasks(Params params) {
        int limit = params.number("limit", USUAL_ROWS, 1, MOST_ROWS);
        Scope scope = questions.scope(params);
        Filter filter = questions.filter(params);
        Chosen chosen = questions.chosen(scope, filter.withoutTasks(), params);
        List<TaskDefinition> saved = store.tasks(scope.application());
        List<TaskDefinition> wanted =
                filter.tasks().isEmpty() ? saved : TaskDefinition.parseAll(filter.tasks());
        if (wanted.isEmpty()) {
            return Json.object(
                    json -> {
                        Json.question(json, chosen);
                        definitions(json, saved);
                        Json.head(json, "tasks", chosen, chosen.metrics());
                        Json.strings(json, "rows", List.of());
                    });
        }
        return Json.object(
                json -> {
                    Json.question(json, chosen);
                    definitions(json, saved);
                },
                Regex.within(
                        Filter.LONGEST_SEARCH,
                        () ->
                                View.TASKS.of(
                                        chosen.profile(),
                                        chosen.reportOptions()
                                                .tasks(wanted)
                                                .limit(limit)
                                                .build())));
    }

    /** Saves a task of an application, in place of one of the same name. */
    byte[] save(Params params) {
        String application = application(params);
        String written = params.require("task", "NAME=prefix:com.shop.");
        TaskDefinition task = TaskDefinition.parse(written);
        if (task.name().length() > LONGEST_NAME) {
            throw QueryException.badRequest(
                    "the name of a task has at most " + LONGEST_NAME + " characters");
        }
        List<TaskDefinition> saved = new ArrayList<>(store.tasks(application));
        saved.removeIf(it -> it.name().equals(task.name()));
        if (saved.size() >= MOST_SAVED) {
            throw QueryException.badRequest(
                    application
                            + " has "
                            + saved.size()
                            + " tasks already; delete one with DELETE /api/v1/tasks");
        }
        store.saveTask(application, task);
        return Json.object(json -> definition(json, task));
    }

    /** Deletes a task of an application. */
    byte[] delete(Params params) {
        String application = application(params);
        String name = params.require("task", "NAME");
        Optional<TaskDefinition> task =
                store.tasks(application).stream().filter(it -> it.name().equals(name)).findFirst();
        if (task.isEmpty() || !store.deleteTask(application, name)) {
            throw QueryException.notFound(
                    Params.shortened(application) + " has no task " + Params.shortened(name));
        }
        return Json.object(json -> definition(json, task.get()));
    }

    private String application(Params params) {
        String application = params.require("app", "NAME; /api/v1/applications lists them");
        executions.of(application);
        return application;
    }

    private static void definitions(JsonGenerator json, List<TaskDefinition> tasks) {
        json.writeName("saved").writeStartArray();
        for (TaskDefinition task : tasks) {
            json.writeStartObject();
            definition(json, task);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void definition(JsonGenerator json, TaskDefinition task) {
        json.writeStringProperty("task", task.name());
        json.writeStringProperty("definition", task.toString());
    }
}
