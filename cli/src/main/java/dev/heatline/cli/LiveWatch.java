package dev.heatline.cli;

import dev.heatline.model.Profile;
import java.util.List;
import java.util.function.Function;

/**
 * Shows what is watched while it is watched, a new picture every second on a screen of its own,
 * which is gone at the end.
 */
final class LiveWatch implements Watch {
    private static final long PICTURE_NANOS = 1_000_000_000;
    private static final int USUAL_HEIGHT = 24;

    private static final String OWN_SCREEN = "\033[?1049h";
    private static final String LAST_SCREEN = "\033[?1049l";
    private static final String TOP = "\033[H";
    private static final String CLEAR_LINE = "\033[K";
    private static final String CLEAR_BELOW = "\033[J";

    private final Shell shell;
    private final Watch watch;
    private final Function<Profile, String> text;
    private boolean shown;
    private long lastPicture = System.nanoTime();

    /**
     * @param text what is shown of all that was seen
     */
    LiveWatch(Shell shell, Watch watch, Function<Profile, String> text) {
        this.shell = shell;
        this.watch = watch;
        this.text = text;
    }

    @Override
    public void look() {
        watch.look();
        long now = System.nanoTime();
        if (now - lastPicture >= PICTURE_NANOS) {
            lastPicture = now;
            show();
        }
    }

    private void show() {
        // The last line is for what is being done.
        int height = shell.height().orElse(USUAL_HEIGHT) - 1;
        List<String> lines = text.apply(watch.take()).lines().limit(height).toList();
        StringBuilder picture = new StringBuilder(shown ? TOP : OWN_SCREEN + TOP);
        shown = true;
        lines.forEach(line -> picture.append(line).append(CLEAR_LINE).append('\n'));
        new Output(shell).print(picture.append(CLEAR_BELOW).toString());
    }

    @Override
    public boolean isOver() {
        return watch.isOver();
    }

    @Override
    public void stop() {
        leave();
        watch.stop();
    }

    private void leave() {
        if (shown) {
            shown = false;
            new Output(shell).print(LAST_SCREEN);
        }
    }

    @Override
    public Profile take() {
        return watch.take();
    }

    @Override
    public void close() {
        leave();
        watch.close();
    }
}
