package dev.heatline.agent.locks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which classes are changed together. */
class ChoiceTest {
    private static final ClassLoader APPLICATION = ClassLoader.getSystemClassLoader();

    @Test
    void nestedClassesShareTheLocksOfTheOutermost() {
        assertThat(Choice.family(APPLICATION, "com/shop/Stock")).isEqualTo("com/shop/Stock");
        assertThat(Choice.family(APPLICATION, "com/shop/Stock$1")).isEqualTo("com/shop/Stock");
        assertThat(Choice.family(APPLICATION, "com/shop/Stock$Shelf$2"))
                .isEqualTo("com/shop/Stock");
    }

    @Test
    void aNameThatBeginsWithADollarIsANameOfItsOwn() {
        assertThat(Choice.family(APPLICATION, "com/shop/$Stock")).isEqualTo("com/shop/$Stock");
        assertThat(Choice.family(APPLICATION, "$")).isEqualTo("$");
    }

    @Test
    void classesOfTheJdkAreChangedAlone() {
        assertThat(Choice.family(null, "java/util/Collections$SynchronizedMap"))
                .isEqualTo("java/util/Collections$SynchronizedMap");
    }
}
