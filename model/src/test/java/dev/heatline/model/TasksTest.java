package dev.heatline.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class TasksTest {
    private static final String SERVICE = "com.mycompany.service.";

    /** Listing 3.4. */
    private static final TaskDefinition REGISTER =
            TaskDefinition.prefix("user-register", "com.mycompany.service.UserRegister");

    /** Listing 3.5, with its hyphenated group name. */
    private static final TaskDefinition SERVICES =
            TaskDefinition.regex(
                    "service-${service-name}", "^com.mycompany.service.(?<service-name>[^\\.]+)");

    @Provide
    Arbitrary<Profile> profiles() {
        return Trees.profiles();
    }

    private static Profile shop() {
        ProfileBuilder builder = new ProfileBuilder();
        stack(builder, 6, "Server.run", SERVICE + "UserRegister.register", "Email.validate");
        stack(builder, 2, "Server.run", SERVICE + "UserRegister.register");
        stack(builder, 90, "Server.run", SERVICE + "Search.find", "Email.validate");
        stack(builder, 1, "Server.run", SERVICE + "Search.find", SERVICE + "Search.rank");
        stack(builder, 1, "Server.run");
        return builder.build(Provenance.NONE);
    }

    private static void stack(ProfileBuilder builder, long samples, String... methods) {
        int node = Profile.ROOT;
        for (String method : methods) {
            node = builder.child(node, builder.consumer(Consumer.method(method)), Site.NONE);
        }
        builder.column(Resource.SAMPLES).add(node, Column.NO_THREAD, samples);
    }

    @Test
    void aPrefixMakesOneTask() {
        Profile profile = shop();
        Tasks tasks = Tasks.of(profile, List.of(REGISTER));

        assertThat(tasks.names()).containsExactly("user-register");
        assertThat(tasks.uses(Trees.samples(profile)))
                .containsExactly(new Tasks.Use("user-register", 1, 8, 8));
    }

    @Test
    void aRegularExpressionMakesATaskPerNamedGroup() {
        Profile profile = shop();
        Tasks tasks = Tasks.of(profile, List.of(SERVICES));

        assertThat(tasks.names()).containsExactly("service-Search", "service-UserRegister");
        assertThat(tasks.uses(Trees.samples(profile)))
                .extracting(Tasks.Use::value)
                .containsExactly(91L, 8L);
    }

    @Test
    void metricsOfATaskAreRelativeToItsRoots() {
        Profile profile = shop();
        boolean[] selected =
                Tasks.of(profile, List.of(SERVICES)).select(List.of("service-UserRegister"));
        CallGraph graph = CallGraph.of(profile, Trees.samples(profile), selected);
        int validate = profile.idOf(Consumer.method("Email.validate"));

        assertThat(graph.total()).as("eq. 3.25").isEqualTo(8);
        assertThat(graph.methodTime(validate)).isEqualTo(0.75);
        assertThat(Tasks.roots(profile, selected)).hasSize(1);
    }

    @Test
    void severalTasksAreSelectedAtOnce() {
        Profile profile = shop();
        Tasks tasks = Tasks.of(profile, List.of(SERVICES));
        boolean[] selected = tasks.select(tasks.names());
        CallGraph graph = CallGraph.of(profile, Trees.samples(profile), selected);

        assertThat(graph.total()).isEqualTo(99);
        assertThat(graph.cum(profile.idOf(Consumer.method("Email.validate")))).isEqualTo(96);
        assertThat(graph.cum(profile.idOf(Consumer.method("Server.run")))).isZero();
    }

    @Test
    void definitionsAreReadAsWrittenOnACommandLine() {
        Profile profile = shop();
        List<TaskDefinition> written =
                TaskDefinition.parseAll(
                        List.of(
                                "register=prefix:com.mycompany.service.UserRegister",
                                "svc-${n}=regex:service\\.(?<n>\\w+)\\."));
        assertThat(Tasks.of(profile, written).names())
                .containsExactly("register", "svc-Search", "svc-UserRegister");
    }

    @Test
    void brokenDefinitionsSayWhatIsWrong() {
        assertThatThrownBy(() -> TaskDefinition.regex("x", "a(b"))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("a(b does not compile");
        assertThatThrownBy(() -> TaskDefinition.regex("x-${y}", "a"))
                .hasMessageContaining("asks for group y");
        assertThatThrownBy(() -> TaskDefinition.parse("nonsense"))
                .hasMessageContaining("NAME=prefix:");
        Tasks tasks = Tasks.of(shop(), List.of(REGISTER));
        assertThatThrownBy(() -> tasks.select(List.of("user-registr")))
                .hasMessageContaining("tasks here: user-register");
    }

    @Test
    void anExpressionTooComplexForALongNameIsRefused() {
        ProfileBuilder builder = new ProfileBuilder();
        stack(builder, 1, "ab".repeat(50_000));
        Profile profile = builder.build(Provenance.NONE);
        List<TaskDefinition> definitions = List.of(TaskDefinition.regex("t", "(a|b)*x"));
        assertThatThrownBy(() -> Tasks.of(profile, definitions))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("too complex for a name of 100000 characters");
    }

    @Test
    void anExpressionThatWouldTakeForeverIsGivenUp() {
        Profile profile = oneMethod("pkg.Service.handleWhateverComesInFromOutside");
        List<TaskDefinition> tasks = List.of(TaskDefinition.regex("all", "(.*.*)*(.*.*)*!"));
        assertThatThrownBy(() -> Tasks.of(profile, tasks))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("too complex");
    }

    private static Profile oneMethod(String name) {
        ProfileBuilder builder = new ProfileBuilder();
        builder.child(Profile.ROOT, builder.consumer(Consumer.method(name)), Site.NONE);
        return builder.build(Provenance.NONE);
    }

    @Property
    void aTaskIsEvaluatedLikeTheProfileFocusedOnIt(@ForAll("profiles") Profile profile) {
        if (profile.columns().isEmpty() || Trees.method(profile, "b") < 0) {
            return;
        }
        boolean[] selected =
                Tasks.of(profile, List.of(TaskDefinition.prefix("b", "b"))).select(List.of("b"));
        CallGraph ofTask = CallGraph.of(profile, Trees.samples(profile), selected);
        Profile focused = Operations.focus(profile, selected);
        CallGraph ofFocused = CallGraph.of(focused, Trees.samples(focused));
        for (int id = 0; id < focused.consumerCount(); id++) {
            if (focused.consumerAt(id).isMethod()) {
                int there = profile.idOf(focused.consumerAt(id));
                assertThat(ofTask.cum(there)).isEqualTo(ofFocused.cum(id));
                assertThat(ofTask.methodTime(there)).isEqualTo(ofFocused.methodTime(id));
            }
        }
    }
}
