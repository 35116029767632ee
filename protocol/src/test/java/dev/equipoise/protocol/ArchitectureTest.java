package dev.equipoise.protocol;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** Checks that the protocol depends on no framework, and that the rule detects a violation. */
class ArchitectureTest {

    private static final String PROTOCOL = "dev.equipoise.protocol";

    private static final ArchRule USES_NO_FRAMEWORK =
            classes()
                    .that()
                    .resideInAPackage(PROTOCOL + "..")
                    .and()
                    .doNotHaveFullyQualifiedName(PROTOCOL + ".model.HeaderJson")
                    .should()
                    .onlyDependOnClassesThat()
                    .resideInAnyPackage(
                            PROTOCOL + "..",
                            "java..",
                            "org.jspecify.annotations..",
                            "com.fasterxml.jackson.annotation..")
                    .because(
                            "service, agents and clients share it, whatever their frameworks; one"
                                    + " class reads the JSON of model files as a stream of tokens");

    @Test
    void protocolUsesNoFramework() {
        JavaClasses own =
                new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages(PROTOCOL);

        USES_NO_FRAMEWORK.check(own);
    }

    @Test
    void ruleDetectsAMessageThatUsesJackson() {
        JavaClasses wrong = new ClassFileImporter().importPackages(PROTOCOL + ".wrong");

        assertThat(USES_NO_FRAMEWORK.evaluate(wrong).hasViolation()).isTrue();
    }
}
