package dev.equipoise.launcher.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.launcher.UsageError;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoginTest {

    /** Services of one name would overwrite each other, and revoke their tokens. */
    @ParameterizedTest
    @CsvSource({
        "http://lab:8080, lab:8080",
        "https://lab/a-b, lab/a-b",
        "https://lab/a/b, lab/a/b",
        "https://lab/~ann, lab/~ann"
    })
    void contextOfAServiceHasItsHostPortAndPathAsName(URI service, String name) {
        assertThat(Login.nameOf(null, service)).isEqualTo(name);
    }

    @Test
    void optionNamesTheContext() {
        assertThat(Login.nameOf("my-lab", URI.create("http://lab:8080"))).isEqualTo("my-lab");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "my lab", "lab\n"})
    void otherNamesAreRejectedWithTheRule(String name) {
        assertThatThrownBy(() -> Login.nameOf(name, URI.create("http://lab:8080")))
                .isInstanceOf(UsageError.class)
                .hasMessage(
                        "--context must have up to 100 letters, digits and characters . : @ / ~ -"
                                + " _, but was %s",
                        name);
    }
}
