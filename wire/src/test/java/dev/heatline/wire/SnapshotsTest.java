package dev.heatline.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heatline.wire.CallSnapshot.Method;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the agent writes is what the tool reads, or it says that it is damaged. */
class SnapshotsTest {
    private static final Method METHOD = new Method("shop.Cart", "total", "()I");

    @TempDir private Path folder;

    private static CallSnapshot calls() {
        CallSnapshot.Tree tree = new CallSnapshot.Tree(0, "main", 3);
        tree.set(1, 0, 0, 10, 1000, CallSnapshot.Tree.EVERY_CALL);
        tree.set(2, 1, 1, 20, 480, CallSnapshot.Tree.EVERY_CALL);
        tree.setInside(2, 7, 8);
        tree.setUntimed(1, 4);
        tree.add(new CallSnapshot.Made(2, "shop.Item", 42, 3, 72));
        tree.add(
                new CallSnapshot.Made(
                        2,
                        "shop.Item[]",
                        43,
                        3,
                        72,
                        new CallSnapshot.Survival(
                                3,
                                List.of(
                                        new CallSnapshot.Aged(0, 1, 24),
                                        new CallSnapshot.Aged(7, 2, 48)))));
        return of(tree);
    }

    private static CallSnapshot of(CallSnapshot.Tree tree) {
        return new CallSnapshot(
                5,
                new CallSnapshot.Costs(1, 2, 3, 4, 5, 6),
                Map.of(CallSnapshot.METHODS, 1L),
                List.of("a remark"),
                List.of(METHOD, METHOD),
                List.of(tree),
                List.of(new CallSnapshot.Alone(1, 300, 2e6, 1e5, 1e4, 3e3, 2e2)));
    }

    private static RegionSnapshot regions() {
        return new RegionSnapshot(
                5,
                List.of(
                        new RegionSnapshot.Region(
                                METHOD,
                                3,
                                600,
                                List.of(new RegionSnapshot.Bucket(192, 208, 3)),
                                List.of(new RegionSnapshot.Call(7, 200)),
                                List.of(
                                        new RegionSnapshot.SlowCall(
                                                207,
                                                1_700_000_000_000L,
                                                "main",
                                                List.of("java.lang.String"),
                                                List.of("shop.Cart.total(Cart.java:7)"))))));
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        calls().write(folder);
        CallSnapshot read = CallSnapshot.read(folder);
        assertThat(read.costs()).isEqualTo(calls().costs());
        assertThat(read.counts()).isEqualTo(calls().counts());
        assertThat(read.methods()).isEqualTo(calls().methods());
        assertThat(read.remarks()).isEqualTo(calls().remarks());
        assertThat(read.alone()).isEqualTo(calls().alone());
        assertThat(read.rootCalls()).isEqualTo(10);
        CallSnapshot.Tree tree = read.trees().get(0);
        assertThat(tree.calls(1)).isEqualTo(10);
        assertThat(tree.untimed(1)).isEqualTo(4);
        assertThat(tree.parent(2)).isEqualTo(1);
        assertThat(tree.timedInside(2)).isEqualTo(7);
        assertThat(tree.untimedInside(2)).isEqualTo(8);
        assertThat(tree.selfNanos(2)).isEqualTo(480);
        assertThat(tree.made()).isEqualTo(calls().trees().get(0).made());

        regions().write(folder);
        assertThat(RegionSnapshot.read(folder)).isEqualTo(regions());
        assertThat(RegionSnapshot.read(regions().written(), "them")).isEqualTo(regions());
    }

    /** 26 timed calls of 3 ns, 4 counted ones of 11 ns, in 1480 ns. */
    @Test
    void whatMeasuringTookIsAPartOfWhatIsLeft() {
        assertThat(calls().overhead()).isEqualTo((26 * 3 + 4 * 11) / (1480.0 - 122));
        CallSnapshot.Tree sampled = new CallSnapshot.Tree(1, "main", 3);
        sampled.set(1, 0, 0, 10, 7, 2_000);
        sampled.set(2, 1, 1, 90, 3, 1_500);
        sampled.setInside(1, 4, 86);
        double net = 2_000 - 10 * 1 - 4 * 3 - 86 * 5;
        assertThat(of(sampled).overhead()).isEqualTo(100 * 11 / net);
        sampled.set(1, 0, 0, 10, 7, 0);
        assertThat(of(sampled).overhead()).isEqualTo(100);
    }

    @Test
    void whereverItIsCutOffItSaysSo() throws IOException {
        calls().write(folder);
        regions().write(folder);
        for (String file : List.of(CallSnapshot.FILE, RegionSnapshot.FILE)) {
            byte[] whole = Files.readAllBytes(folder.resolve(file));
            for (int length = 0; length < whole.length; length++) {
                Files.write(folder.resolve(file), Arrays.copyOf(whole, length));
                assertThatThrownBy(
                                () -> {
                                    CallSnapshot.read(folder);
                                    RegionSnapshot.read(folder);
                                })
                        .isInstanceOf(IOException.class);
            }
            Files.write(folder.resolve(file), whole);
        }
    }

    @Test
    void aRequestIsReadAsItWasWritten() throws IOException {
        CallRequest request =
                CallRequest.builder()
                        .roots(List.of("Cart::total", "Cart::add(int,String)"))
                        .regions(List.of("Cart::pay"))
                        .includes(List.of("java.util.*"))
                        .excludes(List.of("org.h2.*"))
                        .eager(true)
                        .sampled(true)
                        .allocations(true)
                        .survival(true)
                        .methods(7)
                        .budget(0.25)
                        .build();
        request.write(folder);
        assertThat(CallRequest.read(folder)).isEqualTo(request);
        CallRequest usual = CallRequest.builder().build();
        usual.write(folder);
        assertThat(CallRequest.read(folder)).isEqualTo(usual);

        Files.writeString(folder.resolve(CallRequest.FILE), "methods many\n");
        assertThatThrownBy(() -> CallRequest.read(folder)).hasMessage("not a whole number: many");
        Files.writeString(folder.resolve(CallRequest.FILE), "colour red\n");
        assertThatThrownBy(() -> CallRequest.read(folder)).hasMessage("not understood: colour red");
    }
}
