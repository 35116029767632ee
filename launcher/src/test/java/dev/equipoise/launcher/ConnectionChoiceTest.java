package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.launcher.context.Context;
import dev.equipoise.launcher.context.Contexts;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ConnectionChoiceTest {

    private static final URI LAB = URI.create("http://lab:8080");
    private static final URI OTHER = URI.create("http://other:8080");
    private static final Contexts CONTEXTS =
            Contexts.NONE
                    .with("other", new Context(OTHER, "eqp_other", null))
                    .with("lab", new Context(LAB, "eqp_lab", null));
    private static final Map<String, String> ENVIRONMENT =
            Map.of("EQUIPOISE_URL", "http://variable:1/", "EQUIPOISE_TOKEN", "eqp_variable");

    private static ConnectionChoice choice(
            @Nullable String service,
            @Nullable String token,
            @Nullable String context,
            Map<String, String> environment) {
        return new ConnectionChoice(service, token, context, environment, CONTEXTS);
    }

    private static Connection connection(String url, String token, @Nullable String context) {
        return new Connection(URI.create(url), token, context);
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
        assertThat(new ConnectionChoice(null, null, null, Map.of(), Contexts.NONE).chosen())
                .isEmpty();
        assertThat(
                        new ConnectionChoice(
                                        null,
                                        null,
                                        null,
                                        Map.of("EQUIPOISE_URL", " "),
                                        Contexts.NONE)
                                .chosen())
                .isEmpty();
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
    void unknownContextsAndContradictionsAreRejected() {
        assertThatThrownBy(() -> choice(null, null, "none", Map.of()).chosen())
                .isInstanceOf(UsageError.class)
                .hasMessage("there is no context none; the contexts are [lab, other]");
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
