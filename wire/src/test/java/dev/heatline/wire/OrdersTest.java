package dev.heatline.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Collections;
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
    void reportsAreUnderstoodWithTheirProfiles() throws IOException {
        CallReport report =
                new CallReport(
                        "x", CallReport.State.RUNNING, "", List.of("a remark", "another"), 17, 18);
        byte[] profile = {'\n', '\n', 0, -1, '\n'};

        byte[] written = report.written(profile);
        assertThat(CallReport.read(written)).isEqualTo(report);
        assertThat(CallReport.measured(written)).isEqualTo(profile);
        assertThat(CallReport.measured(report.written(new byte[0]))).isEmpty();
    }

    @Test
    void aReportIsNoLongerThanItsReaderTakes() throws IOException {
        CallReport report =
                new CallReport(
                        "x",
                        CallReport.State.FAILED,
                        "long".repeat(100_000),
                        Collections.nCopies(1_000, "many\u001b[31m\n"),
                        17,
                        18);
        CallReport read = CallReport.read(report.written(new byte[0]));
        assertThat(read.message()).hasSizeLessThan(600);
        assertThat(read.remarks()).hasSize(20).allMatch(line -> line.equals("many [31m "));
    }

    @Test
    void whatIsNoReportIsSaidToBeNone() {
        for (String wrong :
                List.of("", "report x\n", "\n\n", "state wild\n\n", "from x\n\n", "x y\n\n")) {
            assertThatThrownBy(() -> CallReport.read(wrong.getBytes(UTF_8)))
                    .as(wrong)
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void numbersOfOrdersAreBounded() throws IOException {
        CallOrder wild =
                CallOrder.read(
                                "order x\nseconds 99999999999\nmethods -1\ncontexts 99999999999\n"
                                        + "budget Infinity")
                        .get(0);
        assertThat(wild.seconds()).isEqualTo(CallOrder.MOST_SECONDS);
        assertThat(wild.request().within(100).methods()).isEqualTo(1);
        assertThat(wild.request().within(100).contexts()).isEqualTo(100);
        assertThat(wild.request().within(100).budget()).isEqualTo(1);
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
