package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.mock.env.MockEnvironment;

class ContextPathTest {

    private static final String SETTING = "server.servlet.context-path";

    private static void check(MockEnvironment environment) {
        new ContextPath().postProcessEnvironment(environment, new SpringApplication());
    }

    @ParameterizedTest
    @CsvSource({
        "'', ''",
        "/, ''",
        "/equipoise, /equipoise",
        "/equipoise/, /equipoise",
        "/labs/lab-2.east, /labs/lab-2.east",
        "/.well-known/x, /.well-known/x"
    })
    void pathEndsWithoutASlash(String setting, String path) {
        var environment = new MockEnvironment().withProperty(SETTING, setting);

        check(environment);

        assertThat(ContextPath.of(environment)).isEqualTo(path);
    }

    @Test
    void withoutTheSettingThePathIsEmpty() {
        var environment = new MockEnvironment();

        check(environment);

        assertThat(ContextPath.of(environment)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "equipoise",
                "//",
                "/a//b",
                "/a b",
                "/a/../b",
                "/.",
                "/..",
                "/laboratoire-été",
                "/a%20b",
                "/a;b",
                "/a?b",
                "/\"><script>"
            })
    void pathThatClientsWouldEncodeIsRejected(String path) {
        var environment = new MockEnvironment().withProperty(SETTING, path);

        assertThatThrownBy(() -> check(environment))
                .hasMessage(
                        "server.servlet.context-path must be a path such as /equipoise, of"
                                + " letters, digits and -._~, but was %s",
                        path);
    }

    /** The service would answer at paths for which there are no rules of access. */
    @ParameterizedTest
    @CsvSource({"spring.mvc.servlet.path, /", "management.endpoints.web.base-path, /actuator"})
    void settingThatMovesPathsAwayFromTheRulesOfAccessIsRejected(String setting, String kept) {
        var environment = new MockEnvironment().withProperty(setting, "/equipoise");

        assertThatThrownBy(() -> check(environment))
                .hasMessage(
                        "%s must be %s, but was /equipoise: set server.servlet.context-path to"
                                + " serve the service below a path",
                        setting, kept);
    }
}
