package dev.heatline.model;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds methods by what people write: {@code Class::method}, {@code pkg.Class.method}, with or
 * without parameters, inner classes by their simple name. Overloads are all found.
 */
public final class MethodFinder {

    private MethodFinder() {}

    /**
     * The ids of all methods meant.
     *
     * @throws ModelException if there is none; suggests near names
     */
    public static List<Integer> find(Profile profile, String written) {
        String wanted = written.strip().replace("::", ".").replace(" ", "");
        List<Integer> found = new ArrayList<>();
        for (int id = 0; id < profile.consumerCount(); id++) {
            Consumer consumer = profile.consumerAt(id);
            if (consumer.isMethod() && (matches(consumer, wanted) || isNamed(consumer, written))) {
                found.add(id);
            }
        }
        if (found.isEmpty()) {
            throw new ModelException(
                    "no method " + written + " in this profile" + near(profile, wanted));
        }
        return found;
    }

    private static boolean isNamed(Consumer consumer, String written) {
        return consumer.display().equals(written);
    }

    private static boolean matches(Consumer consumer, String wanted) {
        String full =
                wanted.indexOf('(') < 0 ? qualified(consumer) : consumer.display().replace(" ", "");
        if (!full.endsWith(wanted)) {
            return false;
        }
        int before = full.length() - wanted.length() - 1;
        return before < 0 || full.charAt(before) == '.' || full.charAt(before) == '$';
    }

    private static String qualified(Consumer consumer) {
        return consumer.owner().isEmpty()
                ? consumer.name()
                : consumer.owner() + '.' + consumer.name();
    }

    private static String near(Profile profile, String wanted) {
        List<String> methods = new ArrayList<>();
        for (int id = 0; id < profile.consumerCount(); id++) {
            if (profile.consumerAt(id).isMethod()) {
                methods.add(qualified(profile.consumerAt(id)));
            }
        }
        return NearNames.suggest(wanted, methods);
    }
}
