package dev.heatline.store;

import dev.heatline.model.Execution;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.TaskDefinition;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Keeps uploads and finds them again. Safe for use by many threads. What {@link #add} has accepted
 * survives the death of the process and of the machine.
 *
 * <p>Every method throws {@link StoreException} if the store itself fails, such as on a full disk;
 * what was stored before is unharmed then.
 */
public interface Store extends AutoCloseable {

    /**
     * How a collection's provenance counts uploads that could not be put together with the others:
     * a resource of theirs means something else, or would become too large for a number.
     */
    String LEFT_OUT = "profiles left out";

    /** What is known of an execution without looking into its profiles. */
    record Seen(Execution execution, Instant first, Instant last, long profiles, long samples) {}

    /**
     * The outcome of {@link #collect}.
     *
     * @param upTo number of the last upload that is in it; what comes later has a larger one
     * @param profiles how many stored profiles were added
     * @param resources those of the profiles by name, also if there is nothing of them in the
     *     selected time
     */
    record Collected(
            long upTo,
            long profiles,
            Provenance provenance,
            SortedMap<String, Resource> resources) {

        /**
         * Says that what is new cannot be told from what was collected before, because both were
         * rolled up together meanwhile. Nothing was added then: collect again, with a new builder
         * and from 0. Happens to a late upload at most.
         */
        public static final Collected START_AGAIN =
                new Collected(-1, 0, Provenance.NONE, new TreeMap<>());

        public boolean mustStartAgain() {
            return upTo < 0;
        }
    }

    /** A piece of the time line and how much of one resource was used in it, in stored units. */
    record Bucket(Instant from, Instant until, long value) {}

    /**
     * How much there is.
     *
     * @param bytes on disk
     * @param nodes of all stored trees
     * @param profiles how many are stored, by level
     * @param dictionaryLoads how often names were read from disk since the store was opened; if
     *     that grows all the time, memory is too small for the applications in use
     */
    record Usage(long bytes, long nodes, SortedMap<String, Long> profiles, long dictionaryLoads) {}

    /**
     * Stores an upload, all of it or nothing.
     *
     * @return false if an upload of this id was stored before
     */
    boolean add(Upload upload);

    /** All executions of which there still are profiles, ordered by their fields. */
    List<Seen> executions();

    /**
     * Adds the selected profiles to a builder, each exactly once, however they are rolled up by
     * now. A profile that is rolled up counts as covering the whole hour or day. Of a profile that
     * reaches beyond the selected time and tells in which seconds it was observed, only those of
     * the selection are added; what it does not tell the second of is spread evenly over its time.
     * Profiles that cannot be put together with the others are left out and counted as {@link
     * #LEFT_OUT}.
     *
     * @param after only uploads with a larger number; 0 for all
     */
    Collected collect(Selection selection, long after, ProfileBuilder into);

    /**
     * The selected range in so many pieces of equal length, oldest first. What a profile used is
     * spread evenly over the time it covers. A profile that means something else by the name of the
     * resource than the first one adds nothing.
     *
     * @param resource name of a column
     */
    List<Bucket> timeline(Selection selection, String resource, int pieces);

    /**
     * Deletes the selected profiles, whole ones: a roll-up goes if any of its hour or day is
     * selected. Uploads that are sent again are still known as repeats.
     *
     * @return how many uploads were deleted
     */
    long delete(Selection selection);

    /** The saved tasks of an application by name. */
    List<TaskDefinition> tasks(String application);

    /** Saves a task; one of the same name is replaced. */
    void saveTask(String application, TaskDefinition task);

    /** Deletes a task; false if there is none of that name. */
    boolean deleteTask(String application, String name);

    /**
     * Rolls up what is old enough and deletes what is too old or too much.
     *
     * @param now the time that ages are counted from
     */
    void maintain(Instant now);

    Usage usage();

    /**
     * Waits for what others are doing with the store. What takes long, such as {@link #maintain} or
     * {@link #collect}, does not go on for that but throws; the next round of maintenance does the
     * rest.
     */
    @Override
    void close();
}
