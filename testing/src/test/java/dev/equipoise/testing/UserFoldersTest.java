package dev.equipoise.testing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The parent pom gives tests, and the processes that they start, folders of their own. */
class UserFoldersTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HOME",
                "XDG_CONFIG_HOME",
                "XDG_DATA_HOME",
                "XDG_STATE_HOME",
                "XDG_CACHE_HOME"
            })
    void foldersOfTheUserAreReplaced(String variable) {
        assertThat(System.getenv(variable)).contains("/target/");
    }
}
