package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads the lists of licenses that the build has made for NOTICE. */
class LicensesIT {

    private static final String MODULE =
            """
            <project xmlns="http://maven.apache.org/POM/4.0.0">
              <modelVersion>4.0.0</modelVersion>
              <parent>
                <groupId>dev.equipoise</groupId>
                <artifactId>equipoise</artifactId>
                <version>VERSION</version>
                <relativePath>HOME/pom.xml</relativePath>
              </parent>
              <artifactId>licensed</artifactId>
              <dependencies>
                <dependency>
                  <groupId>org.jspecify</groupId>
                  <artifactId>jspecify</artifactId>
                  <scope>compile</scope>
                </dependency>
              </dependencies>
              <build>
                <plugins>
                  <plugin>
                    <groupId>org.codehaus.mojo</groupId>
                    <artifactId>license-maven-plugin</artifactId>
                    <executions>
                      <execution>
                        <id>third-party</id>
                        <configuration>
                          <includedLicenses>LICENSES</includedLicenses>
                        </configuration>
                      </execution>
                    </executions>
                  </plugin>
                </plugins>
              </build>
            </project>
            """;

    @ParameterizedTest
    @CsvSource({
        "app/target/classes, ch.qos.logback:logback-classic",
        "app/target/classes, org.springframework:spring-core",
        "worker-agent/target/classes, com.hazelcast:hazelcast",
        "worker-agent/target/classes, org.nd4j:nd4j-api",
        "launcher/target/classes, info.picocli:picocli",
    })
    void programListsItsLibrariesWithTheirLicenses(String classes, String library) {
        Path list = TestingCommand.HOME.resolve(classes + "/META-INF/THIRD-PARTY.txt");

        assertThat(TestingTree.text(list))
                .containsPattern("(?m)^ *\\(.+\\) .*\\(" + library + ":")
                .doesNotContain("Unknown license");
    }

    @Test
    void dashboardListsItsLibrariesWithTheirLicenses() {
        Path list =
                TestingCommand.HOME.resolve("web-ui/target/classes/META-INF/resources/licenses.md");

        assertThat(TestingTree.text(list))
                .containsPattern("(?m)^## react - .+ \\(MIT\\)$")
                .contains("Permission is hereby granted");
    }

    @Test
    void libraryUnderALicenseThatIsNotListedFailsTheBuild(@TempDir Path folder) throws Exception {
        assertThat(licensed("Apache-2.0", folder)).contains("BUILD SUCCESS");
        assertThat(licensed("MIT", folder)).contains("BUILD FAILURE", "Apache-2.0", "jspecify");
    }

    /** Makes the list of a module that has one library, under Apache-2.0. */
    private static String licensed(String licenses, Path folder) throws Exception {
        String parent = TestingTree.text(TestingCommand.HOME.resolve("pom.xml"));
        String version = parent.replaceFirst("(?s).*?\\n  <version>(.+?)</version>.*", "$1");
        Path home =
                folder.toAbsolutePath()
                        .normalize()
                        .relativize(TestingCommand.HOME.toAbsolutePath().normalize());
        Files.writeString(
                folder.resolve("pom.xml"),
                MODULE.replace("VERSION", version)
                        .replace("HOME", home.toString())
                        .replace("LICENSES", licenses));
        return TestingTool.output(
                Map.of("JAVA_HOME", System.getProperty("java.home")),
                List.of(
                                "sh",
                                "-c",
                                "mvn -B -f \"$0\" license:add-third-party@third-party || true",
                                folder.toString())
                        .toArray(String[]::new));
    }
}
