package dev.heatline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportTest {
    @TempDir private Path folder;

    @Test
    void showsTheMethodsThatUsedMostWhenNothingIsAsked() {
        Run run = Run.of("report", Examples.TRACE).isDone();
        assertThat(run.out()).contains("xprof", "cpu", "10.000", "Main");
        assertThat(run.out().indexOf("  B\n")).isLessThan(run.out().indexOf("  Main\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"xprof", "xarc", "xtree", "flame", "threads", "subsuming", "resources"})
    void everyViewComesInEveryForm(String view) {
        assertThat(Run.of("report", Examples.TRACE, "--view", view).isDone().out()).isNotBlank();
        Run.of("report", Examples.TRACE, "--view", view, "--format", "json").isDone().json();
        assertThat(
                        Run.of("report", Examples.TRACE, "--view", view, "--format", "html")
                                .isDone()
                                .out())
                .startsWithIgnoringCase("<!doctype html>");
    }

    @Test
    void aPageIsAFlameGraphUnlessAskedOtherwise() {
        Path page = folder.resolve("page.html");
        Run.of("report", Examples.TRACE, "-o", page).isDone();
        assertThat(page).content().contains("flamegraph");
    }

    @Test
    void jsonKeepsTheContract() {
        Parsed json =
                Run.of("report", Examples.TRACE, "--view", "xprof", "--format", "json")
                        .isDone()
                        .json();
        assertThat(json.at("resource.unit").text()).isEqualTo("s");
        assertThat(json.at("total").number()).isEqualTo(10);
        assertThat(json.at("rows.1.consumer").text()).isEqualTo("A");
        assertThat(json.at("rows.1.calls").number()).isEqualTo(2);
        assertThat(json.at("rows.1.base").number()).isEqualTo(2);
        assertThat(json.at("rows.1.cum").number()).isEqualTo(9);
    }

    @Test
    void theEndingOfTheFileIsTheFormat() throws IOException {
        for (String name : List.of("r.txt", "r.json", "r.html")) {
            Path file = folder.resolve(name);
            Run run = Run.of("report", Examples.TRACE, "--view", "xprof", "-o", file).isDone();
            assertThat(run.out()).isEmpty();
            assertThat(Files.size(file)).isPositive();
        }
        assertThat(folder.resolve("r.html")).content().startsWithIgnoringCase("<!doctype");
        assertThat(folder.resolve("r.txt")).content().startsWith("xprof");
        Parsed.of(Files.readString(folder.resolve("r.json")));
        Run.of("report", Examples.TRACE, "-o", folder.resolve("r.heat"))
                .wrongUsageSaying("r.heat", ".html", "convert");
    }

    @Test
    void severalFilesAreAddedUp() {
        Path shop = Examples.shop(folder);
        Parsed json = Run.of("report", shop, shop, shop, "--format", "json").isDone().json();
        assertThat(json.at("total").number()).isEqualTo(3000);
    }

    @Test
    void ofSeveralFilesAResourceIsShownThatAllHave() {
        Path cpu = Examples.file(folder, "cpu.trace", "#resource cpu s\n0 > A\n3 < A\n");
        Path wall = Examples.file(folder, "wall.trace", "#resource wall s\n0 > A\n5 < A\n");
        Path both = folder.resolve("both.heat");
        Run.of("merge", cpu, wall, "-o", both).isDone();
        assertThat(shownOf(both)).isEqualTo("cpu");
        assertThat(shownOf(both, wall)).isEqualTo("wall");
        assertThat(shownOf(wall, both, cpu)).isEqualTo("calls");
        assertThat(shownOf(both, wall, "--resource", "cpu")).isEqualTo("cpu");
    }

    private static String shownOf(Object... arguments) {
        List<Object> words = new ArrayList<>(List.of("report", "--format", "json"));
        words.addAll(List.of(arguments));
        return Run.of(words.toArray()).isDone().json().at("resource.name").text();
    }

    @Test
    void theResourcesOfAFileAreListed() {
        Parsed json =
                Run.of("report", Examples.TRACE, "--view", "resources", "--format", "json")
                        .isDone()
                        .json();
        assertThat(json.at("rows").list()).hasSize(2);
        assertThat(json.at("rows.0.resource").text()).isEqualTo("cpu");
        assertThat(json.at("rows.0.unit").text()).isEqualTo("s");
        assertThat(json.at("rows.0.total").number()).isEqualTo(10);
        assertThat(json.at("rows.0.calls").number()).isEqualTo(12);
        assertThat(json.at("rows.1.resource").text()).isEqualTo("calls");
    }

    @Test
    void aRootLimitsTheReportToWhatItCalls() {
        Path shop = Examples.shop(folder);
        Parsed json =
                Run.of("report", shop, "--root", "Order::place", "--format", "json")
                        .isDone()
                        .json();
        assertThat(json.at("total").number()).isEqualTo(800);
        assertThat(json.at("rows").list()).hasSize(2);
    }

    @Test
    void unknownMethodsAreAnsweredWithNearOnes() {
        Run.of("report", Examples.shop(folder), "--root", "Order::plcae")
                .failedSaying("Order::plcae", "com.shop.Order.place");
    }

    @Test
    void threadsAreSelectedByName() {
        Path shop = Examples.shop(folder);
        Parsed json =
                Run.of("report", shop, "--thread", "^http", "--format", "json").isDone().json();
        assertThat(json.at("total").number()).isEqualTo(700);
        Run.of("report", shop, "--thread", "kafka").failedSaying("kafka", "http-1");
    }

    @Test
    void tasksAreSelectedByPrefixAndPattern() {
        Path shop = Examples.shop(folder);
        String orders = "orders=prefix:com.shop.Order.";
        String carts = "carts=regex:Cart\\.show$";
        assertThat(total("--task", orders)).isEqualTo(800);
        assertThat(total("--task", orders, "--task", carts)).isEqualTo(1000);
        assertThat(total("--task", orders, "--task", carts, "--select", "carts")).isEqualTo(200);
        assertThat(
                        Run.of("report", shop, "--view", "tasks", "--task", orders, "--task", carts)
                                .isDone()
                                .out())
                .contains("orders", "carts");
        Run.of("report", shop, "--task", orders, "--select", "baskets")
                .failedSaying("baskets", "orders");
    }

    private double total(String... options) {
        Object[] args = new Object[options.length + 4];
        args[0] = "report";
        args[1] = Examples.shop(folder);
        args[2] = "--format";
        args[3] = "json";
        System.arraycopy(options, 0, args, 4, options.length);
        return Run.of(args).isDone().json().at("total").number();
    }

    @Test
    void methodsAreGroupedByClassOrPackage() {
        Path shop = Examples.shop(folder);
        assertThat(Run.of("report", shop, "--group", "class").isDone().out())
                .contains("com.shop.Price")
                .doesNotContain("Price.sum");
        assertThat(Run.of("report", shop, "--group", "package").isDone().out())
                .contains("com.shop")
                .doesNotContain("Price");
    }

    @Test
    void invertedTreesBeginWithWhatUsedSomething() {
        Run run = Run.of("report", Examples.shop(folder), "--view", "xtree", "--invert").isDone();
        assertThat(run.out().indexOf("Price.sum")).isLessThan(run.out().indexOf("Order.place"));
    }

    @Test
    void smallPartsArePruned() {
        Path shop = Examples.shop(folder);
        assertThat(Run.of("report", shop, "--view", "xtree").isDone().out()).contains("Cart.show");
        assertThat(Run.of("report", shop, "--view", "xtree", "--prune", "25%").isDone().out())
                .doesNotContain("Cart.show");
    }

    @Test
    void limitsBoundTheRows() {
        Path shop = Examples.shop(folder);
        Parsed json = Run.of("report", shop, "--limit", "2", "--format", "json").isDone().json();
        assertThat(json.at("rows").list()).hasSize(2);
    }

    @Test
    void whatCannotBeAskedIsWrongUsage() {
        Path shop = Examples.shop(folder);
        Run.of("report", shop, "--view", "xporf").wrongUsageSaying("xporf", "xprof");
        Run.of("report", shop, "--thread", "(").wrongUsageSaying("--thread", "does not compile");
        Run.of("report", shop, "--task", "a=regex:(").wrongUsageSaying("does not compile");
        Run.of("report", shop, "--task", "a").wrongUsageSaying("NAME=prefix:");
        Run.of("report", shop, "--prune", "200%").wrongUsageSaying("200%");
        Run.of("report", shop, "--prune", "much").wrongUsageSaying("much");
        Run.of("report", shop, "--format", "pdf").wrongUsageSaying("pdf");
        Run.of("report", shop, "--group", "module").wrongUsageSaying("module");
        Run.of("report", shop, "--limit", "few").wrongUsageSaying("few");
    }

    @Test
    void unknownResourcesAreAnsweredWithThoseThereAre() {
        Run.of("report", Examples.shop(folder), "--resource", "watts")
                .failedSaying("watts", "samples");
    }

    @Test
    void settingsComeFromTheEnvironmentAndAFileUnlessTyped() {
        Path shop = Examples.shop(folder);
        Examples.file(folder, "heatline.properties", "view=xtree\nprune=25%\n");
        assertThat(Run.in(Map.of(), folder, "report", shop).isDone().out())
                .startsWith("xtree")
                .doesNotContain("Cart.show");
        Map<String, String> variable = Map.of("HEATLINE_VIEW", "xarc");
        assertThat(Run.in(variable, folder, "report", shop).isDone().out()).startsWith("xarc");
        assertThat(Run.in(variable, folder, "report", shop, "--view", "xprof").isDone().out())
                .startsWith("xprof");
    }

    @Test
    void linesAreFoldedUnlessWanted() {
        Path lines =
                Examples.collapsed(
                        folder, "lines.collapsed", "a.B.run:1;a.B.go 3", "a.B.run:2;a.B.go 4");
        Object[] args = {"report", lines, "--view", "xtree", "--format", "json"};
        int folded = Run.of(args).isDone().json().at("rows").list().size();
        Object[] more = {"report", lines, "--view", "xtree", "--format", "json", "--no-fold-lines"};
        assertThat(Run.of(more).isDone().json().at("rows").list()).hasSize(folded + 2);
    }
}
