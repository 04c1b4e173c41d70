package dev.heatline.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class TruncatedStacksTest {

    /** 000 figure 3.5 (a): d stands in two places, only one of them calls e. */
    private static final List<String> TREE = List.of("abde", "acd");

    private static Profile with(List<String> complete, String... truncated) {
        ProfileBuilder builder = new ProfileBuilder();
        complete.forEach(path -> Trees.add(builder, Profile.ROOT, new Trees.Seen(path, "", 0, 1)));
        for (String path : truncated) {
            Trees.add(builder, builder.truncatedRoot(), new Trees.Seen(path, "", 0, 1));
        }
        return builder.build(Provenance.NONE);
    }

    private static void assertCounts(Profile profile, int merged, int ambiguous, int pending) {
        assertThat(profile.provenance().count(Provenance.MERGED)).as("merged").isEqualTo(merged);
        assertThat(profile.provenance().count(Provenance.AMBIGUOUS))
                .as("ambiguous")
                .isEqualTo(ambiguous);
        assertThat(profile.provenance().count(Provenance.PENDING)).as("pending").isEqualTo(pending);
    }

    @Test
    void aStackThatFitsInOnePlaceOnlyIsMergedThere() {
        Profile merged = TruncatedStacks.merge(with(TREE, "def"), 0);

        assertThat(Trees.contexts(merged)).containsExactly("abde 1", "abdef 1", "acd 1");
        assertCounts(merged, 1, 0, 0);
        assertThat(merged.truncatedRoot()).isEqualTo(Profile.NO_NODE);
    }

    @Test
    void aStackThatFitsInTwoPlacesIsAmbiguous() {
        Profile merged = TruncatedStacks.merge(with(List.of("abcde", "acd"), "cd"), 0);

        assertCounts(merged, 0, 1, 0);
        assertThat(Trees.contexts(merged)).contains("[truncated stacks]cd 1");
    }

    @Test
    void aStackThatFitsNowhereIsPending() {
        assertCounts(TruncatedStacks.merge(with(TREE, "xy"), 0), 0, 0, 1);
    }

    @Test
    void aMatchMustBeLongerThanTheThreshold() {
        Profile profile = with(List.of("abcde"), "cdef");
        assertCounts(TruncatedStacks.merge(profile, 2), 1, 0, 0);
        assertCounts(TruncatedStacks.merge(profile, 3), 0, 0, 1);
        assertCounts(TruncatedStacks.merge(with(List.of("abcde"), "cde"), 3), 0, 1, 0);
    }

    @Test
    void pendingStacksAreTriedAgainWhenTheTreeHasGrown() {
        Profile merged = TruncatedStacks.merge(with(List.of("ab"), "bc", "cx"), 0);

        assertThat(Trees.contexts(merged)).containsExactly("ab 1", "abc 1", "abcx 1");
        assertCounts(merged, 2, 0, 0);
    }

    @Test
    void framesMatchByMethodWhateverTheirLines() {
        ProfileBuilder builder = new ProfileBuilder();
        Trees.add(builder, Profile.ROOT, new Trees.Seen("abc", "", 1, 1));
        Trees.add(builder, Profile.ROOT, new Trees.Seen("abc", "", 2, 1));
        Trees.add(builder, builder.truncatedRoot(), new Trees.Seen("bcd", "", 7, 1));
        Profile merged = TruncatedStacks.merge(builder.build(Provenance.NONE), 1);

        assertCounts(merged, 1, 0, 0);
        Profile byMethod = Operations.foldSites(merged);
        assertThat(Trees.contexts(byMethod)).containsExactly("abc 2", "abcd 1");
        int leaf = 0;
        for (int node = 0; node < merged.nodeCount(); node++) {
            leaf = merged.consumerOf(node).name().equals("d") ? node : leaf;
        }
        assertThat(Site.line(merged.site(leaf))).as("its own line").isEqualTo(7);
    }

    @Property
    void nothingIsLostOrCountedTwice(
            @ForAll @Size(max = 8)
                    List<@net.jqwik.api.constraints.CharRange(from = 'a', to = 'd') String>
                            complete,
            @ForAll @Size(max = 8)
                    List<@net.jqwik.api.constraints.CharRange(from = 'a', to = 'd') String>
                            truncated,
            @ForAll @IntRange(max = 3) int threshold) {
        Profile profile = with(complete, truncated.toArray(String[]::new));
        Profile merged = TruncatedStacks.merge(profile, threshold);

        long total = profile.column("samples").map(Column::total).orElse(0L);
        assertThat(merged.column("samples").map(Column::total).orElse(0L)).isEqualTo(total);
        long nonEmpty = truncated.stream().filter(path -> !path.isEmpty()).count();
        Provenance counts = merged.provenance();
        assertThat(
                        counts.count(Provenance.MERGED)
                                + counts.count(Provenance.AMBIGUOUS)
                                + counts.count(Provenance.PENDING))
                .isEqualTo(nonEmpty);
    }
}
