package dev.heatline.agent.locks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LockOptionsTest {

    @Test
    void onAndOffNeedAFolder() {
        assertThat(LockOptions.of("locks=on,folder=/tmp/x"))
                .isEqualTo(new LockOptions(true, Path.of("/tmp/x"), 1024, null));
        assertThat(LockOptions.of("locks=on").problem()).contains("folder=");
        assertThat(LockOptions.of("locks=off,folder=/tmp/x"))
                .isEqualTo(new LockOptions(false, Path.of("/tmp/x"), 1024, null));
        assertThat(LockOptions.of("locks=off").problem()).contains("folder=");
    }

    @Test
    void whatIsNotUnderstoodIsSaid() {
        assertThat(LockOptions.of("").problem()).contains("locks=on or locks=off");
        assertThat(LockOptions.of("locks=maybe,folder=x").problem()).contains("locks=off");
        assertThat(LockOptions.of("locks=on,folder=x,blocks=many").problem()).contains("blocks=");
        assertThat(LockOptions.of("locks=on,folder=x,colour=blue").problem()).contains("colour");
    }
}
