package dev.equipoise.agent;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.equipoise.agent.time.SystemTime;
import java.time.Instant;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Architecture rules inside the agent. Each rule also has a test class that violates it. */
class BordersTest {

    private static final String AGENT = "dev.equipoise.agent";

    private static final JavaClasses AGENT_CLASSES =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .importPackages(AGENT);

    /** Classes that violate every rule. */
    private static final JavaClasses WRONG_CLASSES =
            new ClassFileImporter().importPackages(AGENT + ".wrong", AGENT + ".wrongtoo");

    private static final ArchRule NATIVE_MEMORY =
            noClasses()
                    .that()
                    .resideOutsideOfPackage(AGENT + ".network..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("org.nd4j..", "org.bytedeco..")
                    .because("a backend can be replaced only if one package knows it");

    private static final ArchRule HAZELCAST =
            noClasses()
                    .that()
                    .haveNameNotMatching("dev\\.equipoise\\.agent\\.cluster\\.Hazelcast.*")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("com.hazelcast..")
                    .because("classes that depend on Hazelcast carry its name");

    private static final ArchRule CLOCKS =
            noClasses()
                    .that()
                    .doNotHaveFullyQualifiedName(SystemTime.class.getName())
                    .should()
                    .callMethod(System.class, "currentTimeMillis")
                    .orShould()
                    .callMethod(Instant.class, "now")
                    .orShould()
                    .callMethod(Thread.class, "sleep", long.class)
                    .because("a test can set a clock that is passed in");

    private static final ArchRule MEASURED_TIME =
            noClasses()
                    .that()
                    .doNotHaveFullyQualifiedName(SystemTime.class.getName())
                    .and()
                    .resideOutsideOfPackage(AGENT + ".channel..")
                    .should()
                    .callMethod(System.class, "nanoTime")
                    .because(
                            "figures are measured on the clock passed in; only the timeouts of"
                                    + " sockets are bound to the real one");

    private static final ArchRule CHANCE =
            noClasses()
                    .should()
                    .callConstructor(Random.class)
                    .orShould()
                    .callMethod(Math.class, "random")
                    .because("every random draw comes from a seed that the run records");

    private static final ArchRule THREADS =
            noClasses()
                    .should()
                    .callConstructorWhere(
                            com.tngtech.archunit.core.domain.JavaCall.Predicates.target(
                                    com.tngtech.archunit.core.domain.properties.HasOwner.Predicates
                                            .With.owner(assignableTo(Thread.class))))
                    .because("threads are made by executors or builders, which name them");

    private static final ArchRule NAMES =
            classes()
                    .should()
                    .haveNameNotMatching(".*(Impl|Utils?|Helper|Manager|Dto)")
                    .because("such a name does not say what the class is");

    private static final ArchRule LIFECYCLE =
            noClasses()
                    .that()
                    .resideOutsideOfPackage(AGENT + ".lifecycle..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(AGENT + ".lifecycle..")
                    .because("the lifecycle assembles the parts, and no part depends on it");

    private static final ArchRule SIMULATION =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(
                            AGENT + ".simulation..", AGENT + ".virtual..", AGENT + ".lifecycle..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(AGENT + ".simulation..", AGENT + ".virtual..")
                    .because("a method runs unchanged on a virtual clock, and cannot tell");

    private static final ArchRule CYCLES =
            slices().matching(AGENT + ".(*)..")
                    .should()
                    .beFreeOfCycles()
                    .because("packages that depend on each other are one package");

    private static Stream<ArchRule> rules() {
        return Stream.of(
                NATIVE_MEMORY,
                HAZELCAST,
                CLOCKS,
                MEASURED_TIME,
                CHANCE,
                THREADS,
                NAMES,
                LIFECYCLE,
                SIMULATION,
                CYCLES);
    }

    @ParameterizedTest
    @MethodSource("rules")
    void agentFollowsTheRule(ArchRule rule) {
        rule.check(AGENT_CLASSES);
    }

    @ParameterizedTest
    @MethodSource("rules")
    void ruleDetectsAViolation(ArchRule rule) {
        assertThat(rule.evaluate(WRONG_CLASSES).hasViolation()).isTrue();
    }
}
