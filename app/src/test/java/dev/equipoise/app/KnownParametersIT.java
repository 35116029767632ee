package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import tools.jackson.databind.JsonNode;

@RunningService
class KnownParametersIT {

    private static final String API = "/api/v1";
    private static final String NONSENSE = "?nonsense=1";

    private final TestingLab lab;

    KnownParametersIT(@Autowired TestingLab lab) {
        this.lab = lab;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    /** Covers all operations that have no body and that people may call. */
    @Test
    void everyOperationRejectsAnUnknownParameter() {
        JsonNode paths = lab.nobody().get("/api/openapi").expect(200).path("paths");
        List<String> wrong = new ArrayList<>();
        int calls = 0;
        for (String path : paths.propertyNames()) {
            for (String method : paths.path(path).propertyNames()) {
                if (!path.matches(API + "/(agents|assignments).*")
                        && !paths.path(path).path(method).has("requestBody")) {
                    calls++;
                    Answer answer = call(method, path.substring(API.length()) + NONSENSE);
                    if (answer.status() != 400 || !isRejection(answer)) {
                        wrong.add("%s %s: %s".formatted(method, path, answer));
                    }
                }
            }
        }

        assertThat(wrong).isEmpty();
        assertThat(calls).isGreaterThan(40);
    }

    private Answer call(String method, String path) {
        return lab.administrator()
                .call(
                        HttpMethod.valueOf(method.toUpperCase(Locale.ROOT)),
                        path.replaceAll("\\{[a-zA-Z]+}", UUID.randomUUID().toString()),
                        null,
                        null);
    }

    private static boolean isRejection(Answer answer) {
        return answer.violations().size() == 1
                && answer.violations().getFirst().startsWith("?nonsense is not a parameter; ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    /runs?stat=RUNNING | ?stat is not a parameter; did you mean state? The parameters here are [cursor, experiment, filter, limit, name, project, since, sort, state, tag, until]
                    /me?limit=1        | ?limit is not a parameter; there are none here
                    /version?x=1       | ?x is not a parameter; there are none here
                    """)
    void rejectionListsTheParameters(String path, String violation) {
        Answer answer = lab.administrator().get(path);

        answer.problem(400, "invalid-request");
        assertThat(answer.violations()).singleElement().isEqualTo(violation);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/openapi?x=1", "/actuator/health?x=1", "/index.html?x=1"})
    void otherPathsIgnoreUnknownParameters(String path) {
        assertThat(lab.nobody().root(path).status()).isEqualTo(200);
    }
}
