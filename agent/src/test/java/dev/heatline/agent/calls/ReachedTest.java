package dev.heatline.agent.calls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.agent.calls.ClassShape.Signature;
import dev.heatline.agent.calls.Reached.Target;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What calls may lead to, by the hierarchy of some classes. */
class ReachedTest {
    private final Reached reached = new Reached(new Hierarchy());

    private static ClassShape shape(Class<?> type) {
        return Objects.requireNonNull(
                ClassFiles.shape(type.getClassLoader(), type.getName().replace('.', '/')));
    }

    private void add(Class<?>... types) {
        for (Class<?> type : types) {
            announce(shape(type));
            assertThat(reached.add(shape(type))).isEmpty();
        }
    }

    private void announce(ClassShape shape) {
        reached.announce(shape);
        for (Set<String> names = reached.unread(); !names.isEmpty(); names = reached.unread()) {
            names.forEach(name -> reached.addUnmeasured(name, ClassFiles.shape(null, name)));
        }
    }

    private static Target target(Class<?> type, String name, String descriptor) {
        return new Target(type.getName().replace('.', '/'), new Signature(name, descriptor));
    }

    private static Target root(Class<?> type, String descriptor) {
        return target(type, "root", descriptor);
    }

    @Test
    void anInterfaceLeadsToAllThatImplementItAlsoByInheritance() {
        add(
                CallScenes.Shape.class,
                CallScenes.Square.class,
                CallScenes.Round.class,
                CallScenes.Circle.class,
                CallScenes.Fallback.class);

        assertThat(reached.call(root(CallScenes.Shape.class, "(Ljava/util/List;)V")))
                .containsExactlyInAnyOrder(
                        target(CallScenes.Shape.class, "area", "()I"),
                        target(CallScenes.Square.class, "area", "()I"),
                        target(CallScenes.Round.class, "area", "()I"));
    }

    @Test
    void aClassThatIsNotRelatedIsNotReached() {
        add(CallScenes.Shape.class, CallScenes.Square.class, CallScenes.Round.class);

        assertThat(reached.call(root(CallScenes.Shape.class, "(Ljava/util/List;)V")))
                .doesNotContain(target(CallScenes.Round.class, "area", "()I"));
    }

    @Test
    void aClassThatComesLaterIsReachedByEarlierCalls() {
        add(CallScenes.Shape.class);
        reached.call(root(CallScenes.Shape.class, "(Ljava/util/List;)V"));

        assertThat(reached.add(shape(CallScenes.Square.class)))
                .containsExactly(target(CallScenes.Square.class, "area", "()I"));
    }

    @Test
    void whatAClassInheritsIsReachedWhenTheClassComesLater() {
        add(CallScenes.Shape.class, CallScenes.Round.class);
        reached.call(root(CallScenes.Shape.class, "(Ljava/util/List;)V"));

        assertThat(reached.add(shape(CallScenes.Circle.class)))
                .containsExactly(target(CallScenes.Round.class, "area", "()I"));
    }

    @Test
    void whatOverridesTheJdkIsReachedWhenTheJdkIsCalledAndBridgesAreSeenThrough() {
        add(CallScenes.Sorted.class, CallScenes.ByValue.class);

        assertThat(reached.call(root(CallScenes.Sorted.class, "()V")))
                .containsExactlyInAnyOrder(
                        target(CallScenes.ByValue.class, "<init>", "()V"),
                        target(
                                CallScenes.ByValue.class,
                                "compare",
                                "(Ljava/lang/Integer;Ljava/lang/Integer;)I"));
    }

    @Test
    void nothingIsReachedTwice() {
        add(CallScenes.Plain.class);
        Target root = root(CallScenes.Plain.class, "()I");

        assertThat(reached.callAll(Set.of(root))).hasSize(3);
        assertThat(reached.callAll(Set.of(root))).isEmpty();
    }
}
