package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class RequestRejectedTest {

    private static RequestRejected rejected(String problem) {
        return RequestRejected.of("POST /x", JsonMapper.shared().readTree(problem));
    }

    @Test
    void everyBrokenRuleIsAReasonWithPointerAndValue() {
        RequestRejected rejected =
                rejected(
                        """
                        {"code": "invalid-definition", "detail": "2 rules are broken", "errors": [
                          {"pointer": "/name", "rule": "must be given", "value": null},
                          {"pointer": "/training/epochs", "rule": "must be from 1 to 9", "value": 0}]}
                        """);

        assertThat(rejected.is("invalid-definition")).isTrue();
        assertThat(rejected.reasons())
                .containsExactly(
                        "/name must be given", "/training/epochs must be from 1 to 9, but was 0");
        assertThat(rejected)
                .hasMessage(
                        "POST /x was rejected: /name must be given;"
                                + " /training/epochs must be from 1 to 9, but was 0");
    }

    @Test
    void parserMessageBecomesOneLine() {
        assertThat(
                        rejected(
                                        "{\"code\": \"malformed-body\", \"detail\": \"line 1:\\n  a: [1\\n\"}")
                                .reasons())
                .containsExactly("line 1: a: [1");
    }
}
