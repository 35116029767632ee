package dev.equipoise.protocol;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
        packages = "dev.equipoise.protocol",
        importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule knowsNoFramework =
            classes()
                    .that()
                    .resideInAPackage("dev.equipoise.protocol..")
                    .should()
                    .onlyDependOnClassesThat()
                    .resideInAnyPackage(
                            "dev.equipoise.protocol..",
                            "java..",
                            "org.jspecify.annotations..",
                            "com.fasterxml.jackson.annotation..")
                    .because(
                            "service, agents and other clients share it, whatever they are built on");
}
