package dev.heatline.server.query;

import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.TaskDefinition;
import dev.heatline.store.Selection;
import dev.heatline.store.Store;
import dev.heatline.store.Upload;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** A store that notes what is collected from it, and can be made to wait before. */
record CountingStore(
        Store store, List<Collecting> collected, Semaphore gate, AtomicInteger catalogsRead)
        implements Store {

    /** One reading of a selection. */
    record Collecting(Selection selection, long after, long profiles) {}

    CountingStore(Store store) {
        this(
                store,
                new CopyOnWriteArrayList<>(),
                new Semaphore(Integer.MAX_VALUE / 2),
                new AtomicInteger());
    }

    @Override
    public Collected collect(Selection selection, long after, ProfileBuilder into) {
        gate.acquireUninterruptibly();
        try {
            Collected outcome = store.collect(selection, after, into);
            collected.add(new Collecting(selection, after, outcome.profiles()));
            return outcome;
        } finally {
            gate.release();
        }
    }

    @Override
    public boolean add(Upload upload) {
        return store.add(upload);
    }

    @Override
    public List<Seen> executions() {
        catalogsRead.incrementAndGet();
        return store.executions();
    }

    @Override
    public List<Bucket> timeline(Selection selection, String resource, int pieces) {
        return store.timeline(selection, resource, pieces);
    }

    @Override
    public long delete(Selection selection) {
        return store.delete(selection);
    }

    @Override
    public List<TaskDefinition> tasks(String application) {
        return store.tasks(application);
    }

    @Override
    public void saveTask(String application, TaskDefinition task) {
        store.saveTask(application, task);
    }

    @Override
    public boolean deleteTask(String application, String name) {
        return store.deleteTask(application, name);
    }

    @Override
    public void maintain(Instant now) {
        store.maintain(now);
    }

    @Override
    public Usage usage() {
        return store.usage();
    }

    @Override
    public void close() {
        store.close();
    }
}
