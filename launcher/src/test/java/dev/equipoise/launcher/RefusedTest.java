package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class RefusedTest {

    private static Refused refused(String problem) {
        return Refused.of("POST /x", JsonMapper.shared().readTree(problem));
    }

    @Test
    void everyBrokenRuleIsAReasonWithItsPlaceAndItsValue() {
        Refused refused =
                refused(
                        """
                        {"code": "invalid-definition", "detail": "2 rules are broken", "errors": [
                          {"pointer": "/name", "rule": "is needed", "value": null},
                          {"pointer": "/training/epochs", "rule": "must be from 1 to 9", "value": 0}]}
                        """);

        assertThat(refused.is("invalid-definition")).isTrue();
        assertThat(refused.reasons())
                .containsExactly(
                        "/name is needed", "/training/epochs must be from 1 to 9, but was 0");
        assertThat(refused)
                .hasMessage(
                        "POST /x was refused: 2 rules are broken /name is needed; /training/epochs must"
                                + " be from 1 to 9, but was 0");
    }

    @Test
    void whatAParserSaysIsOneLine() {
        assertThat(
                        refused(
                                        "{\"code\": \"malformed-body\", \"detail\": \"line 1:\\n  a: [1\\n\"}")
                                .reasons())
                .containsExactly("line 1: a: [1");
    }
}
