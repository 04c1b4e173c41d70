package dev.heatline.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class MethodNamesTest {

    @Test
    void parametersAreShownBySimpleName() {
        assertThat(
                        Consumer.method(
                                        "shop.Cart",
                                        "add",
                                        "(Lshop/Item;[[ILjava/util/Map$Entry;J)V")
                                .display())
                .isEqualTo("shop.Cart.add(Item,int[][],Map$Entry,long)");
        assertThat(Consumer.method("shop.Cart", "<init>", "()V").display())
                .isEqualTo("shop.Cart.<init>()");
        assertThat(Consumer.method("", "write", "").display()).isEqualTo("write");
    }

    @Test
    void whatIsWrittenIsReadBack() {
        for (String written :
                List.of(
                        "shop.Cart.add(Item,int)",
                        "shop.Cart.add",
                        "Main",
                        "shop.Cart.<init>()",
                        "std::sort(int*, int*)",
                        "libc.so.6")) {
            assertThat(Consumer.method(written).display()).isEqualTo(written);
        }
        assertThat(Consumer.method("shop.Cart.add").owner()).isEqualTo("shop.Cart");
        assertThat(Consumer.method("java.util.Arrays.sort(int[])").owner())
                .isEqualTo("java.util.Arrays");
        assertThat(Consumer.method("org.sonar.Rule.check").owner()).isEqualTo("org.sonar.Rule");
        assertThat(Consumer.method("libjvm.so").owner()).isEmpty();
        assertThat(Consumer.method("finish_task_switch.isra.0").owner()).isEmpty();
        assertThat(Consumer.method("shop.Cart$$Lambda.0x0012", "run", "").packageName())
                .isEqualTo("shop");
    }

    @Test
    void brokenDescriptorsAreShownAsFarAsTheyGo() {
        for (String descriptor : List.of("(", "([", "(L", "(Lx", "(Q)V", "nonsense")) {
            assertThat(Consumer.method("C", "m", descriptor).display()).startsWith("C.m");
        }
    }

    private static Profile profile() {
        ProfileBuilder builder = new ProfileBuilder();
        for (String method : List.of("shop.Cart.add", "shop.Cart$Item.price", "web.Cart.add")) {
            builder.child(0, builder.consumer(Consumer.method(method)), Site.NONE);
        }
        builder.child(0, builder.consumer(Consumer.method("shop.Cart", "add", "(I)V")), Site.NONE);
        return builder.build(Provenance.NONE);
    }

    private static List<String> found(String written) {
        Profile profile = profile();
        return MethodFinder.find(profile, written).stream()
                .map(id -> profile.consumerAt(id).display())
                .toList();
    }

    @Test
    void methodsAreFoundByWhatPeopleWrite() {
        assertThat(found("Cart::add"))
                .containsExactly("shop.Cart.add", "shop.Cart.add(int)", "web.Cart.add");
        assertThat(found("shop.Cart.add")).containsExactly("shop.Cart.add", "shop.Cart.add(int)");
        assertThat(found("shop.Cart.add(int)")).containsExactly("shop.Cart.add(int)");
        assertThat(found("Item::price")).containsExactly("shop.Cart$Item.price");
    }

    @Test
    void aMethodThatDoesNotExistSuggestsNearOnes() {
        Profile profile = profile();
        assertThatThrownBy(() -> MethodFinder.find(profile, "Cart::ad"))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("did you mean shop.Cart.add, web.Cart.add?");
        assertThatThrownBy(() -> MethodFinder.find(profile, "art::add"))
                .hasMessageContaining("no method art::add");
    }
}
