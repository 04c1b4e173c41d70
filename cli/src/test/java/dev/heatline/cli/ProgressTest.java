package dev.heatline.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProgressTest {

    /** Keeps what is shown and tells when that has begun. */
    private static final class Screen extends ByteArrayOutputStream {
        private final CountDownLatch shown = new CountDownLatch(1);

        @Override
        public synchronized void write(byte[] bytes, int from, int length) {
            super.write(bytes, from, length);
            shown.countDown();
        }

        Shell shell(boolean terminal) {
            return new Shell(
                    this,
                    new PrintStream(this, true, UTF_8),
                    terminal,
                    terminal,
                    Map.of(),
                    Path.of(""));
        }
    }

    @Test
    void longWorkIsShownAndLeavesNoTrace() throws InterruptedException {
        Screen screen = new Screen();
        try (Progress progress = Progress.start(screen.shell(true))) {
            progress.step("reading app.jfr", 200);
            progress.reach(50);
            assertThat(screen.shown.await(20, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(screen.toString(UTF_8)).contains("reading app.jfr 25 % (").endsWith("\r\033[K");
    }

    @Test
    void itIsGoneBeforeTheAnswerComes() throws InterruptedException {
        Screen screen = new Screen();
        try (Progress progress = Progress.start(screen.shell(true))) {
            progress.step("computing");
            assertThat(screen.shown.await(20, TimeUnit.SECONDS)).isTrue();
            progress.writing(Optional.empty());
            String before = screen.toString(UTF_8);
            assertThat(before).contains("computing (").endsWith("\r\033[K");
        }
    }

    @Test
    void shortWorkIsNotShown() {
        Screen screen = new Screen();
        try (Progress progress = Progress.start(screen.shell(true))) {
            progress.step("reading app.jfr");
        }
        assertThat(screen.size()).isZero();
    }
}
