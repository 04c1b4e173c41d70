package dev.heatline.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heatline.formats.FormatException;
import dev.heatline.formats.jfr.LiveRecording.Position;
import dev.heatline.wire.ProcessKey;
import java.util.List;
import org.junit.jupiter.api.Test;

class MarkTest {
    private static final Position POSITION = new Position("2026_11_15 a.jfr", 47, 11, 12);

    @Test
    void marksAreReadAsTheyAreWritten() {
        for (boolean ended : new boolean[] {false, true}) {
            Mark mark = new Mark(POSITION, new ProcessKey(4711, "815"), ended);
            assertThat(Mark.parse(mark.written())).isEqualTo(mark);
        }
    }

    @Test
    void anythingElseIsSaid() {
        for (String other : List.of("", "a.jfr:47:11@12", "a.jfr:47:11@12 me", "a.jfr:47 1 2")) {
            assertThatThrownBy(() -> Mark.parse(other))
                    .isInstanceOf(FormatException.class)
                    .hasMessageContaining("is no position");
        }
    }
}
