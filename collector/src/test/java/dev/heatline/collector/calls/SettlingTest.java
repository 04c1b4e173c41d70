package dev.heatline.collector.calls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.wire.CallSnapshot;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettlingTest {
    private static final List<CallSnapshot.Tree> INSIDE =
            List.of(new CallSnapshot.Tree(1, "main", 1));

    private static CallSnapshot look(
            double seconds, long methods, long compiling, List<CallSnapshot.Tree> trees) {
        return new CallSnapshot(
                (long) (seconds * 1e9),
                CallSnapshot.Costs.NONE,
                Map.of(CallSnapshot.METHODS, methods, CallSnapshot.COMPILING_MILLIS, compiling),
                List.of(),
                List.of(),
                trees);
    }

    private final Settling settling = new Settling(look(0, 10, 0, List.of()));

    @Test
    void timesCountWhenNothingIsChangedAndLittleCompiled() {
        settling.look(look(1, 200, 800, INSIDE));
        settling.look(look(2, 200, 1_500, INSIDE));
        settling.look(look(3, 210, 1_520, INSIDE));
        settling.look(look(3.1, 210, 1_520, INSIDE));
        assertThat(settling.settled()).isEmpty();

        CallSnapshot quiet = look(4, 210, 1_600, INSIDE);
        settling.look(quiet);
        settling.look(look(5, 300, 2_500, INSIDE));
        assertThat(settling.settled()).containsSame(quiet);
    }

    @Test
    void noRootWasCalledYet() {
        settling.look(look(1, 10, 0, List.of()));
        settling.look(look(60, 10, 0, List.of()));
        assertThat(settling.settled()).isEmpty();
    }

    @Test
    void compilersThatAlwaysHaveMuchToDoAreNotWaitedForForEver() {
        for (int second = 1; second < 15; second++) {
            settling.look(look(second, 10, second * 900L, INSIDE));
        }
        assertThat(settling.settled()).isEmpty();
        settling.look(look(15, 10, 15 * 900L, INSIDE));
        assertThat(settling.settled()).isPresent();
    }
}
