package dev.heatline.formats;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DynamicMessage;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class IntervalsTest {
    private static final Schema SCHEMA = Schema.of(Path.of("src/test/proto"), "profile.proto");

    @Property
    void whatIsWrittenIsRead(
            @ForAll @LongRange(min = 1, max = 999_999_999_999_999_999L) long nanos) {
        assertThat(Intervals.read(Intervals.write(nanos))).isEqualTo(nanos);
    }

    @Example
    void theLargestUnitIsTaken() {
        assertThat(Intervals.write(60_000_000_000L)).isEqualTo("1m");
        assertThat(Intervals.write(90_000_000_000L)).isEqualTo("90s");
        assertThat(Intervals.write(10_000_000)).isEqualTo("10ms");
        assertThat(Intervals.write(1_001)).isEqualTo("1001ns");
        assertThat(Intervals.write(0)).isEqualTo("0ns");
    }

    @Example
    void settingsAreRead() {
        assertThat(Intervals.read("20 ms")).isEqualTo(20_000_000);
        assertThat(Intervals.read("5000000")).isEqualTo(5_000_000);
        assertThat(Intervals.read("everyChunk")).isZero();
        assertThat(Intervals.read("999999999999999999d")).isZero();
        assertThat(Intervals.read("")).isZero();
        assertThat(Intervals.read(null)).isZero();
    }

    @Example
    void aPeriodOfMinutesSurvivesPprof() throws IOException {
        Profile profile =
                new ProfileBuilder().build(Provenance.NONE.withFact(Provenance.INTERVAL, "2m"));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new PprofWriter(profile, out).write();
        DynamicMessage written = SCHEMA.parse("Profile", out.toByteArray());
        assertThat(Schema.get(written, "period")).isEqualTo(120_000_000_000L);
    }
}
