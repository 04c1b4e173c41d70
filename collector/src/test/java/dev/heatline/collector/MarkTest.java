package dev.heatline.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heatline.formats.FormatException;
import dev.heatline.formats.jfr.LiveRecording.Position;
import dev.heatline.wire.ProcessKey;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MarkTest {
    private static final Position POSITION = new Position("2026_11_15 a.jfr", 47, 11, 12);

    @Test
    void marksAreReadAsTheyAreWritten() {
        Mark mark = new Mark(POSITION, Optional.of(new ProcessKey(4711, "815")));
        assertThat(Mark.parse(mark.written())).isEqualTo(mark);
    }

    @Test
    void positionsFromBeforeThereWereMarksAreRead() {
        assertThat(Mark.parse("2026_11_15 a.jfr:47:11"))
                .isEqualTo(new Mark(new Position("2026_11_15 a.jfr", 47, 11, 0), Optional.empty()));
    }

    @Test
    void anythingElseIsSaid() {
        assertThatThrownBy(() -> Mark.parse("a.jfr:47:11@12 me"))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("names no process");
    }
}
