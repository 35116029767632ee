package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks the names of tests in {@code containers/test.sh}, a script that a host without a Docker
 * engine never runs to its end.
 */
class ContainerScriptTest {

    private static final Path SCRIPT = TestingCommand.HOME.resolve("containers/test.sh");
    private static final Path SERVICE_TESTS = TestingCommand.HOME.resolve("app/src/test/java");
    private static final Pattern DATABASE_TESTS =
            Pattern.compile("(?m)^database_tests=\"([^\"]+)\"$");

    /** Types with which a test sends SQL. */
    private static final Pattern SQL =
            Pattern.compile("\\b(?:JdbcClient|JdbcTemplate|DataSource|DriverManagerDataSource)\\b");

    /**
     * Tests that are not repeated in a container: most use SQL only to prepare or to check what
     * they test. DumpIT and FullDatabaseDiskIT start a PostgreSQL of their own, and SurvivalIT runs
     * the service in one thread.
     */
    private static final Set<String> EXEMPTIONS =
            Set.of(
                    "AccessWalkIT",
                    "BadBodiesIT",
                    "BrokenAnswerIT",
                    "BundleIT",
                    "ClusterNameIT",
                    "CurveIT",
                    "DumpIT",
                    "EventIT",
                    "FairShareIT",
                    "FullDatabaseDiskIT",
                    "GuardedLabIT",
                    "HealthIT",
                    "HostileCallersIT",
                    "NotesIT",
                    "PreemptionIT",
                    "ProfileIT",
                    "SurvivalIT",
                    "UserIT");

    private static List<String> databaseTests() {
        Matcher list = DATABASE_TESTS.matcher(TestingTree.text(SCRIPT));
        assertThat(list.find()).as("%s has a list of database tests", SCRIPT).isTrue();
        return List.of(list.group(1).replace("\\\n", "").split(",", -1));
    }

    private static List<String> testsWithSql() throws IOException {
        try (Stream<Path> files = Files.walk(SERVICE_TESTS)) {
            return files.filter(it -> it.toString().endsWith("IT.java"))
                    .filter(it -> SQL.matcher(TestingTree.text(it)).find())
                    .map(it -> it.toString().replaceAll(".*/|\\.java$", ""))
                    .toList();
        }
    }

    /** Only tests with these annotations take the database that the script names. */
    @Test
    void databaseTestsAreIntegrationTestsOnTheDatabaseOfTheTests() {
        assertThat(databaseTests()).hasSizeGreaterThan(1).doesNotHaveDuplicates();
        assertThat(databaseTests())
                .allSatisfy(name -> {
                    assertThat(name).endsWith("IT");
                    assertThat(TestingTree.named(SERVICE_TESTS, name + ".java"))
                            .singleElement()
                            .satisfies(it ->
                                    assertThat(TestingTree.text(it))
                                            .containsAnyOf("@RunningService", "@QuietService"));
                });
    }

    @Test
    void testWithSqlIsADatabaseTestOrExempt() throws IOException {
        List<String> left =
                testsWithSql().stream().filter(it -> !databaseTests().contains(it)).toList();

        assertThat(left)
                .as("tests with SQL that are not among the database tests of %s", SCRIPT)
                .containsExactlyInAnyOrderElementsOf(EXEMPTIONS);
    }
}
