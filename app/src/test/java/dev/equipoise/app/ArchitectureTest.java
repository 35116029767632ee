package dev.equipoise.app;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.conditions.ArchConditions.beAnnotatedWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import jakarta.persistence.Entity;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.repository.Repository;
import org.springframework.stereotype.Controller;

/**
 * Checks the architecture rules of the service, and that each rule catches a violation made for it.
 */
class ArchitectureTest {

    private static final JavaClasses SERVICE =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .importPackages("dev.equipoise.app");

    private static final DescribedPredicate<JavaClass> IS_ENTITY =
            DescribedPredicate.describe("entities", it -> it.isAnnotatedWith(Entity.class));

    private static final DescribedPredicate<JavaClass> IS_CONTROLLER =
            DescribedPredicate.describe(
                    "controllers", it -> it.isMetaAnnotatedWith(Controller.class));

    private static final DescribedPredicate<JavaClass> IS_CONFIGURATION =
            DescribedPredicate.describe(
                    "configurations",
                    it ->
                            it.isMetaAnnotatedWith(Configuration.class)
                                    || it.isMetaAnnotatedWith(SpringBootApplication.class));

    private static final String SERVICE_PATH = "dev.equipoise.app.problem.ServicePath";

    /** Classes that read the path of a request for a message, a log or a digest. */
    private static final Set<String> CLASSES_THAT_REPORT_PATHS =
            Set.of(
                    "dev.equipoise.app.idempotency.BufferedRequest",
                    "dev.equipoise.app.problem.AbortedResponses",
                    "dev.equipoise.app.problem.ContainerErrors",
                    "dev.equipoise.app.problem.ContainerReports",
                    "dev.equipoise.app.problem.ProblemAdvice",
                    "dev.equipoise.app.problem.ProblemWriter");

    private static final DescribedPredicate<JavaClass> MAY_READ_PATHS =
            DescribedPredicate.describe(
                    "classes that report paths, and ServicePath",
                    it -> {
                        String type = it.getName().replaceFirst("\\$.*", "");
                        return CLASSES_THAT_REPORT_PATHS.contains(type)
                                || type.equals(SERVICE_PATH);
                    });

