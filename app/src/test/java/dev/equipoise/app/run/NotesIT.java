package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingLab;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.JsonNode;

/** Notes of runs and experiments: merge patches, authors, revisions and limits. */
@RunningService
class NotesIT {

    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "noted", "dataset": {"name": "mnist"},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": 1},
             "workers": {"replicas": 99}}
            """;

    private static final String DELETE = "{\"notes\": null}";

    private final TestingLab lab;
    private final JdbcTemplate jdbc;

    NotesIT(@Autowired TestingLab lab, @Autowired JdbcTemplate jdbc) {
        this.lab = lab;
        this.jdbc = jdbc;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private static Map<String, String> notes(String text) {
        return Map.of("notes", text);
    }

    private static String tag(TestingClient client, String path) {
        return String.valueOf(client.get(path).headers().getETag());
    }

    @Test
    void mergePatchWritesKeepsAndDeletesNotesOfARun() {
        TestingLab.Project project = lab.project();
        String path = "/runs/" + project.submitOne(DEFINITION);
        assertThat(project.member().get(path).expect(200).path("notes").isNull()).isTrue();
        String before = tag(project.member(), path);

        JsonNode written =
                project.member().patch(path, notes("# Why\n\n| a | b |\t\u00e9")).expect(200);

        assertThat(written.at("/notes/text").stringValue()).isEqualTo("# Why\n\n| a | b |\t\u00e9");
        assertThat(written.at("/notes/author").stringValue()).isEqualTo("member");
        assertThat(written.at("/notes/writtenAt").stringValue()).startsWith("20");
        assertThat(tag(project.member(), path)).isNotEqualTo(before);
        project.member()
                .withHeader("If-Match", before)
                .patch(path, notes("later"))
                .problem(412, "precondition-failed");
        assertThat(
                        project.member()
                                .patch(path, Map.of("tags", List.of("paper")))
                                .expect(200)
                                .at("/notes/text")
                                .stringValue())
                .as("a patch without notes keeps them")
                .startsWith("# Why");
        JsonNode deleted = project.member().patch(path, DELETE).expect(200);
        assertThat(deleted.path("notes").isNull()).isTrue();
        assertThat(deleted.at("/tags/0").stringValue()).isEqualTo("paper");
    }

    @Test
    void notesOfAnExperimentBelongToAllVersionsAndChangeItsRevision() {
        TestingLab.Project project = lab.project();
        JsonNode experiment = project.define(DEFINITION);
        String path = "/experiments/" + experiment.path("id").stringValue();
        assertThat(experiment.path("notes").isNull()).isTrue();
        String before = tag(project.member(), path);

        JsonNode written = project.member().patch(path, notes("*baseline*")).expect(200);

        assertThat(written.path("version").intValue()).isEqualTo(1);
        assertThat(written.at("/notes/text").stringValue()).isEqualTo("*baseline*");
        String after = tag(project.member(), path);
        assertThat(after).isNotEqualTo(before);
        project.member().withHeader("If-None-Match", before).get(path).expect(200);
        String second = DEFINITION.replace("\"epochs\": 1", "\"epochs\": 2");
        TestingClient outdated = project.member().withHeader("If-Match", before);
        outdated.put(path, second).problem(412, "precondition-failed");
        outdated.patch(path, notes("later")).problem(412, "precondition-failed");
        project.member().withHeader("If-Match", after).put(path, second).expect(200);
        assertThat(
                        project.member()
                                .get(path + "?version=1")
                                .expect(200)
                                .at("/notes/text")
                                .stringValue())
                .isEqualTo("*baseline*");
        assertThat(tag(project.member(), path + "?version=1"))
                .isNotEqualTo(tag(project.member(), path));
        assertThat(project.member().patch(path, DELETE).expect(200).path("notes").isNull())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/runs/", "/experiments/"})
    void invalidNotesAreRejectedWithTheirRule(String kind) {
        TestingLab.Project project = lab.project();
        String run = project.submitOne(DEFINITION);
        String path =
                kind
                        + (kind.equals("/runs/")
                                ? run
                                : project.run(run).path("experiment").stringValue());

        assertThat(project.member().patch(path, notes("\u00e9".repeat(32_769))).violations())
                .containsExactly("/notes must have at most 65536 bytes in UTF-8, but has 65538");
        assertThat(project.member().patch(path, notes(" \n")).violations())
                .containsExactly("/notes must not be blank: send null to delete the notes");
        assertThat(project.member().patch(path, notes("\u001b[31mred")).violations())
                .containsExactly(
                        "/notes must not contain control characters other than tabs and line breaks");
        assertThat(project.member().patch(path, "{\"notes\": [\"a\"]}").violations())
                .containsExactly("/notes must be a text");
        assertThat(project.member().patch(path, "{}").expect(200).path("notes").isNull()).isTrue();
        project.member().patch(path, notes("\u00e9".repeat(32_768))).expect(200);
        lab.member(project, "viewer").patch(path, notes("mine")).problem(403, "forbidden");
        lab.project().member().patch(path, notes("mine")).problem(404, "not-found");
    }

    @Test
    void auditSaysThatNotesWereWrittenButNotWhich() {
        TestingLab.Project project = lab.project();
        String run = project.submitOne(DEFINITION);

        project.member().patch("/runs/" + run, notes("nobody else's business")).expect(200);

        assertThat(
                        jdbc.queryForObject(
                                """
                                select cast(detail as text) from audit_entry
                                where action = 'run-changed' and subject = ?
                                """,
                                String.class,
                                run))
                .isEqualTo("{\"notes\": \"written\"}");
    }

    @Test
    void removedRunTakesItsNotesAlong() {
        TestingLab.Project project = lab.project();
        String run = project.submitOne(DEFINITION);
        project.member().patch("/runs/" + run, notes("gone")).expect(200);
        project.member().post("/runs/" + run + "/cancel").expect(200);

        project.member().delete("/runs/" + run).expect(204);

        assertThat(
                        jdbc.queryForObject(
                                "select count(*) from run_notes where text = 'gone'", Long.class))
                .isZero();
    }
}
