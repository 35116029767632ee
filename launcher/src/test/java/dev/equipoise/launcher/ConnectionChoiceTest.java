package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.launcher.context.Context;
import dev.equipoise.launcher.context.Contexts;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ConnectionChoiceTest {

    private static final URI LAB = URI.create("http://lab:8080");
    private static final URI OTHER = URI.create("http://other:8080");
    private static final URI SAFE = URI.create("https://safe/equipoise");
    private static final Contexts CONTEXTS =
            Contexts.NONE
                    .with("safe", new Context(SAFE, "eqp_safe", null, "/safe/ca.pem"))
                    .with("other", new Context(OTHER, "eqp_other", null, null))
                    .with("lab", new Context(LAB, "eqp_lab", null, null));
    private static final Map<String, String> ENVIRONMENT =
            Map.of("EQUIPOISE_URL", "http://variable:1/", "EQUIPOISE_TOKEN", "eqp_variable");

    private static ConnectionChoice choice(
            @Nullable String service,
            @Nullable String token,
            @Nullable String context,
            Map<String, String> environment) {
        return new ConnectionChoice(service, token, null, context, environment, CONTEXTS);
    }

    private static Connection connection(String url, String token, @Nullable String context) {
        return new Connection(new ServiceEndpoint(URI.create(url), null), token, context);
    }

    /** Chooses with a file of certificate authorities as the option {@code --ca}, or none. */
    private static Optional<ServiceEndpoint> certified(
            @Nullable String service,
            @Nullable String ca,
            @Nullable String context,
            Map<String, String> environment) {
        Path file = ca == null ? null : Path.of(ca);
        return new ConnectionChoice(service, "eqp_t", file, context, environment, CONTEXTS)
                .chosen()
                .map(Connection::service);
    }

    private static ServiceEndpoint endpoint(URI service, String ca) {
        return new ServiceEndpoint(service, Path.of(ca));
    }

    @Test
    void optionsPrecedeTheEnvironmentAndTheEnvironmentPrecedesContexts() {
        assertThat(choice("http://option:1", "eqp_option", null, ENVIRONMENT).chosen())
                .contains(connection("http://option:1", "eqp_option", null));
        assertThat(choice(null, null, null, ENVIRONMENT).chosen())
                .contains(connection("http://variable:1", "eqp_variable", null));
        assertThat(choice(null, null, null, Map.of()).chosen())
                .contains(connection("http://lab:8080", "eqp_lab", "lab"));
        assertThat(choice(null, null, "other", ENVIRONMENT).chosen())
                .contains(connection("http://other:8080", "eqp_other", "other"));
    }

    @Test
    void nothingIsChosenIfNothingIsNamed() {
        assertThat(chosenFrom(null, Map.of())).isEmpty();
        assertThat(chosenFrom(null, Map.of("EQUIPOISE_URL", " "))).isEmpty();
        assertThatThrownBy(() -> chosenFrom(Path.of("/ca.pem"), Map.of()))
                .isInstanceOf(UsageError.class)
                .hasMessage("--ca applies to a service: add --service, or log in");
    }

    private static Optional<Connection> chosenFrom(
            @Nullable Path ca, Map<String, String> environment) {
        return new ConnectionChoice(null, null, ca, null, environment, Contexts.NONE).chosen();
    }

    /** A variable that is left from another lab must not give its token away. */
    @Test
    void tokenOfTheEnvironmentIsNotSentToTheServiceOfAContext() {
        assertThat(choice(null, null, null, Map.of("EQUIPOISE_TOKEN", "eqp_variable")).chosen())
                .contains(connection("http://lab:8080", "eqp_lab", "lab"));
    }

    @Test
    void serviceWithoutATokenHasThatOfItsContext() {
        assertThat(choice("http://other:8080/", null, null, Map.of()).chosen())
                .contains(connection("http://other:8080", "eqp_other", null));
        assertThatThrownBy(() -> choice("http://unknown:1", null, null, Map.of()).chosen())
                .isInstanceOf(UsageError.class)
                .hasMessage(
                        "http://unknown:1 needs a token: log in, or set EQUIPOISE_URL and"
                                + " EQUIPOISE_TOKEN");
    }

    @Test
    void tokenOfTheEnvironmentIsSentToItsServiceAlone() {
        assertThat(choice("http://variable:1", null, null, ENVIRONMENT).chosen())
                .contains(connection("http://variable:1", "eqp_variable", null));
        assertThat(choice("http://lab:8080", null, null, ENVIRONMENT).chosen())
                .contains(connection("http://lab:8080", "eqp_lab", null));
        assertThatThrownBy(() -> choice("http://unknown:1", null, null, ENVIRONMENT).chosen())
                .isInstanceOf(UsageError.class);
    }

    @Test
    void tokenOfTheEnvironmentPrecedesThatOfAContextIfNoUrlIsSet() {
        Map<String, String> token = Map.of("EQUIPOISE_TOKEN", "eqp_variable");

        assertThat(choice("http://lab:8080", null, null, token).chosen())
                .contains(connection("http://lab:8080", "eqp_variable", null));
        assertThat(choice(null, null, "lab", token).chosen())
                .contains(connection("http://lab:8080", "eqp_lab", "lab"));
    }

    @Test
    void optionNamesTheAuthoritiesOfEachService() {
        Map<String, String> variable = Map.of("EQUIPOISE_CA", "/variable.pem");

        assertThat(certified("https://a:1", "/option.pem", null, variable))
                .contains(endpoint(URI.create("https://a:1"), "/option.pem"));
        assertThat(certified(null, "/option.pem", "safe", variable))
                .contains(endpoint(SAFE, "/option.pem"));
    }

    @Test
    void authoritiesOfTheEnvironmentBelongToItsServiceAsTheTokenDoes() {
        Map<String, String> variable = Map.of("EQUIPOISE_CA", "/variable.pem");
        Map<String, String> ofOther =
                Map.of("EQUIPOISE_CA", "/variable.pem", "EQUIPOISE_URL", "https://other:1");

        assertThat(certified(SAFE + "/", null, null, variable))
                .contains(endpoint(SAFE, "/variable.pem"));
        assertThat(certified(null, null, null, ofOther))
                .contains(endpoint(URI.create("https://other:1"), "/variable.pem"));
        assertThat(certified(SAFE.toString(), null, null, ofOther))
                .contains(endpoint(SAFE, "/safe/ca.pem"));
        assertThat(certified(null, null, "safe", variable))
                .contains(endpoint(SAFE, "/safe/ca.pem"));
    }

    @Test
    void authoritiesOfTheEnvironmentAreNotThoseOfTheCurrentContext() {
        Map<String, String> variable = Map.of("EQUIPOISE_CA", "/variable.pem");

        assertThat(
                        new ConnectionChoice(
                                        null, null, null, null, variable, CONTEXTS.using("safe"))
                                .chosen()
                                .map(Connection::service))
                .contains(endpoint(SAFE, "/safe/ca.pem"));
    }

    @Test
    void emptyNameOfAFileCountsAsNone() {
        assertThat(certified(null, "", "safe", Map.of())).contains(endpoint(SAFE, "/safe/ca.pem"));
        assertThat(certified(LAB.toString(), "", null, Map.of()))
                .contains(new ServiceEndpoint(LAB, null));
        assertThat(chosenFrom(Path.of(""), Map.of())).isEmpty();
    }

    /** A variable may stay set for the services that have a certificate. */
    @Test
    void serviceWithoutACertificateHasNoAuthorities() {
        assertThat(certified(LAB.toString(), null, null, Map.of("EQUIPOISE_CA", "/variable.pem")))
                .contains(new ServiceEndpoint(LAB, null));
        assertThatThrownBy(() -> certified(LAB.toString(), "/option.pem", null, Map.of()))
                .isInstanceOf(UsageError.class)
                .hasMessage(
                        "--ca applies to an https service, but the service was http://lab:8080");
    }

    @Test
    void unknownContextsAndContradictionsAreRejected() {
        assertThatThrownBy(() -> choice(null, null, "none", Map.of()).chosen())
                .isInstanceOf(UsageError.class)
                .hasMessage("there is no context none; the contexts are [lab, other, safe]");
        assertThatThrownBy(() -> choice("http://a:1", null, "lab", Map.of()).chosen())
                .isInstanceOf(UsageError.class)
                .hasMessageStartingWith("--context and --service both name a service");
    }

    @Test
    void textOfAConnectionHasNoToken() {
        assertThat(connection("http://lab:8080", "eqp_secret", null).toString())
                .doesNotContain("eqp_secret");
        assertThat(CONTEXTS.toString()).doesNotContain("eqp_lab");
    }
}
