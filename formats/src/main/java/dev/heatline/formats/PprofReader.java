package dev.heatline.formats;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.heatline.model.Column;
import dev.heatline.model.ColumnBuilder;
import dev.heatline.model.Consumer;
import dev.heatline.model.ConsumerType;
import dev.heatline.model.FrameKind;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Site;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns a pprof file into a Profile: the tables first, then the samples one by one. */
final class PprofReader {
    private static final ConsumerText EXACT = ConsumerText.dotted(ConsumerType.METHOD);
    private static final int PROGRESS_STEP = 1 << 20;

    private final byte[] content;
    private final ReadOptions options;
    private final PprofTables tables;
    private final @Nullable Notes notes;
    private final ProfileBuilder builder = new ProfileBuilder();
    private final List<ColumnBuilder> columns = new ArrayList<>();
    private final Longs factors = new Longs();
    private final Map<List<String>, Integer> threads = new HashMap<>();

    /** The frames of each location, innermost first: consumer ids and sites; null if not used. */
    private final int[][] consumersAt;

    private final int[][] sitesAt;

    private final FrameBudget budget;
    private int[] stackConsumers = new int[256];
    private int[] stackSites = new int[256];
    private int depth;
    private final Longs values = new Longs();
    private int valueCount;

    PprofReader(byte[] content, ReadOptions options) throws IOException {
        this.content = content;
        this.options = options;
        this.budget = new FrameBudget(content.length);
        this.tables = new PprofTables(content);
        this.notes = Notes.read(tables.comments());
        this.consumersAt = new int[tables.locationCount()][];
        this.sitesAt = new int[tables.locationCount()][];
    }

    Profile read() throws IOException {
        if (notes != null) {
            builder.consumerLabel(notes.consumerLabel());
        }
        addColumns();
        CodedInputStream in = CodedInputStream.newInstance(content);
        int reported = 0;
        int tag;
        while ((tag = in.readTag()) != 0) {
            if (tag == (2 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED)) {
                int limit = in.pushLimit(in.readRawVarint32());
                sample(in);
                in.popLimit(limit);
            } else {
                in.skipField(tag);
            }
            if (in.getTotalBytesRead() - reported > PROGRESS_STEP) {
                reported = in.getTotalBytesRead();
                options.progress().accept(reported);
            }
        }
        return builder.build(provenance());
    }

    private void addColumns() {
        ForeignResources foreign = new ForeignResources();
        for (PprofTables.ValueType type : tables.sampleTypes()) {
            String name = tables.text(type.type());
            String known = Escapes.unescape(name);
            if (notes != null && notes.resources().containsKey(known)) {
                columns.add(builder.column(notes.resources().get(known)));
                factors.add(1);
            } else {
                ForeignResources.Scaled scaled = foreign.next(name, tables.text(type.unit()));
                columns.add(builder.column(scaled.resource()));
                factors.add(scaled.factor());
            }
        }
    }

    private void sample(CodedInputStream in) throws IOException {
        depth = 0;
        valueCount = 0;
        Labels labels = new Labels();
        int tag;
        while ((tag = in.readTag()) != 0) {
            switch (tag) {
                case 1 << 3 -> location(in.readRawVarint64());
                case 1 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED -> {
                    int limit = in.pushLimit(in.readRawVarint32());
                    while (!in.isAtEnd()) {
                        location(in.readRawVarint64());
                    }
                    in.popLimit(limit);
                }
                case 2 << 3 -> values.set(valueCount++, in.readRawVarint64());
                case 2 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED -> {
                    int limit = in.pushLimit(in.readRawVarint32());
                    while (!in.isAtEnd()) {
                        values.set(valueCount++, in.readRawVarint64());
                    }
                    in.popLimit(limit);
                }
                case 3 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED -> labels.add(in);
                default -> in.skipField(tag);
            }
        }
        if (valueCount != columns.size()) {
            throw new FormatException(
                    "the sample before byte "
                            + in.getTotalBytesRead()
                            + " has "
                            + valueCount
                            + " values, not "
                            + columns.size());
        }
        addSample(labels);
    }

    private void addSample(Labels labels) {
        int node = builder.stack(Profile.ROOT, stackConsumers, stackSites, depth);
        int thread = labels.thread();
        for (int i = 0; i < valueCount; i++) {
            long factor = factors.get(i);
            long value = values.get(i);
            if (value > 0 && Math.multiplyHigh(value, factor) != 0) {
                throw new FormatException("a value of " + value + " is too large");
            }
            columns.get(i).add(node, thread, value > 0 ? value * factor : value);
        }
    }

