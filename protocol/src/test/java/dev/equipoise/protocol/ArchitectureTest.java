package dev.equipoise.protocol;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** The border of the protocol, which has been seen to catch somebody who crosses it. */
class ArchitectureTest {

    private static final String PROTOCOL = "dev.equipoise.protocol";

    private static final ArchRule KNOWS_NO_FRAMEWORK =
            classes()
                    .that()
                    .resideInAPackage(PROTOCOL + "..")
                    .should()
                    .onlyDependOnClassesThat()
                    .resideInAnyPackage(
                            PROTOCOL + "..",
                            "java..",
                            "org.jspecify.annotations..",
                            "com.fasterxml.jackson.annotation..")
                    .because(
                            "service, agents and other clients share it, whatever they are built on");

    @Test
    void theProtocolKnowsNoFramework() {
        JavaClasses own =
                new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages(PROTOCOL);

        KNOWS_NO_FRAMEWORK.check(own);
    }

    @Test
    void aMessageThatReadsItselfIsCaught() {
        JavaClasses wrong = new ClassFileImporter().importPackages(PROTOCOL + ".wrong");

        assertThat(KNOWS_NO_FRAMEWORK.evaluate(wrong).hasViolation()).isTrue();
    }
}
