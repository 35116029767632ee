package dev.equipoise.agent.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.ProblemCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceAnswerTest {

    private static final String ADDRESS = "http://lab.example";
    private static final String PROBLEM = "application/problem+json";

    private static ServiceAnswer problem(int status, String code) {
        return new ServiceAnswer(
                status,
                PROBLEM,
                """
                {"type":"urn:equipoise:problem:%s","code":"%s","detail":"why","later":1}\
                """
                        .formatted(code, code));
    }

    @ParameterizedTest
    @CsvSource({
        "400, invalid-request, INVALID_REQUEST",
        "401, unauthenticated, UNAUTHENTICATED",
        "403, forbidden, FORBIDDEN",
        "404, not-found, NOT_FOUND",
        "409, illegal-state, ILLEGAL_STATE",
        "409, incompatible-version, INCOMPATIBLE_VERSION",
        "409, unreachable-address, UNREACHABLE_ADDRESS",
        "409, stale-generation, STALE_GENERATION",
        "413, body-too-large, BODY_TOO_LARGE"
    })
    void rejectionOfTheServiceIsBelieved(int status, String text, ProblemCode code) {
        assertThat(problem(status, text).judge(ADDRESS))
                .isEqualTo(
                        new Verdict.Rejected(
                                code, "the service answered %d %s: why".formatted(status, text)));
    }

    @ParameterizedTest
    @CsvSource({
        "408, body-too-slow",
        "409, conflict",
        "429, rate-limited",
        "429, too-many-streams",
        "500, internal",
        "503, busy",
        "507, no-room"
    })
    void serviceMayAskForARepetition(int status, String text) {
        assertThat(problem(status, text).judge(ADDRESS))
                .isEqualTo(
                        new Verdict.Temporary(
                                "the service answered %d %s: why".formatted(status, text)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    404 | text/plain               | 404 page not found
                    401 | text/html                | <html>401</html>
                    403 | application/json         | {"code":"forbidden"}
                    404 | application/problem+json | {"code":"no-such-route"}
                    404 | application/problem+json | {"title":"Not Found"}
                    404 | application/problem+json | {"code":
                    404 | application/problem+json | null
                    200 | application/problem+json | {"code":"not-found"}
                    200 | text/html                | <html>Please sign in</html>
                    302 | text/html                | <html>302</html>
                    """)
    void answerOfAnotherIsTemporary(int status, String mediaType, String body) {
        assertThat(new ServiceAnswer(status, mediaType, body).judge(ADDRESS))
                .isEqualTo(
                        new Verdict.Temporary(
                                ("the answer %d (%s) from http://lab.example is not from an"
                                                + " Equipoise service; check the address and any"
                                                + " proxy in between")
                                        .formatted(status, mediaType)));
    }

    @Test
    void missingContentTypeIsSaid() {
        assertThat(new ServiceAnswer(503, "", "").judge(ADDRESS).message())
                .startsWith("the answer 503 (no Content-Type) from http://lab.example");
    }
}
