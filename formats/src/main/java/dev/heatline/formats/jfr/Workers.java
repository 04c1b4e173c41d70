package dev.heatline.formats.jfr;

import dev.heatline.formats.jfr.Recording.Failure;
import dev.heatline.model.ModelException;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Threads that take chunk after chunk, each filling a builder of its own. */
final class Workers {
    private final MemorySegment file;
    private final Requests requests;
    private final List<Chunk> chunks;
    private final LongConsumer progress;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicLong bytesRead = new AtomicLong();
    private final List<Worker> workers = new ArrayList<>();

    Workers(MemorySegment file, Requests requests, List<Chunk> chunks, LongConsumer progress) {
        this.file = file;
        this.requests = requests;
        this.chunks = chunks;
        this.progress = progress;
    }

    /**
     * Reads all chunks, or up to the first damage; returns when all workers are done. What no file
     * should bring about, in whichever worker, is thrown here.
     */
    void run(int count) {
        for (int i = 0; i < count; i++) {
            workers.add(new Worker());
        }
        List<Thread> threads = new ArrayList<>();
        for (Worker worker : workers.subList(1, count)) {
            threads.add(Thread.ofPlatform().name("jfr reader").daemon().start(worker));
        }
        workers.getFirst().run();
        for (Thread thread : threads) {
            joined(thread);
        }
        for (Worker worker : workers) {
            if (worker.error instanceof Error error) {
                throw error;
            }
            if (worker.error instanceof RuntimeException bug) {
                throw bug;
            }
        }
    }

    /** Waits to the end even when interrupted: the file must not be closed under a worker. */
    private static void joined(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * The damage nearest to the start of the file. Chunks are taken in order and finished, so it is
     * the same whatever the number of workers.
     */
    @Nullable Failure firstFailure() {
        return workers.stream()
                .map(worker -> worker.failure)
                .filter(failure -> failure != null)
                .min(Comparator.comparingInt(failure -> failure.chunk().number()))
                .orElse(null);
    }

    Set<String> found() {
        Set<String> found = new TreeSet<>();
        workers.forEach(worker -> found.addAll(worker.reader.found()));
        return found;
    }

    List<Provenance> provenances() {
        return workers.stream().map(worker -> worker.reader.provenance()).toList();
    }

    /** All builders in one: the smaller ones go into the largest. Ends the workers. */
    ProfileBuilder mergedBuilder() {
        List<ProfileBuilder> builders = new ArrayList<>();
        workers.forEach(worker -> builders.add(worker.reader.builder()));
        workers.clear();
        builders.sort(Comparator.comparingInt(ProfileBuilder::nodeCount).reversed());
        ProfileBuilder merged = builders.getFirst();
        for (int i = builders.size() - 1; i > 0; i--) {
            merged.addAll(builders.remove(i));
        }
        return merged;
    }

    private final class Worker implements Runnable {
        private final ChunkReader reader = new ChunkReader(file, requests);
        private @Nullable Failure failure;
        private @Nullable Throwable error;

        @Override
        public void run() {
            try {
                readChunks();
            } catch (RuntimeException | Error e) {
                next.set(chunks.size());
                error = e;
            }
        }

        private void readChunks() {
            for (int i = next.getAndIncrement(); i < chunks.size(); i = next.getAndIncrement()) {
                Chunk chunk = chunks.get(i);
                failure = read(chunk);
                if (failure != null) {
                    next.set(chunks.size());
                    return;
                }
                progress.accept(bytesRead.addAndGet(chunk.end() - chunk.start()));
            }
        }

        private @Nullable Failure read(Chunk chunk) {
            try {
                reader.read(chunk);
                return null;
            } catch (Damage damage) {
                return new Failure(chunk, reader.where(), damage.what());
            } catch (ModelException e) {
                return new Failure(chunk, reader.where(), "cannot be used: " + e.getMessage());
            } catch (IndexOutOfBoundsException e) {
                return new Failure(chunk, reader.where(), "holds something that runs over its end");
            }
        }
    }
}