    private void location(long id) {
        int place = tables.location(id);
        if (consumersAt[place] == null) {
            resolve(place);
        }
        int[] consumers = consumersAt[place];
        int[] sites = sitesAt[place];
        int deeper = budget.deeper(depth, consumers.length);
        if (deeper > stackConsumers.length) {
            int capacity = Math.max(deeper, stackConsumers.length * 2);
            stackConsumers = Arrays.copyOf(stackConsumers, capacity);
            stackSites = Arrays.copyOf(stackSites, capacity);
        }
        System.arraycopy(consumers, 0, stackConsumers, depth, consumers.length);
        System.arraycopy(sites, 0, stackSites, depth, sites.length);
        depth = deeper;
    }

    /** All lines of a location but the last were inlined into the one that follows. */
    private void resolve(int place) {
        int first = tables.firstLine(place);
        int end = tables.lastLine(place);
        if (first == end) {
            Consumer unnamed = Consumer.method("", tables.address(place), "");
            consumersAt[place] = new int[] {builder.consumer(unnamed)};
            sitesAt[place] = new int[] {Site.NONE};
            return;
        }
        int[] consumers = new int[end - first];
        int[] sites = new int[end - first];
        for (int i = 0; i < consumers.length; i++) {
            int line = first + i;
            FrameKind kind = i < consumers.length - 1 ? FrameKind.INLINED : kind(place);
            consumers[i] = builder.consumer(consumer(tables.function(line)));
            long number = tables.lineNumber(line);
            sites[i] = Site.of(number > 0 && number <= Site.MAX_LINE ? (int) number : 0, kind);
        }
        consumersAt[place] = consumers;
        sitesAt[place] = sites;
    }

    private Consumer consumer(int function) {
        String name = tables.functionName(function);
        if (notes != null) {
            return EXACT.read(tables.systemName(function));
        }
        return ConsumerText.slashed().read(name.isEmpty() ? tables.systemName(function) : name);
    }

    private FrameKind kind(int place) {
        String file = tables.mappingFile(place);
        if (file.startsWith(PprofWriter.KIND_PREFIX)) {
            return FrameKinds.labelled(file.substring(PprofWriter.KIND_PREFIX.length()));
        }
        return file.startsWith("[kernel") ? FrameKind.KERNEL : FrameKind.UNKNOWN;
    }

    private Provenance provenance() {
        if (notes != null) {
            return notes.provenance();
        }
        Provenance provenance =
                ForeignResources.covering(tables.timeNanos(), tables.durationNanos());
        boolean isInterval =
                tables.period() > 0
                        && tables.text(tables.periodType().unit()).equals("nanoseconds");
        return isInterval
                ? provenance.withFact(Provenance.INTERVAL, Intervals.write(tables.period()))
                : provenance;
    }

    /** The labels of a sample, as far as they tell its thread. */
    private final class Labels {
        private String name = "";
        private String group = "";
        private boolean named;

        void add(CodedInputStream in) throws IOException {
            int limit = in.pushLimit(in.readRawVarint32());
            long key = 0;
            long text = 0;
            long number = 0;
            int tag;
            while ((tag = in.readTag()) != 0) {
                switch (tag) {
                    case 1 << 3 -> key = in.readRawVarint64();
                    case 2 << 3 -> text = in.readRawVarint64();
                    case 3 << 3 -> number = in.readRawVarint64();
                    default -> in.skipField(tag);
                }
            }
            in.popLimit(limit);
            set(tables.text(key), tables.text(text), number);
        }

        private void set(String key, String text, long number) {
            switch (key) {
                case PprofWriter.THREAD, "thread_name", "thread.name" -> {
                    named = true;
                    name = text.isEmpty() && number != 0 ? Long.toString(number) : text;
                }
                case PprofWriter.THREAD_GROUP -> group = text;
                default -> {
                    // Not about threads.
                }
            }
        }

        int thread() {
            return named
                    ? threads.computeIfAbsent(List.of(group, name), _ -> enter())
                    : Column.NO_THREAD;
        }

        private int enter() {
            Consumer thread =
                    notes == null && CollapsedFrame.isThread(name)
                            ? CollapsedFrame.readThread(name)
                            : Consumer.thread(Escapes.unescape(group), Escapes.unescape(name));
            return builder.consumer(thread);
        }
    }
}
