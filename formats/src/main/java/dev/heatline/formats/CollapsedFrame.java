package dev.heatline.formats;

import dev.heatline.model.Consumer;
import dev.heatline.model.FrameKind;
import dev.heatline.model.Site;

/**
 * A frame of a collapsed stack: a consumer, then {@code :line} and a mark of the frame kind where
 * they are known, as async-profiler writes them. It has no marks for native and VM frames, which
 * therefore come back as {@link FrameKind#UNKNOWN}.
 *
 * @param site line and kind, packed; see {@link Site}
 */
record CollapsedFrame(Consumer consumer, int site) {
    private static final ConsumerText TEXT = ConsumerText.slashed();
    private static final int MARK_LENGTH = 4;
    private static final int MAX_LINE_DIGITS = 9;

    static CollapsedFrame read(String text) {
        FrameKind kind = kindOf(text);
        String unmarked =
                kind == FrameKind.UNKNOWN ? text : text.substring(0, text.length() - MARK_LENGTH);
        int colon = lineAt(unmarked);
        if (colon > 0) {
            int line = Integer.parseInt(unmarked.substring(colon + 1));
            Consumer consumer = TEXT.read(unmarked.substring(0, colon));
            if (unmarked.charAt(colon - 1) == Escapes.FIELD || canHaveLine(consumer)) {
                return new CollapsedFrame(consumer, Site.of(line, kind));
            }
        }
        return new CollapsedFrame(TEXT.read(unmarked), Site.of(0, kind));
    }

    /** Text that leads back to this frame, apart from kinds that have no mark. */
    String write() {
        String suffix = suffix();
        String written = TEXT.write(consumer) + suffix;
        CollapsedFrame expected =
                new CollapsedFrame(consumer, mark().isEmpty() ? Site.withoutKind(site) : site);
        boolean same = !isThread(written) && read(written).equals(expected);
        return same ? written : TEXT.fields(consumer) + suffix;
    }

    /** The name as async-profiler writes it by default: no descriptor, no line. */
    String writePlain() {
        return TEXT.brief(consumer) + mark();
    }

    /** Whether a first frame is async-profiler's {@code [name tid=1]} or {@code [tid=1]}. */
    static boolean isThread(String frame) {
        if (!frame.startsWith("[") || !frame.endsWith("]")) {
            return false;
        }
        int tid = frame.lastIndexOf("tid=");
        if (tid < 1 || (tid > 1 && frame.charAt(tid - 1) != ' ')) {
            return false;
        }
        return isNumber(frame, tid + "tid=".length(), frame.length() - 1);
    }

    /** The thread of such a frame; the number is part of the name only if there is nothing else. */
    static Consumer readThread(String frame) {
        int tid = frame.lastIndexOf("tid=");
        return Consumer.thread(
                "",
                tid == 1
                        ? frame.substring(1, frame.length() - 1)
                        : Escapes.unescape(frame.substring(1, tid - 1)));
    }

    /**
     * @param number stands for the operating system's thread number, which Profiles do not keep
     */
    static String writeThread(Consumer thread, int number) {
        String bare = "[" + thread.name() + "]";
        return isThread(bare) && bare.lastIndexOf("tid=") == 1
                ? bare
                : "[" + Escapes.escape(thread.name(), ";") + " tid=" + number + "]";
    }

    private String suffix() {
        int line = Site.line(site);
        return (line == 0 ? "" : ":" + line) + mark();
    }

    private String mark() {
        return switch (Site.kind(site)) {
            case INTERPRETED -> "_[0]";
            case COMPILED -> "_[j]";
            case INLINED -> "_[i]";
            case KERNEL -> "_[k]";
            case C1_COMPILED -> "_[1]";
            case UNKNOWN, NATIVE, VM -> "";
        };
    }

    private static FrameKind kindOf(String text) {
        int mark = text.length() - MARK_LENGTH;
        if (mark < 0 || !text.startsWith("_[", mark) || !text.endsWith("]")) {
            return FrameKind.UNKNOWN;
        }
        return switch (text.charAt(mark + 2)) {
            case '0' -> FrameKind.INTERPRETED;
            case 'j' -> FrameKind.COMPILED;
            case 'i' -> FrameKind.INLINED;
            case 'k' -> FrameKind.KERNEL;
            case '1' -> FrameKind.C1_COMPILED;
            default -> FrameKind.UNKNOWN;
        };
    }

    /** Only methods of classes: {@code localhost:8080} is not one, neither is an address. */
    private static boolean canHaveLine(Consumer consumer) {
        if (consumer.owner().isEmpty() || consumer.name().isEmpty()) {
            return false;
        }
        char first = consumer.name().charAt(0);
        return first == '<' || Character.isJavaIdentifierStart(first);
    }

    /** Where the colon of a line number at the end of the text is, or -1. */
    private static int lineAt(String text) {
        int colon = text.lastIndexOf(':');
        boolean isLine =
                colon > 0
                        && text.length() - colon - 1 <= MAX_LINE_DIGITS
                        && isNumber(text, colon + 1, text.length());
        return isLine ? colon : -1;
    }

    private static boolean isNumber(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return from < to;
    }
}
