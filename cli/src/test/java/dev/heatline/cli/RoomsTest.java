package dev.heatline.cli;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Holds the "may use" column of the architecture: which room may know which other rooms. */
class RoomsTest {
    private static final String ROOT = "dev.heatline.";

    private static final Set<String> TOOL_SIDE =
            Set.of("model", "formats", "report", "wire", "collector", "store", "server");

    private static final Map<String, Set<String>> MAY_USE =
            Map.of(
                    "model", Set.of(),
                    "formats", Set.of("model"),
                    "report", Set.of("model"),
                    "wire", Set.of(),
                    "agent", Set.of("wire"),
                    "collector", Set.of("model", "formats", "wire"),
                    "store", Set.of("model", "formats"),
                    "server", Set.of("model", "formats", "report", "store", "wire"),
                    "cli", TOOL_SIDE);

    private static final JavaClasses PRODUCT =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .importPackages("dev.heatline");

    @TestFactory
    Stream<DynamicTest> everyRoomKeepsToTheRoomsItMayUse() {
        return MAY_USE.entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> check(entry)));
    }

    private static void check(Map.Entry<String, Set<String>> entry) {
        String[] allowed =
                Stream.concat(Stream.of(entry.getKey()), entry.getValue().stream())
                        .map(RoomsTest::packageOf)
                        .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage(packageOf(entry.getKey()))
                .should()
                .dependOnClassesThat(
                        resideInAPackage(ROOT + ".").and(not(resideInAnyPackage(allowed))))
                .check(PRODUCT);
    }

    @Test
    void theModelUsesTheJdkOnly() {
        classes()
                .that()
                .resideInAPackage(packageOf("model"))
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(
                                packageOf("model"), "java..", "jdk..", "org.jspecify.annotations"))
                .check(PRODUCT);
    }

    @Test
    void everyRoomIsInTheTable() {
        Set<String> rooms =
                PRODUCT.stream()
                        .map(type -> type.getPackageName().substring(ROOT.length()))
                        .map(name -> name.replaceFirst("\\..*", ""))
                        .collect(Collectors.toSet());
        assertThat(rooms).isEqualTo(MAY_USE.keySet());
    }

    private static String packageOf(String room) {
        return ROOT + room + "..";
    }
}
