package dev.heatline.collector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.collector.spool.Once;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class FollowerTest {
    private final List<String> said = new ArrayList<>();
    private final Follower follower = new Follower(said::add);
    private int tries;
    private boolean hopeless;

    @Test
    void aJvmThatCannotBeProfiledIsTriedLessAndLessAndSaysWhyOnce() {
        List<Integer> looks = new ArrayList<>();
        for (int look = 0; look < 1_900; look++) {
            int before = tries;
            follower.tryIfDue(failing(false));
            if (tries > before) {
                looks.add(look);
            }
        }
        assertThat(looks).containsExactly(0, 30, 90, 210, 450, 900, 1350, 1800);
        assertThat(said).containsExactly("no way");
    }

    @Test
    void afterOneThatWasProfiledTheWaitIsShortAgain() {
        for (int look = 0; look < 1_000; look++) {
            follower.tryIfDue(failing(true));
        }
        assertThat(tries).isEqualTo(1 + 999 / 30);
    }

    @Test
    void whatWouldOnlyDisturbIsNotTriedAgain() {
        hopeless = true;
        for (int look = 0; look < 1_000; look++) {
            follower.tryIfDue(failing(false));
        }
        assertThat(tries).isEqualTo(1);
    }

    @Test
    void aThreadAtWorkIsLeftAlone() {
        assertThat(follower.isAtWork()).isFalse();
        Thread self = Thread.currentThread();
        follower.tryIfDue(_ -> new Follower.Try(self, () -> false, () -> false));
        assertThat(follower.isAtWork()).isTrue();
        for (int look = 0; look < 100; look++) {
            follower.tryIfDue(failing(false));
        }
        assertThat(tries).isZero();
    }

    private Function<Once, Follower.Try> failing(boolean followed) {
        return obstacles -> {
            tries++;
            obstacles.say("no way");
            return new Follower.Try(new Thread(() -> {}), () -> followed, () -> hopeless);
        };
    }
}
