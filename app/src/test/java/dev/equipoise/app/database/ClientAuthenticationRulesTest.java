package dev.equipoise.app.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientAuthenticationRulesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "local   all             all                                     trust",
                "host all all 127.0.0.1/32 trust   # as initdb wrote it",
                "\thost\tall\tall\t::1/128\ttrust",
            })
    void trustIsReplacedByPasswordAuthentication(String line) {
        ClientAuthenticationRules rules =
                new ClientAuthenticationRules(List.of("# TYPE  DATABASE", line));

        assertThat(rules.trustAnybody()).isTrue();
        assertThat(rules.withPasswords().trustAnybody()).isFalse();
        assertThat(rules.withPasswords().text())
                .isEqualTo("# TYPE  DATABASE\n" + line.replace("trust", "scram-sha-256") + "\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "# host all all 127.0.0.1/32 trust",
                "   # CAUTION: for local \"trust\" authentication: trust",
                "host trust all 127.0.0.1/32 scram-sha-256",
                "host all all 127.0.0.1/32 reject # once trust",
                "",
            })
    void otherRulesStayUnchanged(String line) {
        ClientAuthenticationRules rules = new ClientAuthenticationRules(List.of(line));

        assertThat(rules.trustAnybody()).isFalse();
        assertThat(rules.withPasswords()).isEqualTo(rules);
    }
}
