package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Checks the names of tests in {@code containers/test.sh}, a script that a host without a Docker
 * engine never runs to its end.
 */
class ContainerScriptTest {

    private static final Path SCRIPT = TestingCommand.HOME.resolve("containers/test.sh");
    private static final Path SERVICE_TESTS = TestingCommand.HOME.resolve("app/src/test/java");
    private static final Pattern DATABASE_TESTS = Pattern.compile("(?m)^database_tests='(.+)'$");

    private static List<String> databaseTests() {
        Matcher list = DATABASE_TESTS.matcher(TestingTree.text(SCRIPT));
        assertThat(list.find()).as("%s has a list of database tests", SCRIPT).isTrue();
        return List.of(list.group(1).split(","));
    }

    /** Only tests with this annotation take the database that the script names. */
    @Test
    void databaseTestsAreIntegrationTestsOnTheDatabaseOfTheTests() {
        assertThat(databaseTests()).hasSizeGreaterThan(1).doesNotHaveDuplicates();
        assertThat(databaseTests()).allSatisfy(name -> {
            assertThat(name).endsWith("IT");
            assertThat(TestingTree.named(SERVICE_TESTS, name + ".java"))
                    .singleElement()
                    .satisfies(it -> assertThat(TestingTree.text(it)).contains("@RunningService"));
        });
    }
}
