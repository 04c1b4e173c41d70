package dev.heatline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MergeTest {
    @TempDir private Path folder;

    @Test
    void profilesOfDifferentFormatsAddUp() {
        Path shop = Examples.shop(folder);
        Path heat = folder.resolve("shop.heat");
        Run.of("convert", shop, "-o", heat).isDone();
        Path both = folder.resolve("both.collapsed");
        Run.of("merge", shop, heat, "-o", both).isDone();
        assertThat(both).content().contains("Cart.show 400\n");
    }

    @Test
    void moreFilesThanAreKeptApartAddUpToo() {
        List<Object> args = new ArrayList<>(List.of("merge"));
        for (int i = 0; i < 40; i++) {
            args.add(Examples.collapsed(folder, i + ".collapsed", "a.B.run;a.B.go 1"));
        }
        args.addAll(List.of("--format", "collapsed"));
        assertThat(Run.of(args.toArray()).isDone().out()).contains(".go 40\n");
    }

    @Test
    void hotContextsOfManyFilesAreKeptAndTheRestSummedUp() {
        List<Object> args = new ArrayList<>(List.of("merge"));
        for (int i = 0; i < 40; i++) {
            String rare = "a.B.run;a.Rare.go" + i + " 2";
            args.add(Examples.collapsed(folder, i + ".collapsed", "a.B.run;a.Hot.go 8", rare));
        }
        args.addAll(List.of("--format", "collapsed", "--hot"));
        List<Object> usual = new ArrayList<>(args);
        usual.add("10%");
        assertThat(Run.of(usual.toArray()).isDone().out())
                .contains("Hot.go 320\n", "[pruned] 80\n")
                .doesNotContain("Rare");
        args.add("1%,0.1%");
        assertThat(Run.of(args.toArray()).isDone().out()).contains("Hot.go 320\n");
    }

    @Test
    void whatIsHotMustBeSaidInShares() {
        Path shop = Examples.shop(folder);
        for (String wrong : List.of("0%", "200%", "1%,1%", "1%,0", "1%,0.1%,2%", "much")) {
            Run.of("merge", shop, "--format", "collapsed", "--hot", wrong)
                    .wrongUsageSaying("--hot", wrong);
        }
        Run.of("merge", shop, "-o", folder.resolve("x.jfr"), "--hot", "1%")
                .wrongUsageSaying("--hot", ".heat");
        Run.of("merge", shop, Examples.TRACE, "--format", "collapsed", "--hot", "1%")
                .failedSaying("ac_test.trace", "no samples", "--resource");
    }

    @Test
    void recordingsAreJoinedAsTheyAre() throws IOException {
        Path one = recording("one.jfr");
        Path two = recording("two.jfr");
        Path joined = folder.resolve("joined.jfr");
        Run.of("merge", one, two, "-o", joined).isDone();
        assertThat(Files.size(joined)).isEqualTo(Files.size(one) + Files.size(two));
        int events = RecordingFile.readAllEvents(one).size();
        assertThat(RecordingFile.readAllEvents(joined)).hasSizeGreaterThan(events);
    }

    @Test
    void onlyWholeRecordingsAreJoined() throws IOException {
        Path one = recording("one.jfr");
        byte[] bytes = Files.readAllBytes(one);
        Path cut = Examples.file(folder, "cut.jfr", Arrays.copyOf(bytes, bytes.length - 1));
        Path out = folder.resolve("out.jfr");
        Run.of("merge", cut, one, "-o", out).failedSaying("cut.jfr", "never finished", ".heat");
        Run.of("merge", one, Examples.shop(folder), "-o", out)
                .failedSaying("shop.collapsed", "byte 0", ".heat");
        Run.of("merge", one, folder.resolve("none.jfr"), "-o", out)
                .failedSaying("none.jfr", "no such file");
        assertThat(out).doesNotExist();
    }

    private Path recording(String name) throws IOException {
        Path file = folder.resolve(name);
        try (Recording recording = new Recording()) {
            recording.enable("jdk.ActiveSetting");
            recording.start();
            recording.stop();
            recording.dump(file);
        }
        return file;
    }
}
