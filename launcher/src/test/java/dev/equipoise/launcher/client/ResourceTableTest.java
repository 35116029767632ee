package dev.equipoise.launcher.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ResourceTableTest {

    private static final ResourceTable TABLE =
            ResourceTable.of(
                    ResourceColumn.id("id", "/id"),
                    ResourceColumn.field("name", "/name"),
                    ResourceColumn.number("accuracy", "/accuracy"),
                    ResourceColumn.time("queued", "/queuedAt"));

    private static final List<JsonNode> ITEMS =
            List.of(
                    item(
                            """
                            {"id": "0123456789", "name": "a, \\"b\\"", "accuracy": 0.98765,
                             "queuedAt": "2026-01-02T03:04:05.678Z"}
                            """),
                    item("{\"id\": \"9876543210\", \"name\": \"=1+1\", \"accuracy\": null}"));

    private static JsonNode item(String json) {
        return JsonMapper.shared().readTree(json);
    }

    @Test
    void tableHasShortIdsAndRoundedNumbers() {
        assertThat(TABLE.text(ITEMS))
                .isEqualTo(
                        """
                        ID        NAME    ACCURACY  QUEUED
                        01234567  a, "b"  0.9877    2026-01-02T03:04:05Z
                        98765432  =1+1
                        """);
    }

    @Test
    void csvHasWholeValuesAndNoFormulas() {
        assertThat(TABLE.csv(ITEMS))
                .isEqualTo(
                        """
                        id,name,accuracy,queued
                        0123456789,"a, ""b""\",0.98765,2026-01-02T03:04:05.678Z
                        9876543210,'=1+1,,
                        """);
    }

    @Test
    void negativeNumbersOfCsvStayNumbers() {
        ResourceTable table = ResourceTable.of(ResourceColumn.field("priority", "/priority"));

        assertThat(table.csv(List.of(item("{\"priority\": -3}")))).isEqualTo("priority\n-3\n");
    }

    @Test
    void detailsLeaveOutWhatIsUnknown() {
        assertThat(TABLE.details(ITEMS.getLast()))
                .isEqualTo(
                        """
                        id:        9876543210
                        name:      =1+1
                        """);
    }

    @Test
    void controlCharactersDoNotReachTheTerminal() {
        assertThat(TABLE.text(List.of(item("{\"id\": \"a\", \"name\": \"\\u001b[2Jx\\ny\"}"))))
                .contains(" [2Jx y")
                .doesNotContain("\u001b");
    }
}
