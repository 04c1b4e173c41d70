package dev.heatline.formats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heatline.model.Column;
import dev.heatline.model.Consumer;
import dev.heatline.model.FrameKind;
import dev.heatline.model.ModelException;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.Example;

class CollapsedFormatTest extends FormatContract {

    /** Kinds that async-profiler writes without a mark. */
    private static final Set<FrameKind> UNMARKED = Set.of(FrameKind.NATIVE, FrameKind.VM);

    @Override
    Format format() {
        return new CollapsedFormat();
    }

    @Override
    Profile expressible(Profile profile) {
        List<String> written = writtenResources(profile);
        return Expected.EVERYTHING
                .withResource(
                        resource ->
                                written.contains(resource.name())
                                        ? Optional.of(Resource.SAMPLES)
                                        : Optional.empty())
                .withThread(thread -> Consumer.thread("", thread.name()))
                .withSite(
                        site -> UNMARKED.contains(Site.kind(site)) ? Site.withoutKind(site) : site)
                .withProvenance(_ -> Provenance.NONE)
                .of(profile);
    }

    @Override
    List<String> writtenResources(Profile profile) {
        Column column = ResourceChoice.counted(profile, WriteOptions.DEFAULT);
        return column == null ? List.of() : List.of(column.resource().name());
    }

    @Override
    String readName(String resource) {
        return "samples";
    }

    @Example
    void asyncProfilersConventionsAreUnderstood() {
        Profile profile =
                readText(
                        """
                        [main tid=4711];start_thread;java/lang/Thread.run_[0];a/B.c:12_[j] 3
                        [main tid=4711];java/util/HashMap.put(Ljava/lang/Object|I)V_[i] 2
                        do_syscall_64_[k] 1
                        """);
        Column samples = profile.column("samples").orElseThrow();
        assertThat(samples.total()).isEqualTo(6);
        assertThat(profile.threads()).hasSize(1);
        assertThat(profile.consumerAt(profile.threads()[0]).name()).isEqualTo("main");
        assertThat(describe(profile))
                .containsExactlyInAnyOrder(
                        "start_thread 0 UNKNOWN",
                        "java.lang.Thread.run 0 INTERPRETED",
                        "a.B.c 12 COMPILED",
                        "java.util.HashMap.put(Object,int) 0 INLINED",
                        "do_syscall_64 0 KERNEL");
    }

    @Example
    void plainOutputLooksLikeAsyncProfilers() {
        ProfileBuilder builder = new ProfileBuilder();
        Consumer method = Consumer.method("java.lang.String", "indexOf", "(I)I");
        int node =
                builder.child(
                        Profile.ROOT, builder.consumer(method), Site.of(7, FrameKind.C1_COMPILED));
        int thread = builder.consumer(Consumer.thread("group", "main"));
        builder.column(Resource.SAMPLES).add(node, thread, 5);
        Profile profile = builder.build(Provenance.NONE);
        assertThat(write(profile, new WriteOptions(Optional.empty(), true)))
                .asString(UTF_8)
                .isEqualTo("[main tid=1];java/lang/String.indexOf_[1] 5\n");
        assertThat(write(profile))
                .asString(UTF_8)
                .isEqualTo("[main tid=1];java/lang/String.indexOf(I)I:7_[1] 5\n");
    }

    @Example
    void plainStacksThatLookTheSameAreOneLine() {
        Profile profile = readText("a/B.c(I)V:1_[j] 3\na/B.c()V:2_[j] 4\n");
        assertThat(write(profile, new WriteOptions(Optional.empty(), true)))
                .asString(UTF_8)
                .isEqualTo("a/B.c_[j] 7\n");
    }

    @Example
    void namesOfOtherLanguagesStayAsTheyAre() {
        for (String name :
                List.of(
                        "net/http.(*conn).serve",
                        "C:\\new\\table.exe",
                        "main (app.py:12)",
                        "localhost:8080",
                        "10.0.0.1:8080",
                        "std::map<int, int>::at(int const&)",
                        "[unknown]",
                        "100%25")) {
            Profile profile = readText(name + " 1\n");
            assertThat(profile.consumerOf(1).display()).isEqualTo(name);
            assertThat(write(profile)).asString(UTF_8).isEqualTo(name + " 1\n");
        }
    }

    @Example
    void windowsLinesMarksAndInvalidBytesAreRead() {
        byte[] start = "\uFEFFa;b 1\r\n\r\na;".getBytes(UTF_8);
        byte[] end = " 2".getBytes(UTF_8);
        byte[] content = new byte[start.length + 2 + end.length];
        System.arraycopy(start, 0, content, 0, start.length);
        content[start.length] = (byte) 0xC3;
        content[start.length + 1] = (byte) 0x28;
        System.arraycopy(end, 0, content, start.length + 2, end.length);
        Profile profile = read(content);
        assertThat(profile.column("samples").orElseThrow().total()).isEqualTo(3);
        assertThat(describe(profile))
                .containsExactlyInAnyOrder("a 0 UNKNOWN", "b 0 UNKNOWN", "\uFFFD( 0 UNKNOWN");
    }

    @Example
    void aLineWithoutACountIsNamed() {
        assertThatThrownBy(() -> readText("a;b 1\na;b\n"))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("test, line 2: no count");
        assertThatThrownBy(() -> readText("a 99999999999999999999\n"))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("line 1: count 99999999999999999999");
        assertThatThrownBy(() -> readText("a 9223372036854775807\nb 1\n"))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("2^63-1");
    }

    @Example
    void whatAMessageQuotesIsCut() {
        assertThatThrownBy(() -> readText("a " + "9".repeat(1_000_000) + "\n"))
                .isInstanceOf(FormatException.class)
                .hasMessageMatching("test, line 1: count 9{400,500} … 9{400,500} is over 2\\^63-1");
    }

    private Profile readText(String text) {
        return read(text.getBytes(UTF_8));
    }

    private static List<String> describe(Profile profile) {
        return IntStream.range(1, profile.nodeCount())
                .mapToObj(
                        node ->
                                profile.consumerOf(node).display()
                                        + " "
                                        + Site.line(profile.site(node))
                                        + " "
                                        + Site.kind(profile.site(node)))
                .toList();
    }
}
