package dev.equipoise.agent.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.Admission;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.HeartbeatReply;
import dev.equipoise.protocol.ProtocolVersion;
import dev.equipoise.protocol.RecordedOrder;
import dev.equipoise.protocol.ReportReply;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads the recorded messages of the service of the version before, as the agent reads them. */
class RecordedAnswersTest {

    private static final Path RECORDED = Path.of("../protocol/src/test/resources/recorded/0.1");

    private final Requests requests =
            new Requests(ServiceEndpoint.of(URI.create("http://lab:8080")), Duration.ofSeconds(1));

    @ParameterizedTest
    @ValueSource(
            classes = {
                Admission.class,
                HeartbeatReply.class,
                Assignment.class,
                RecordedOrder.class,
                ReportReply.class
            })
    void messagesOfTheVersionBeforeAreRead(Class<?> type) {
        JsonNode examples = examples(type);

        assertThat(examples.isEmpty()).isFalse();
        for (JsonNode example : examples) {
            Object read = requests.as(type, example);
            assertThat(read).isInstanceOf(type);
            ((ObjectNode) example).putObject("addedLater").put("kind", "new");
            Object again = requests.as(type, example);
            assertThat(again).isEqualTo(read);
        }
    }

    @Test
    void admissionWithoutAVersionIsThatOfTheVersionBefore() {
        JsonNode example = examples(Admission.class).iterator().next();

        Admission admission = Objects.requireNonNull(requests.as(Admission.class, example));

        assertThat(admission.release().protocol()).isEqualTo(ProtocolVersion.UNREPORTED);
    }

    private static JsonNode examples(Class<?> type) {
        return JsonMapper.shared().readTree(RECORDED.resolve(type.getSimpleName() + ".json"));
    }
}
