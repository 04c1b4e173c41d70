package dev.heatline.agent.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heatline.agent.RefusedException;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Roots as people write them. */
class RootTest {
    private static final List<String> NAMES =
            List.of("com.shop.Cart", "com.shop.Cart$Item", "org.other.Cart", "com.shop.Checkout");

    private static ClassShape shape(Class<?> type) {
        return Objects.requireNonNull(
                ClassFiles.shape(type.getClassLoader(), type.getName().replace('.', '/')));
    }

    @Test
    void aClassIsMeantByItsNameOrItsLastPart() throws Exception {
        assertThat(Root.of("com.shop.Checkout::pay").find(NAMES)).isEqualTo("com.shop.Checkout");
        assertThat(Root.of("Checkout::pay").find(NAMES)).isEqualTo("com.shop.Checkout");
        assertThat(Root.of("Cart.Item::price").find(NAMES)).isEqualTo("com.shop.Cart$Item");
        assertThat(Root.of("com.shop.Cart.Item::price").find(NAMES))
                .isEqualTo("com.shop.Cart$Item");
        assertThat(Root.of("Item::price").find(NAMES)).isEqualTo("com.shop.Cart$Item");
        assertThat(Root.of("com.shop.Later::pay").find(NAMES)).isNull();
    }

    @Test
    void whatCannotBeMeantIsExplained() {
        assertThatThrownBy(() -> Root.of("Cart::add").find(NAMES))
                .isInstanceOf(RefusedException.class)
                .hasMessage("Cart may be com.shop.Cart or org.other.Cart; write it in full");
        assertThatThrownBy(() -> Root.of("Chekout::pay").find(NAMES))
                .hasMessageContaining("no class Chekout is loaded; is it com.shop.Checkout?");
        for (String wrong : List.of("Cart", "::add", "Cart::add(int", "Cart(int)::add")) {
            assertThatThrownBy(() -> Root.of(wrong)).hasMessageContaining(wrong + " is not a root");
        }
    }

    @Test
    void parametersTellMethodsApart() throws Exception {
        ClassShape shape = shape(Overloaded.class);
        assertThat(Root.of("X::add(int)").find(shape).signature().descriptor()).isEqualTo("(I)V");
        assertThat(Root.of("X::add(String,int[])").find(shape).signature().descriptor())
                .isEqualTo("(Ljava/lang/String;[I)V");
        assertThatThrownBy(() -> Root.of("X::add").find(shape))
                .hasMessageContaining("several methods are meant")
                .hasMessageContaining("::add(int)")
                .hasMessageContaining("::add(String,int[])");
        assertThatThrownBy(() -> Root.of("X::add()").find(shape))
                .hasMessageContaining("no such method");
    }

    @Test
    void aBridgeIsNeverMeantAndWithoutCodeThereIsNothingToMeasure() throws Exception {
        assertThat(Root.of("X::compare").find(shape(CallScenes.ByValue.class)).signature())
                .isEqualTo(
                        new ClassShape.Signature(
                                "compare", "(Ljava/lang/Integer;Ljava/lang/Integer;)I"));
        assertThatThrownBy(() -> Root.of("X::greet").find(shape(CallScenes.Greeter.class)))
                .hasMessageContaining("is abstract")
                .hasMessageContaining("take who implements it");
        assertThatThrownBy(() -> Root.of("X::hashCode").find(shape(Object.class)))
                .hasMessageContaining("is native");
    }

    @Test
    void withParametersABridgeIsNotMeantBesideWhatWasWritten() throws Exception {
        assertThat(Root.of("X::get()").find(shape(Text.class)).signature().descriptor())
                .isEqualTo("()Ljava/lang/String;");
        assertThat(Root.of("X::clone()").find(shape(Text.class)).signature().descriptor())
                .isEqualTo("()L" + Text.class.getName().replace('.', '/') + ";");
    }

    @Test
    void theVeryNameIsMeantBeforeAnyThatEndsSo() throws Exception {
        List<String> names = List.of("com.shop.Cart", "shop.Cart", "Cart", "shop.Cart.Item");
        assertThat(Root.of("shop.Cart::add").find(names)).isEqualTo("shop.Cart");
        assertThat(Root.of("Cart::add").find(names)).isEqualTo("Cart");
        List<String> alike = List.of("shop.Cart$Item", "shop.Cart.Item");
        assertThat(Root.of("shop.Cart.Item::price").find(alike)).isEqualTo("shop.Cart.Item");
        assertThat(Root.of("shop.Cart$Item::price").find(alike)).isEqualTo("shop.Cart$Item");
    }

    @Test
    void aNestedClassIsNoPackage() {
        assertThatThrownBy(() -> Root.of("Cart.Itm::price").find(NAMES))
                .hasMessageContaining("no class Cart.Itm is loaded; is it com.shop.Cart$Item?");
        assertThatThrownBy(() -> Root.of("Cart$Itm::price").find(NAMES))
                .hasMessageContaining("is it com.shop.Cart$Item?");
    }

    @Test
    void whatIsWaitedForIsSaidWithWhatMayBeMeant() throws Exception {
        assertThat(Root.of("com.shop.Cart.Itm::price").find(NAMES)).isNull();
        assertThat(Root.of("com.shop.Cart.Itm::price").waiting(NAMES))
                .isEqualTo("com.shop.Cart.Itm is not loaded yet; is it com.shop.Cart$Item?");
        assertThat(Root.of("com.shop.Later::pay").waiting(NAMES))
                .isEqualTo("com.shop.Later is not loaded yet");
    }

    /** Its compiler adds two methods with other results. */
    static final class Text implements Supplier<String>, Cloneable {
        @Override
        public String get() {
            return "text";
        }

        @Override
        public Text clone() throws CloneNotSupportedException {
            return (Text) super.clone();
        }
    }

    /** Two methods of one name. */
    static final class Overloaded {
        private Overloaded() {}

        static void add(int number) {}

        static void add(String name, int[] numbers) {}
    }
}
