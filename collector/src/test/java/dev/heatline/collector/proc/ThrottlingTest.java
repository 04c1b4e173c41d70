package dev.heatline.collector.proc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThrottlingTest {
    private static final String VERSION_1 =
            "32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime shared:4 - cgroup cgroup rw,cpu,cpuacct\n";
    private static final String VERSION_2 =
            "41 31 0:38 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw\n";

    @TempDir private Path root;

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private Throttling throttling(String groups, String mounts) throws IOException {
        write("proc/7/cgroup", groups);
        write("proc/self/mountinfo", mounts);
        return Throttling.of(new Proc(root), 7);
    }

    @Test
    void aLimitOfVersion2IsCountedInMicroseconds() throws IOException {
        String file = "sys/fs/cgroup/shop/cpu.stat";
        write(file, "usage_usec 9\nnr_periods 5\nnr_throttled 3\nthrottled_usec 1000\n");
        Throttling throttling = throttling("0::/shop\n", VERSION_2);
        write(file, "usage_usec 9\nnr_periods 9\nnr_throttled 7\nthrottled_usec 3500\n");
        assertThat(throttling.sinceLast()).isEqualTo(new Throttling.Amount(4, 2_500_000));
        assertThat(throttling.sinceLast()).isEqualTo(Throttling.Amount.NONE);
    }

    @Test
    void aLimitOfVersion1IsCountedInNanoseconds() throws IOException {
        String file = "sys/fs/cgroup/cpu/shop/cpu.stat";
        write(file, "nr_periods 5\nnr_throttled 3\nthrottled_time 1000\n");
        Throttling throttling =
                throttling("4:memory:/\n1:cpu,cpuacct:/shop\n0::/\n", VERSION_2 + VERSION_1);
        write(file, "nr_periods 5\nnr_throttled 4\nthrottled_time 1500\n");
        assertThat(throttling.sinceLast()).isEqualTo(new Throttling.Amount(1, 500));
    }

    /** As in Kubernetes, where the pod has a limit, too: both stand still at the same time. */
    @Test
    void groupsInOneAnotherAreNotAddedUp() throws IOException {
        String outer = "sys/fs/cgroup/pod/cpu.stat";
        String inner = "sys/fs/cgroup/pod/container/cpu.stat";
        write(outer, "nr_throttled 0\nthrottled_usec 0\n");
        write(inner, "nr_throttled 0\nthrottled_usec 0\n");
        Throttling throttling = throttling("0::/pod/container\n", VERSION_2);
        write(outer, "nr_throttled 5\nthrottled_usec 50\n");
        write(inner, "nr_throttled 4\nthrottled_usec 40\n");
        assertThat(throttling.sinceLast()).isEqualTo(new Throttling.Amount(5, 50_000));
    }

    @Test
    void aContainerSeesItsOwnGroupAtTheTop() throws IOException {
        String file = "sys/fs/cgroup/cpu/cpu.stat";
        write(file, "nr_throttled 0\nthrottled_time 0\n");
        Throttling throttling =
                throttling(
                        "1:cpu:/docker/abc\n", VERSION_1.replace(" / /sys", " /docker/abc /sys"));
        write(file, "nr_throttled 1\nthrottled_time 9\n");
        assertThat(throttling.sinceLast()).isEqualTo(new Throttling.Amount(1, 9));
    }

    @Test
    void whatCannotBeReadIsNone() throws IOException {
        assertThat(Throttling.of(new Proc(root), 7).sinceLast()).isEqualTo(Throttling.Amount.NONE);
        for (String groups : new String[] {"", "x\n", "0::/../other\n", "1:cpu:/else\n", "1:cpu"}) {
            for (String mounts :
                    new String[] {"", " - \n", "1 2 3 - cgroup cgroup cpu\n", VERSION_2}) {
                assertThat(throttling(groups, mounts).sinceLast())
                        .isEqualTo(Throttling.Amount.NONE);
            }
        }
        assertThat(Throttling.parse("nr_throttled many\nthrottled_usec\n\nthrottled_time -1\n"))
                .isEqualTo(Throttling.Amount.NONE);
    }
}
