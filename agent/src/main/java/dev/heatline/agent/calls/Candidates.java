package dev.heatline.agent.calls;

import dev.heatline.agent.RefusedException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The loaded classes that roots may mean, and why some of them cannot be measured. */
final class Candidates {
    private final Scope scope;
    private final Set<String> measurable = new HashSet<>();
    private final List<Class<?>> others = new ArrayList<>();

    Candidates(Class<?>[] loaded, Scope scope) {
        this.scope = scope;
        for (Class<?> type : loaded) {
            if (scope.includes(type)) {
                measurable.add(type.getName());
            } else if (!type.isArray()) {
                others.add(type);
            }
        }
    }

    /** The binary names of those that may be measured. */
    Set<String> measurable() {
        return measurable;
    }

    /**
     * Which class a root means; null if it is not loaded yet.
     *
     * @throws RefusedException if several are meant, or one that is not to be measured, or none
     *     ever will be
     */
    @Nullable String find(Root root) throws RefusedException {
        if (measurable.stream().noneMatch(root::isMeant)) {
            refuse(root::isNamed);
            if (!root.isQualified(measurable)) {
                refuse(root::isMeant);
            }
        }
        return root.find(measurable);
    }

    private void refuse(Predicate<String> isMeant) throws RefusedException {
        Class<?> meant = null;
        for (Class<?> type : others) {
            // Of several, the one that is nested in no other.
            boolean isShorter = meant == null || type.getName().length() < meant.getName().length();
            if (isShorter && isMeant.test(declared(type))) {
                meant = type;
            }
        }
        if (meant != null) {
            throw new RefusedException(meant.getName() + " " + scope.refusal(meant));
        }
    }

    /** The JVM adds something to the names of hidden classes. */
    private static String declared(Class<?> type) {
        String name = type.getName();
        return type.isHidden() ? name.substring(0, name.indexOf('/')) : name;
    }
}
