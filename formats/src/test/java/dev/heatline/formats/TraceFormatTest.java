package dev.heatline.formats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import dev.heatline.model.StartEndEvents;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class TraceFormatTest {
    private static final TraceFormat FORMAT = new TraceFormat();

    @Example
    void theWorkedExampleYieldsItsTable() {
        Profile profile = Formats.read(Path.of("../examples/ac_test.trace"), ReadOptions.DEFAULT);
        Column cpu = profile.column("cpu").orElseThrow();
        Column calls = profile.column("calls").orElseThrow();
        long[] seconds = cpu.self(profile.nodeCount());
        long[] counts = calls.self(profile.nodeCount());
        List<String> rows = new ArrayList<>();
        for (int node = 1; node < profile.nodeCount(); node++) {
            String path =
                    profile.path(node).stream()
                            .map(Consumer::display)
                            .collect(Collectors.joining(" "));
            rows.add(path + " " + counts[node] + " " + seconds[node] / Resource.NANOS_PER_SECOND);
        }
        assertThat(rows)
                .containsExactly(
                        "Main 1 0",
                        "Main A 1 1",
                        "Main A B 2 2",
                        "Main A B C 1 1",
                        "Main B 1 1",
                        "Main B A 1 1",
                        "Main B A C 1 1",
                        "Main B A X 1 0",
                        "Main B A X E 1 1",
                        "Main B A X F 1 1",
                        "Main B A X G 1 1");
        assertThat(profile.threads())
                .containsExactly(profile.idOf(Consumer.thread("", "AC_test_pidtid")));
        assertThat(cpu.resource()).isEqualTo(Resource.seconds("cpu", "calls"));
        assertThat(profile.consumerLabel()).isEqualTo("method");
        assertThat(read(write(profile))).isEqualTo(profile);
    }

    @Example
    void readingsAreExactDecimals() {
        Profile nanos = readText("#resource cpu ms\n0.1 > A\n0.100001 < A\n");
        assertThat(nanos.column("cpu").orElseThrow().total()).isEqualTo(1);
        Profile joules = readText("#resource energy J\n-0.5 > A\n0 < A\n0.25\n1.125\n");
        Column energy = joules.column("energy").orElseThrow();
        assertThat(energy.resource().perUnit()).isEqualTo(1000);
        assertThat(energy.total()).isEqualTo(1625);
        assertThat(energy.self(joules.nodeCount())).containsExactly(1125, 500);
        assertThat(read(write(joules))).isEqualTo(joules);
    }

    @Example
    void bindingsNameWhatIsMeasured() {
        Profile profile =
                readText(
                        """
                        # a comment
                        #resource L1 misses lines
                        #consumer phase
                        #occurrences entries
                        0 @ main thread
                        0 > parse files
                        7 < parse files
                        """);
        assertThat(profile.consumerLabel()).isEqualTo("phase");
        assertThat(profile.consumerOf(1)).isEqualTo(Consumer.label("parse files"));
        assertThat(profile.column("L1 misses").orElseThrow().resource())
                .isEqualTo(new Resource("L1 misses", "lines", Resource.Kind.AMOUNT, 1, "entries"));
        assertThat(profile.column("entries").orElseThrow().total()).isEqualTo(1);
        assertThat(read(write(profile))).isEqualTo(profile);
    }

    @Example
    void errorsNameTheirLine() {
        assertWrong("0 > A\nx < A\n", "line 2: the reading is not a decimal");
        assertWrong("0 > A\n1 = A\n", "line 2: expected");
        assertWrong("0 >\n", "line 1: expected");
        assertWrong("1 > A\n0 < A\n", "line 2: reading goes back");
        assertWrong("0 > A\n#resource a b\n", "line 2: bindings");
        assertWrong("#resource cpu\n", "line 1: expected \"#resource NAME UNIT\"");
        assertWrong("#consumer\n", "line 1: a label is missing");
        assertWrong("0.1234567891 > A\n", "line 1: the reading has more digits");
        assertWrong("99999999999 > A\n", "line 1: the reading has more digits");
        assertWrong("9".repeat(100_000) + " > A\n", "line 1: the reading has more digits");
        assertWrong("#resource x y\n0.1234567891 > A\n", "line 2: the reading has more digits");
    }

    @Example
    void endsWithoutAStartAreCounted() {
        Profile profile = readText("0 < A\n1 > B\n2 < A\n3 < B\n");
        assertThat(profile.provenance().count(StartEndEvents.UNMATCHED)).isEqualTo(2);
    }

    @Property(tries = 100)
    void randomTracesComeBack(@ForAll long seed, @ForAll boolean hostile) {
        Profile profile = randomTrace(seed, hostile);
        assertThat(read(write(profile))).isEqualTo(profile);
    }

    @Example
    void whatHasNoOccurrencesIsRefused() {
        ProfileBuilder builder = new ProfileBuilder();
        int node = builder.child(Profile.ROOT, builder.consumer(Consumer.method("A.b")), Site.NONE);
        builder.column(Resource.seconds("cpu", "calls")).add(node, Column.NO_THREAD, 5);
        assertThatThrownBy(() -> write(builder.build(Provenance.NONE)))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("the profile has no calls");
    }

    @Example
    void moreThanMillionsOfLinesAreRefused() {
        Profile profile = FormatContract.oneSample(1L << 40, 1);
        assertThatThrownBy(() -> write(profile))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("would be too long");
    }

    @Example
    void anEmptyProfileIsWrittenAndRead() {
        Profile empty = new ProfileBuilder().build(Provenance.NONE);
        assertThat(read(write(empty))).isEqualTo(empty);
    }

    @Example
    void deepStacksAreKept() {
        StartEndEvents events = new StartEndEvents(Resource.seconds("cpu", "calls"), "method");
        for (int i = 0; i < 100_000; i++) {
            events.start(i, Consumer.method("A", "m" + i % 3, ""));
        }
        Profile deep = events.build(Provenance.NONE);
        assertThat(read(write(deep))).isEqualTo(deep);
    }

    private static Profile randomTrace(long seed, boolean hostile) {
        SplittableRandom random = new SplittableRandom(seed);
        StartEndEvents events = new StartEndEvents(Resource.seconds("cpu", "calls"), "method");
        List<String> names = hostile ? RandomProfiles.HOSTILE : List.of("a.B.c", "d", "E.f(int)");
        long reading = random.nextInt(1000);
        for (int i = 0; i < 200; i++) {
            reading += random.nextInt(3) == 0 ? 0 : random.nextLong(5_000_000_000L);
            String name = names.get(random.nextInt(names.size()));
            switch (random.nextInt(8)) {
                case 0 -> events.switchTo(reading, Consumer.thread(hostile ? name : "", name));
                case 1 -> events.advance(reading);
                case 2, 3, 4 -> events.start(reading, Consumer.method(name, name, ""));
                default -> events.start(reading, Consumer.method("", name, "()V"));
            }
        }
        return events.build(Provenance.NONE);
    }

    private static void assertWrong(String text, String message) {
        assertThatThrownBy(() -> readText(text))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining(message);
    }

    private static Profile readText(String text) {
        return read(text.getBytes(UTF_8));
    }

    private static Profile read(byte[] content) {
        return FORMAT.read(Source.of("test", content), ReadOptions.DEFAULT);
    }

    private static byte[] write(Profile profile) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            FORMAT.write(profile, out, WriteOptions.DEFAULT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
