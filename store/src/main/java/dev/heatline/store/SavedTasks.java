package dev.heatline.store;

import dev.heatline.model.TaskDefinition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The saved tasks of applications, which may have no profiles yet or any more. */
final class SavedTasks {

    private SavedTasks() {}

    static List<TaskDefinition> read(Reading reading, String application) {
        List<TaskDefinition> tasks = new ArrayList<>();
        byte[] start = Keys.tasks(application);
        try (Scan scan = reading.scan(start, Keys.after(start))) {
            for (; scan.isValid(); scan.next()) {
                tasks.add(read(new Input(scan.value())));
            }
        }
        tasks.sort(Comparator.comparing(TaskDefinition::name));
        return tasks;
    }

    private static TaskDefinition read(Input in) {
        String name = in.text();
        boolean isRegex = in.number() != 0;
        String text = in.text();
        return isRegex ? TaskDefinition.regex(name, text) : TaskDefinition.prefix(name, text);
    }

    static void put(Batch batch, String application, TaskDefinition task) {
        batch.put(
                Keys.task(application, task.name()),
                new Output()
                        .text(task.name())
                        .number(task.isRegex() ? 1 : 0)
                        .text(task.text())
                        .toBytes());
    }
}
