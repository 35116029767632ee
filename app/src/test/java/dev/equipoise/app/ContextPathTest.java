package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.mock.env.MockEnvironment;

class ContextPathTest {

    private static final String SETTING = "server.servlet.context-path";

    private static void check(MockEnvironment environment) {
        new ContextPath().postProcessEnvironment(environment, new SpringApplication());
    }

    /** Other processors need arguments, without which they are not created here. */
    @Test
    void serviceChecksItsSettingsAtTheStart() {
        SpringFactoriesLoader factories = SpringFactoriesLoader.forDefaultResourceLocation();

        assertThat(factories.load(EnvironmentPostProcessor.class, (_, _, _) -> {}))
                .hasAtLeastOneElementOfType(ContextPath.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/equipoise",
                "/equipoise/",
                "/labs/lab-2.east",
                "/.well-known/x",
                "/...x"
            })
    void pathOfPlainSegmentsIsAccepted(String path) {
        var environment = new MockEnvironment().withProperty(SETTING, path);

        assertThatCode(() -> check(environment)).doesNotThrowAnyException();
    }

    @Test
    void defaultsAreAccepted() {
        assertThatCode(() -> check(new MockEnvironment())).doesNotThrowAnyException();
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
                "/...",
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
    void settingThatMovesPathsAwayFromTheRulesOfAccessIsRejected(String setting, String allowed) {
        var environment = new MockEnvironment().withProperty(setting, "/equipoise");

        assertThatThrownBy(() -> check(environment))
                .hasMessage(
                        "%s must be %s, but was /equipoise: set server.servlet.context-path to"
                                + " serve the service below a path",
                        setting, allowed);
    }

    @Test
    void allProblemsAreToldAtOnce() {
        var environment =
                new MockEnvironment()
                        .withProperty(SETTING, "equipoise")
                        .withProperty("spring.mvc.servlet.path", "/a")
                        .withProperty("management.endpoints.web.base-path", "/b");

        assertThatThrownBy(() -> check(environment))
                .hasMessageStartingWith("server.servlet.context-path must be a path ")
                .hasMessageContaining(
                        ", but was equipoise; management.endpoints.web.base-path must be"
                                + " /actuator, but was /b: ")
                .hasMessageContaining("; spring.mvc.servlet.path must be /, but was /a: ");
    }
}
