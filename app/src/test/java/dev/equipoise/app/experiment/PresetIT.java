package dev.equipoise.app.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingLab;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

@RunningService
class PresetIT {

    private static final String NAME = "all-reduce-algorithms";

    private final TestingLab lab;

    PresetIT(@Autowired TestingLab lab) {
        this.lab = lab;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    @Test
    void presetsAreListedWithPublishedFigures() {
        JsonNode items = lab.project().member().get("/presets").expect(200).path("items");

        assertThat(items)
                .filteredOn(it -> it.path("name").stringValue().equals(NAME))
                .singleElement()
                .satisfies(preset -> {
                    assertThat(preset.path("scales").propertyNames())
                            .containsExactly("small", "full");
                    assertThat(preset.at("/published/0/range/1").doubleValue()).isEqualTo(4.1);
                    assertThat(preset.at("/published/0/value").isNull()).isTrue();
                    assertThat(preset.at("/published/0/ours").isNull()).isTrue();
                    assertThat(preset.at("/published/0/because").stringValue()).isNotBlank();
                    assertThat(preset.path("paper").stringValue()).isEqualTo("Zhu et al.");
                    assertThat(preset.path("source")).isNotEmpty();
                });
    }

    @Test
    void publishedFiguresHaveTheirFormOverTheRuns() {
        JsonNode items = lab.project().member().get("/presets").expect(200).path("items");

        assertThat(items)
                .filteredOn(it -> it.path("name").stringValue().equals("hundredfold"))
                .singleElement()
                .satisfies(preset -> {
                    JsonNode ours = preset.at("/published/0/ours");
                    assertThat(ours.path("figure").stringValue()).isEqualTo("communicationSeconds");
                    assertThat(ours.path("as").stringValue()).isEqualTo("ratio");
                    assertThat(ours.path("per").stringValue()).isEqualTo("run");
                    assertThat(ours.at("/of/name").stringValue()).isEqualTo("whole rounds");
                    assertThat(ours.path("scales")).isEmpty();
                });
    }

    @Test
    void presetAtAScaleIsReadyToSubmit() {
        TestingLab.Project project = lab.project();

        JsonNode preset = project.member().get("/presets/" + NAME + "?scale=full").expect(200);

        assertThat(preset.path("scale").stringValue()).isEqualTo("full");
        assertThat(preset.path("definitions")).hasSize(1);
        assertThat(project.submit(preset.at("/definitions/0").toString())).hasSize(15);
    }

    @Test
    void unknownPresetsAndScalesAreRejected() {
        TestingClient member = lab.project().member();

        member.get("/presets/nothing").problem(404, "not-found");
        assertThat(
                        member.get("/presets/" + NAME.replace('-', '_'))
                                .problem(404, "not-found")
                                .path("detail")
                                .stringValue())
                .endsWith("; did you mean %s?".formatted(NAME));
        Answer answer = member.get("/presets/" + NAME + "?scale=huge");

        answer.problem(400, "invalid-request");
        assertThat(answer.violations()).containsExactly("?scale must be one of [small, full]");
    }
}
