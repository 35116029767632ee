package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.launcher.TestingService.Answer;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProjectChoiceIT {

    private static final String SPEED =
            """
            {"id": "aaaaaaaa-0000-0000-0000-000000000001", "name": "speed", "role": "editor"}\
            """;
    private static final String COST =
            """
            {"id": "bbbbbbbb-0000-0000-0000-000000000002", "name": "cost", "role": "owner"}\
            """;
    private static final String USUAL =
            """
            {"id": "dddddddd-0000-0000-0000-000000000004", "name": "run", "role": "administrator"}\
            """;
    private static final String SEEN =
            """
            {"id": "cccccccc-0000-0000-0000-000000000003", "name": "seen", "role": "viewer"}\
            """;

    private static String chosen(@Nullable String named, boolean administrator, String... projects)
            throws IOException {
        Map<String, Answer> answers =
                Map.of(
                        "GET projects",
                        new Answer(200, "{\"items\": [%s]}".formatted(String.join(",", projects))),
                        "GET me",
                        new Answer(200, "{\"administrator\": %s}".formatted(administrator)),
                        "POST projects",
                        new Answer(201, "{\"id\": \"made\"}"));
        try (var service = new TestingService(answers);
                var api = new ServiceApi(service.address(), "token")) {
            return ProjectChoice.of(api, named);
        }
    }

    @Test
    void onlyProjectInWhichTheCallerMayQueueRunsIsChosen() throws IOException {
        assertThat(chosen(null, false, SPEED, SEEN))
                .isEqualTo("aaaaaaaa-0000-0000-0000-000000000001");
    }

    @Test
    void callerWithSeveralProjectsMustNameOne() throws IOException {
        assertThatThrownBy(() -> chosen(null, false, SPEED, COST))
                .isInstanceOf(UsageError.class)
                .hasMessage("you have several projects: add --project with one of speed, cost");
        assertThat(chosen("cost", false, SPEED, COST))
                .isEqualTo("bbbbbbbb-0000-0000-0000-000000000002");
        assertThat(chosen("aaaa", false, SPEED, COST))
                .isEqualTo("aaaaaaaa-0000-0000-0000-000000000001");
    }

    @Test
    void unknownProjectIsNamed() {
        assertThatThrownBy(() -> chosen("lost", false, SPEED))
                .isInstanceOf(LabFailure.class)
                .hasMessage("there is no project lost");
    }

    @Test
    void administratorHasTheUsualProject() throws IOException {
        assertThat(chosen(null, true)).isEqualTo("made");
        assertThat(chosen(null, true, SPEED, USUAL))
                .isEqualTo("dddddddd-0000-0000-0000-000000000004");
        assertThatThrownBy(() -> chosen(null, true, SPEED, COST)).isInstanceOf(UsageError.class);
        assertThatThrownBy(() -> chosen(null, false, SPEED, USUAL)).isInstanceOf(UsageError.class);
        assertThatThrownBy(() -> chosen(null, false, SEEN))
                .isInstanceOf(LabFailure.class)
                .hasMessageStartingWith("you may queue runs in no project");
    }
}
