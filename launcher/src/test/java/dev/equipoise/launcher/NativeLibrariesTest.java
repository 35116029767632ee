package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that {@code platforms/check.sh} resolves every jar with native libraries that the programs
 * have.
 */
class NativeLibrariesTest {

    private static final Pattern DEPENDENCY =
            Pattern.compile("<dependency>.*?</dependency>", Pattern.DOTALL);
    private static final Pattern OF_A_PLATFORM =
            Pattern.compile("\\$\\{(natives\\.classifier|nd4j\\.classifier|.*\\.platform)}");
    private static final Pattern SPACE = Pattern.compile("<!--.*?-->|\\s+", Pattern.DOTALL);

    /** Returns the dependencies of a module that differ by platform, without their scope. */
    private static Set<String> ofAPlatform(String module) {
        return DEPENDENCY
                .matcher(TestingTree.text(TestingCommand.HOME.resolve(module + "/pom.xml")))
                .results()
                .map(MatchResult::group)
                .filter(it -> OF_A_PLATFORM.matcher(it).find())
                .map(it -> SPACE.matcher(it).replaceAll(""))
                .map(it -> it.replaceAll("<scope>.*?</scope>", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void checkedJarsAreThoseOfThePrograms() {
        Set<String> programs =
                Stream.of("app", "worker-agent")
                        .flatMap(it -> ofAPlatform(it).stream())
                        .collect(Collectors.toCollection(TreeSet::new));

        assertThat(programs).isNotEmpty();
        assertThat(ofAPlatform("platforms")).isEqualTo(programs);
    }
}
