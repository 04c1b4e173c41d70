package dev.heatline.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Consumer;
import dev.heatline.model.ConsumerType;
import dev.heatline.model.FrameKind;
import dev.heatline.model.Profile;
import dev.heatline.model.ProfileBuilder;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import dev.heatline.model.Survival;
import org.junit.jupiter.api.Test;

/** Items made at two lines, of which some have survived one, two or five collections. */
class SurvivalReportTest {
    private static Profile example() {
        ProfileBuilder builder = new ProfileBuilder();
        int thread = builder.consumer(Consumer.thread("", "main"));
        int method = builder.consumer(Consumer.method("shop.Cart", "add", "()V"));
        int item = builder.consumer(new Consumer(ConsumerType.CLASS, "", "shop.Item", ""));
        int first = builder.child(0, method, Site.of(7, FrameKind.UNKNOWN));
        int second = builder.child(0, method, Site.of(9, FrameKind.UNKNOWN));
        long[][] ages = {{1, 30}, {5, 10}, {2, 20}};
        for (long[] age : ages) {
            int made = builder.child(age[0] == 2 ? second : first, item, Site.NONE);
            int place = builder.child(made, builder.consumer(Survival.of((int) age[0])), Site.NONE);
            builder.column(Survival.LIVE).add(place, thread, age[1]);
            builder.column(Survival.LIVE_BYTES).add(place, thread, 24 * age[1]);
            builder.column(Survival.TRACKED).add(made, thread, 3);
            builder.column(Survival.UNDECIDED).add(made, thread, 1);
            builder.column(Resource.count("allocations")).add(made, thread, 100);
        }
        return builder.build(Provenance.NONE);
    }

    @Test
    void beforeTheFirstCollectionNoObjectIsSaidToBeAlive() {
        ProfileBuilder builder = new ProfileBuilder();
        int thread = builder.consumer(Consumer.thread("", "main"));
        int item = builder.consumer(new Consumer(ConsumerType.CLASS, "", "shop.Item", ""));
        int made = builder.child(0, item, Site.NONE);
        builder.column(Survival.TRACKED).add(made, thread, 3);
        builder.column(Survival.UNDECIDED).add(made, thread, 100);
        builder.column(Resource.count("allocations")).add(made, thread, 100);
        Profile profile = builder.build(Provenance.NONE);
        assertThat(Written.as(Form.TEXT, View.SURVIVAL.of(profile, ReportOptions.DEFAULTS)))
                .contains("survival: no objects are known to be still alive;")
                .containsPattern(" 100 +3 +100 +shop.Item\n");
    }

    /** (30 * 1 + 10 * 5 + 20 * 2) / 60 = 2.0; (30 * 1 + 10 * 5) / 40 = 2.0. */
    @Test
    void aClassHasTheGenerationsOfAllItsPlaces() {
        String text = Written.as(Form.TEXT, View.SURVIVAL.of(example(), ReportOptions.DEFAULTS));
        assertThat(text)
                .containsPattern("live +live kB +generations +age +undecided +tracked +allocations")
                .containsPattern("60 +1.44\\d* +3 +2.0 +3 +9 +300 +shop.Item\n")
                .containsPattern("40 +0.96\\d* +2 +2.0 +2 +6 +200 +shop.Cart.add\\(\\):7\n")
                .containsPattern("20 +0.48\\d* +1 +2.0 +1 +3 +100 +shop.Cart.add\\(\\):9\n");
        assertThat(Written.as(Form.JSON, View.SURVIVAL.of(example(), ReportOptions.DEFAULTS)))
                .contains("\"class\":\"shop.Item\"", "\"generations\":3", "\"liveBytes\":1440");
        assertThat(Written.as(Form.HTML, View.SURVIVAL.of(example(), ReportOptions.DEFAULTS)))
                .contains("shop.Item");
    }
}
