package dev.heatline.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class StartEndEventsTest {
    private static final Resource CPU = Resource.seconds("cpu", "calls");

    private final StartEndEvents events = new StartEndEvents(CPU, "method");

    private void start(long reading, String method) {
        events.start(reading, Consumer.method(method));
    }

    private void end(long reading, String method) {
        events.end(reading, Consumer.method(method));
    }

    private static long value(Profile profile, String resource, String path) {
        return profile.column(resource)
                .orElseThrow()
                .self(profile.nodeCount())[Trees.node(profile, path)];
    }

    @Test
    void theReadingBetweenTwoEventsBelongsToWhatWasRunning() {
        start(10, "a");
        start(13, "b");
        end(20, "b");
        start(21, "b");
        end(22, "b");
        end(30, "a");
        Profile profile = events.build(Provenance.NONE);

        assertThat(value(profile, "cpu", "a")).isEqualTo(3 + 1 + 8);
        assertThat(value(profile, "cpu", "ab")).isEqualTo(7 + 1);
        assertThat(value(profile, "calls", "ab")).isEqualTo(2);
    }

    @Test
    void everyThreadHasItsOwnOpenCalls() {
        Consumer one = Consumer.thread("", "one");
        Consumer two = Consumer.thread("", "two");
        events.switchTo(0, one);
        start(0, "a");
        events.switchTo(5, two);
        start(5, "b");
        events.switchTo(7, one);
        end(10, "a");
        Profile profile = events.build(Provenance.NONE);

        Column cpu = profile.column("cpu").orElseThrow();
        assertThat(value(profile, "cpu", "a")).isEqualTo(8);
        assertThat(value(profile, "cpu", "b")).isEqualTo(2);
        assertThat(profile.consumerAt(cpu.thread(0))).isEqualTo(one);
    }

    @Test
    void anEndClosesWhatAnExceptionLeftOpen() {
        start(0, "a");
        start(1, "b");
        start(2, "c");
        end(3, "a");
        start(4, "d");
        Profile profile = events.build(Provenance.NONE);

        assertThat(value(profile, "calls", "d")).isEqualTo(1);
        assertThat(Trees.node(profile, "abd")).isEqualTo(Profile.NO_NODE);
    }

    @Test
    void anEndWithoutAStartIsCountedAndChangesNothing() {
        start(0, "a");
        end(2, "never");
        end(5, "a");
        Profile profile = events.build(Provenance.NONE);

        assertThat(profile.provenance().count(StartEndEvents.UNMATCHED)).isEqualTo(1);
        assertThat(value(profile, "cpu", "a")).isEqualTo(5);
    }

    @Test
    void aReadingThatGoesBackIsRefused() {
        start(5, "a");
        assertThatThrownBy(() -> end(4, "a"))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("goes back");
    }
}
