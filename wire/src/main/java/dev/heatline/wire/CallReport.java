package dev.heatline.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How a measurement goes that a server wants: lines of {@code name value}, an empty line, and then
 * what was measured so far, if that is told, too: a profile, or a {@link RegionSnapshot} where the
 * order is for regions.
 *
 * @param id that of the {@link CallOrder}
 * @param message why it failed; may be empty
 * @param remarks what measuring did and cost, for people
 * @param fromMillis when it began, by the collector's clock, since 1970
 * @param untilMillis when that was said
 */
public record CallReport(
        String id,
        State state,
        String message,
        List<String> remarks,
        long fromMillis,
        long untilMillis) {

    /** How far it is. */
    public enum State {
        RUNNING,
        ENDED,
        FAILED
    }

    /** What a server answers. */
    public static final String GO_ON = "go on";

    /** Likewise, where nobody looks: what was measured need not be told. */
    public static final String GO_ON_UNSEEN = "go on unseen";

    public static final String END = "end";

    private static final int MOST_REMARKS = 20;
    private static final int LONGEST = 500;
    private static final byte LINE_END = '\n';

    private static final String REPORT = "report";
    private static final String STATE = "state";
    private static final String MESSAGE = "message";
    private static final String REMARK = "remark";
    private static final String FROM = "from";
    private static final String UNTIL = "until";

    /** As bytes, with what was measured. */
    public byte[] written(byte[] measured) {
        List<String> lines = new ArrayList<>();
        lines.add(Line.of(REPORT, id));
        lines.add(Line.of(STATE, state.name().toLowerCase(Locale.ROOT)));
        lines.add(Line.of(MESSAGE, clipped(message)));
        remarks.stream()
                .limit(MOST_REMARKS)
                .forEach(each -> lines.add(Line.of(REMARK, clipped(each))));
        lines.add(Line.of(FROM, fromMillis));
        lines.add(Line.of(UNTIL, untilMillis));
        byte[] head = (String.join("\n", lines) + "\n\n").getBytes(UTF_8);
        byte[] all = Arrays.copyOf(head, head.length + measured.length);
        System.arraycopy(measured, 0, all, head.length, measured.length);
        return all;
    }

    private static String clipped(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }

    /**
     * What {@link #written} answers, without what was measured.
     *
     * @throws IOException if it is something else
     */
    public static CallReport read(byte[] written) throws IOException {
        String id = "";
        State state = State.FAILED;
        String message = "";
        List<String> remarks = new ArrayList<>();
        long from = 0;
        long until = 0;
        for (String each : new String(written, 0, end(written), UTF_8).split("\n", -1)) {
            Line line = Line.parse(each);
            switch (line.name()) {
                case REPORT -> id = line.value();
                case STATE -> state = state(line.value());
                case MESSAGE -> message = clipped(line.value());
                case REMARK -> remarks.add(clipped(line.value()));
                case FROM -> from = CallRequest.whole(line.value());
                case UNTIL -> until = CallRequest.whole(line.value());
                default -> throw new IOException("not understood: " + clipped(each));
            }
        }
        List<String> some = remarks.subList(0, Math.min(MOST_REMARKS, remarks.size()));
        return new CallReport(id, state, message, List.copyOf(some), from, until);
    }

    /** What was measured and written behind a report; empty if that was not told. */
    public static byte[] measured(byte[] written) throws IOException {
        return Arrays.copyOfRange(written, end(written) + 2, written.length);
    }

    private static State state(String written) throws IOException {
        try {
            return State.valueOf(written.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IOException("no state of a measurement: " + clipped(written), e);
        }
    }

    private static int end(byte[] written) throws IOException {
        for (int i = 1; i < written.length; i++) {
            if (written[i] == LINE_END && written[i - 1] == LINE_END) {
                return i - 1;
            }
        }
        throw new IOException("a report ends with an empty line");
    }
}