    /** A rule, and the package with classes that violate it. */
    @SuppressWarnings("ImmutableEnumChecker") // the rules are immutable, though nothing says so
    enum Rule {
        COMPUTES_NOTHING(
                noClasses()
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage("org.nd4j..", "com.hazelcast..")
                        .because("agents compute and exchange data, the service only plans"),
                "heavy"),
        ENTITIES_ARE_PACKAGE_PRIVATE(
                classes()
                        .that(IS_ENTITY)
                        .should()
                        .bePackagePrivate()
                        .because(
                                "other modules get snapshots: a change of an entity changes the"
                                        + " database"),
                "persistence"),
        CONTROLLERS_MENTION_NO_ENTITY(
                methods()
                        .that()
                        .areDeclaredInClassesThat(IS_CONTROLLER)
                        .should(notMention(IS_ENTITY))
                        .because("the API must not expose the tables"),
                "persistence"),
        CONTROLLERS_ARE_PACKAGE_PRIVATE(
                classes()
                        .that(IS_CONTROLLER)
                        .and()
                        .doNotHaveSimpleName("ContainerErrors")
                        .should()
                        .bePackagePrivate()
                        .andShould()
                        .haveSimpleNameEndingWith("Controller")
                        .because("controllers are called by HTTP only, and named so"),
                "naming"),
        CONTROLLERS_USE_NO_REPOSITORY(
                noClasses()
                        .that(IS_CONTROLLER)
                        .should()
                        .dependOnClassesThat(assignableTo(Repository.class))
                        .because("services have the transactions and the access checks"),
                "persistence"),
        CLOCK_AND_RANDOM_ARE_INJECTED(
                noClasses()
                        .that(DescribedPredicate.not(IS_CONFIGURATION))
                        .should()
                        .callMethod(Instant.class, "now")
                        .orShould()
                        .callMethod(LocalDateTime.class, "now")
                        .orShould()
                        .callMethod(System.class, "currentTimeMillis")
                        .orShould()
                        .callMethod(System.class, "nanoTime")
                        .orShould()
                        .callMethod(Math.class, "random")
                        .orShould()
                        .callMethodWhere(
                                target(owner(assignableTo(Thread.class)))
                                        .and(target(nameMatching("sleep"))))
                        .orShould()
                        .callMethodWhere(
                                target(owner(assignableTo(Clock.class)))
                                        .and(target(nameMatching("systemUTC"))))
                        .orShould()
                        .callConstructorWhere(target(owner(assignableTo(Random.class))))
                        .orShould()
                        .callConstructorWhere(target(owner(assignableTo(Thread.class))))
                        .because("tests must control the clock and repeat random numbers"),
                "clock"),
        NOTHING_IS_INJECTED_INTO_FIELDS(
                noFields()
                        .should(beAnnotatedWith(Autowired.class))
                        .orShould(beAnnotatedWith(Value.class))
                        .because("a constructor shows the dependencies of an object"),
                "field"),
        PATHS_ARE_WITHOUT_THE_CONTEXT(
                noClasses()
                        .that(DescribedPredicate.not(MAY_READ_PATHS))
                        .should()
                        .accessTargetWhere(
                                JavaAccess.Predicates.target(
                                        nameMatching(
                                                "getRequestUR[IL]|getServletPath|getPathInfo")))
                        .because(
                                "a rule for a path must also match below a context path, and an"
                                        + " encoded path: ServicePath has the path to compare"),
                "path"),
        NAMES_SAY_WHAT_A_CLASS_IS(
                noClasses()
                        .should()
                        .haveNameMatching(".*(Impl|Utils?|Helper|Dto|DTO|Manager)")
                        .because("such a name has no meaning in the domain"),
                "naming"),
        PACKAGES_ARE_FEATURES(
                noClasses()
                        .should()
                        .resideInAnyPackage("..util..", "..common..", "..dto..", "..service..")
                        .because("a package is a feature, not a kind of class"),
                "util"),
        PACKAGES_ARE_NULL_MARKED(
                classes()
                        .should(resideInANullMarkedPackage())
                        .because("NullAway checks only marked packages"),
                "nullness"),
        PACKAGES_FORM_NO_CYCLE(
                slices().matching("dev.equipoise.(**)")
                        .should()
                        .beFreeOfCycles()
                        .because("packages that depend on each other are one module"),
                "cycle");

        private final ArchRule rule;
        private final String fixture;

        Rule(ArchRule rule, String fixture) {
            this.rule = rule;
            this.fixture = fixture;
        }
    }

    @ParameterizedTest
    @EnumSource
    void serviceFollows(Rule rule) {
        rule.rule.check(SERVICE);
    }

    @ParameterizedTest
    @EnumSource
    void ruleCatchesItsFixture(Rule rule) {
        JavaClasses wrong =
                new ClassFileImporter().importPackages("dev.equipoise.wrong." + rule.fixture);

        assertThat(rule.rule.evaluate(wrong).hasViolation()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Unguarded", "UnguardedReference"})
    void pathIsFoundInCallsAndInMethodReferences(String reader) {
        JavaClasses wrong =
                new ClassFileImporter()
                        .importPackages("dev.equipoise.wrong.path")
                        .that(nameMatching(".*\\." + reader));

        assertThat(Rule.PATHS_ARE_WITHOUT_THE_CONTEXT.rule.evaluate(wrong).hasViolation()).isTrue();
    }

    private static ArchCondition<JavaMethod> notMention(DescribedPredicate<JavaClass> kind) {
        return new ArchCondition<>("not mention " + kind.getDescription()) {
            @Override
            public void check(JavaMethod method, ConditionEvents events) {
                Stream.concat(
                                method.getReturnType().getAllInvolvedRawTypes().stream(),
                                method.getParameterTypes().stream()
                                        .flatMap(it -> it.getAllInvolvedRawTypes().stream()))
                        .filter(kind)
                        .forEach(it ->
                                events.add(
                                        SimpleConditionEvent.violated(
                                                method,
                                                method.getFullName()
                                                        + " mentions "
                                                        + it.getName())));
            }
        };
    }

    private static ArchCondition<JavaClass> resideInANullMarkedPackage() {
        return new ArchCondition<>("reside in a package with @NullMarked") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                if (!type.getPackage().isAnnotatedWith(NullMarked.class)) {
                    events.add(
                            SimpleConditionEvent.violated(
                                    type, type.getName() + " is in a package without @NullMarked"));
                }
            }
        };
    }
}
