package dev.heatline.formats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heatline.model.Column;
import dev.heatline.model.Profile;
import dev.heatline.model.Resource;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Example;

class SpeedscopeFormatTest extends FormatContract {

    @Override
    Format format() {
        return new SpeedscopeFormat();
    }

    @Override
    Profile expressible(Profile profile) {
        List<String> written = writtenResources(profile);
        return Expected.EVERYTHING
                .withResource(
                        resource ->
                                Optional.of(resource).filter(each -> written.contains(each.name())))
                .of(profile);
    }

    @Override
    List<String> writtenResources(Profile profile) {
        Column column = ResourceChoice.used(profile, WriteOptions.DEFAULT);
        return column == null ? List.of() : List.of(column.resource().name());
    }

    @Example
    void sampledProfilesOfOtherToolsAreThreads() {
        Profile profile =
                readText(
                        """
                        {"profiles": [
                          {"type": "sampled", "name": "main", "unit": "milliseconds",
                           "startValue": 0, "endValue": 3, "samples": [[0, 1], [0]],
                           "weights": [1.5, 1]},
                          {"type": "sampled", "name": "worker", "unit": "milliseconds",
                           "startValue": 0, "endValue": 3, "weights": [7], "samples": [[1]]}],
                         "shared": {"frames": [{"name": "a.B.c", "file": "B.java", "line": 7},
                                               {"name": "main (app.py)"}]}}
                        """);
        assertThat(Expected.totalsByThread(profile, "time"))
                .containsEntry("thread main", 2_500_000L)
                .containsEntry("thread worker", 7_000_000L);
        assertThat(profile.consumerOf(1).display()).isEqualTo("main (app.py)");
    }

    @Example
    void eventedProfilesBecomeTrees() {
        Profile profile =
                readText(
                        """
                        {"$schema": "https://www.speedscope.app/file-format-schema.json",
                         "shared": {"frames": [{"name": "a"}, {"name": "b"}]},
                         "profiles": [{"type": "evented", "name": "x", "unit": "seconds",
                           "startValue": 0, "endValue": 14, "events": [
                             {"type": "O", "frame": 0, "at": 1},
                             {"type": "O", "frame": 1, "at": 3},
                             {"type": "C", "frame": 1, "at": 3.5},
                             {"type": "O", "frame": 1, "at": 4},
                             {"type": "C", "frame": 1, "at": 5},
                             {"type": "C", "frame": 0, "at": 14}]}]}
                        """);
        Column time = profile.column("time").orElseThrow();
        assertThat(time.resource()).isEqualTo(Resource.seconds("time", "calls"));
        assertThat(time.self(profile.nodeCount()))
                .containsExactly(0, 11_500_000_000L, 1_500_000_000L);
        assertThat(profile.column("calls").orElseThrow().self(profile.nodeCount()))
                .containsExactly(0, 1, 2);
        assertThat(profile.threads()).isEmpty();
    }

    @Example
    void whatDoesNotFitTogetherIsRefused() {
        assertWrong("{\"shared\": {\"frames\": []}, \"profiles\": [1]}", "is not an object");
        assertWrong(
                "{\"profiles\": [{\"samples\": [[0]], \"weights\": [1]}]}", "there is no frame 0");
        assertWrong("{\"profiles\": [{\"samples\": [[]], \"weights\": []}]}", "1 samples, but 0");
        assertWrong("{\"profiles\": [{\"samples\": [[]], \"weights\": [1e300]}]}", "too large");
        assertWrong(
                """
                {"shared": {"frames": [{"name": "a"}]}, "profiles": [{"type": "evented", "events": [
                  {"type": "O", "frame": 0, "at": -9000000000000000000},
                  {"type": "C", "frame": 0, "at": 9000000000000000000}]}]}
                """,
                "is too long");
        assertWrong("{\"profiles\": ", "damaged JSON");
        assertWrong("[]", "the file is not an object");
    }

    @Example
    void bytesThatAreNoTextAreReplaced() {
        byte[] content =
                "{\"shared\":{\"frames\":[{\"name\":\"a?b\"}]},\"profiles\":[{\"samples\":[[0]],\"weights\":[2]}]}"
                        .getBytes(UTF_8);
        for (int i = 0; i < content.length; i++) {
            content[i] = content[i] == '?' ? (byte) 0xFF : content[i];
        }
        assertThat(read(content).consumerOf(1).name()).isEqualTo("a\uFFFDb");
    }

    @Example
    void aFullDiskIsAnIOException() {
        OutputStream full =
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException("No space left on device");
                    }
                };
        assertThatThrownBy(() -> format().write(oneSample(1, 9), full, WriteOptions.DEFAULT))
                .isInstanceOf(IOException.class)
                .hasMessage("No space left on device");
    }

    private void assertWrong(String text, String message) {
        assertThatThrownBy(() -> readText(text))
                .isInstanceOf(FormatException.class)
                .hasMessageStartingWith("test: ")
                .hasMessageContaining(message);
    }

    private Profile readText(String text) {
        return read(text.getBytes(UTF_8));
    }
}
