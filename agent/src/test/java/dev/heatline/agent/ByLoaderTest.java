package dev.heatline.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ByLoaderTest {
    /** What an application may do, which is nothing to hold up a thread that loads a class. */
    private static final class Own extends ClassLoader {
        @Override
        public int hashCode() {
            throw new IllegalStateException("asked for its hash code");
        }

        @Override
        public boolean equals(Object other) {
            throw new IllegalStateException("asked whether it is equal");
        }
    }

    @Test
    void loadersAreToldApartWithoutAskingThem() {
        ByLoader<String> values = new ByLoader<>();
        ClassLoader one = new Own();
        ClassLoader other = new Own();
        values.put(one, "first");
        values.put(one, "one");
        values.put(other, "other");

        assertThat(values.get(one)).isEqualTo("one");
        assertThat(values.get(other)).isEqualTo("other");
        assertThat(values.get(new Own())).isNull();
        assertThat(values.loaders().size()).isEqualTo(2);
        values.remove(one);
        assertThat(values.get(one)).isNull();
        assertThat(values.get(other)).isEqualTo("other");
    }

    @Test
    void loadersThatAreNotUsedAnyMoreAreForgotten() throws Exception {
        ByLoader<String> values = new ByLoader<>();
        values.put(new Own(), "nobody's");
        ClassLoader kept = new Own();
        values.put(kept, "kept");

        Target.await(
                "it to be gone",
                () -> {
                    System.gc();
                    return values.loaders().size() == 1;
                });
        assertThat(values.get(kept)).isEqualTo("kept");
    }
}
