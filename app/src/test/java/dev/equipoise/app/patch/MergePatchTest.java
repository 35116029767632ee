package dev.equipoise.app.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.json.JsonMapper;

class MergePatchTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private record TestingPatch(
            @JsonDeserialize(using = DeletableField.class) @Nullable Integer priority,
            @JsonDeserialize(using = DeletableField.class) @Nullable String notes,
            @JsonDeserialize(using = DeletableField.class) @Nullable Set<String> tags,
            @JsonDeserialize(using = RequiredField.class) @Nullable String name) {}

    private static TestingPatch read(String patch) {
        return JSON.readValue(patch, TestingPatch.class);
    }

    @Test
    void omittedFieldsKeepTheirValues() {
        assertThat(read("{}")).isEqualTo(new TestingPatch(null, null, null, null));
    }

    @Test
    void nullDeletesAField() {
        assertThat(read("{\"priority\": null, \"notes\": null, \"tags\": null}"))
                .isEqualTo(new TestingPatch(0, "", Set.of(), null));
    }

    @Test
    void valuesReplaceFields() {
        assertThat(
                        read(
                                "{\"priority\": 3, \"notes\": \"n\", \"tags\": [\"paper\"],"
                                        + " \"name\": \"lab\"}"))
                .isEqualTo(new TestingPatch(3, "n", Set.of("paper"), "lab"));
    }

    @Test
    void nullOfARequiredFieldIsRejectedWithItsPlace() {
        assertThatThrownBy(() -> read("{\"name\": null}"))
                .isInstanceOfSatisfying(
                        DatabindException.class,
                        it -> {
                            assertThat(it.getPath()).hasSize(1);
                            assertThat(it.getPath().getFirst().getPropertyName()).isEqualTo("name");
                        })
                .hasRootCauseInstanceOf(IllegalArgumentException.class)
                .hasRootCauseMessage(
                        "must have a value, as null would delete it: leave the field out to keep"
                                + " it");
    }
}
