package dev.heatline.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What collector and server say to each other is what the other understands. */
class OrdersTest {
    private static final CallRequest REQUEST =
            CallRequest.builder()
                    .roots(List.of("shop.Cart::total", "main"))
                    .includes(List.of("java.util.*"))
                    .sampled(true)
                    .budget(0.25)
                    .build();

    @Test
    void jvmsAreUnderstood() throws IOException {
        List<FollowedJvm> jvms =
                List.of(
                        new FollowedJvm("a-1", "web shop", "", "host:1", "shop.jar --x", 1),
                        new FollowedJvm("a-2", "other", "1.2", "", "Main", 2));

        assertThat(FollowedJvm.read(FollowedJvm.written(jvms))).isEqualTo(jvms);
        assertThat(FollowedJvm.read("")).isEmpty();
    }

    @Test
    void ordersAreUnderstood() throws IOException {
        List<CallOrder> orders =
                List.of(
                        new CallOrder("x", "a-1", 30, REQUEST),
                        new CallOrder("y", "a-2", 1, REQUEST.within(1_000)));

        assertThat(CallOrder.read(CallOrder.written(orders))).isEqualTo(orders);
        assertThat(CallOrder.read("")).isEmpty();
    }

    @Test
    void whatIsSaidInOneLineCannotBecomeTwo() throws IOException {
        CallRequest sly = CallRequest.builder().roots(List.of("a.B::c\norder z\r\nroot d")).build();
        List<CallOrder> read =
                CallOrder.read(CallOrder.written(List.of(new CallOrder("x", "j", 1, sly))));

        assertThat(read).hasSize(1);
        assertThat(read.get(0).request().roots()).containsExactly("a.B::c order z root d");
    }

    @Test
    void whatIsNoOrderIsSaidToBeNone() {
        assertThatThrownBy(() -> CallOrder.read("order x\nseconds many"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("many");
        assertThatThrownBy(() -> CallOrder.read("order x\nrm everything"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("rm everything");
    }
}
