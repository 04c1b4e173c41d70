package dev.heatline.server.query;

import dev.heatline.model.Consumer;
import dev.heatline.model.Profile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names that are too long for an address, written as how they begin, {@code …} and a key of the
 * whole. The page makes the same keys ({@code nameKey} in {@code web/src/flame/names.ts}).
 */
final class ShortName {

    /** What stands before the key is for people. */
    private static final Pattern SHORT = Pattern.compile("[^…]*…([0-9a-z]{1,11})");

    private ShortName() {}

    /** The whole name of the method that is meant; what was written if it is not short for any. */
    static String method(Profile profile, String written) {
        Matcher matcher = SHORT.matcher(written);
        if (matcher.matches()) {
            for (int id = 0; id < profile.consumerCount(); id++) {
                Consumer consumer = profile.consumerAt(id);
                if (consumer.isMethod() && key(consumer.display()).equals(matcher.group(1))) {
                    return consumer.display();
                }
            }
        }
        return written;
    }

    /** Whether a name was written, whole or short. */
    static boolean means(String written, String name) {
        if (written.equals(name)) {
            return true;
        }
        Matcher matcher = SHORT.matcher(written);
        return matcher.matches() && key(name).equals(matcher.group(1));
    }

    /** 53 bits, as many as a number of JavaScript holds, so that no two names share a key. */
    static String key(String name) {
        int a = 0xdeadbeef;
        int b = 0x41c6ce57;
        for (int i = 0; i < name.length(); i++) {
            a = (a ^ name.charAt(i)) * 0x9e3779b1;
            b = (b ^ name.charAt(i)) * 0x5f356495;
        }
        a = mixed(a, 16, 0x85ebca6b) ^ mixed(b, 13, 0xc2b2ae35);
        b = mixed(b, 16, 0x85ebca6b) ^ mixed(a, 13, 0xc2b2ae35);
        return Long.toString(((long) (b & 0x1fffff) << 32) | Integer.toUnsignedLong(a), 36);
    }

    private static int mixed(int bits, int shift, int factor) {
        return (bits ^ (bits >>> shift)) * factor;
    }
}
