package dev.equipoise.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.Recordings.Recording;
import dev.equipoise.protocol.network.Layer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Checks that service and agents of adjacent protocol versions understand each other. The messages
 * of a version are recorded; all later compatible versions must read them and write them back so
 * that the earlier version understands them.
 */
class CompatibilityTest {

    /** Reads messages as the service does: its {@code BodyFormats}. */
    private static final JsonMapper SERVICE =
            JsonMapper.builder()
                    .disable(
                            DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                            DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                    .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                    .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                    .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                    .build();

    /** Reads messages as an agent does: its {@code Requests}. */
    private static final JsonMapper AGENT =
            JsonMapper.builder()
                    .disable(
                            DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                            DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                    .build();

    private static final Set<Class<?>> AGENT_TYPES = Words.typesIn(AgentMessage.class);
    private static final Set<Class<?>> SERVICE_TYPES = Words.typesIn(ServiceMessage.class);

    /** Field whose names users choose. */
    private static final String LABELS = "labels";

    private static final Set<String> LAYERS = Examples.of(Layer.class).keySet();

    /** System property that adds missing recordings; existing ones never change. */
    private static final String RECORD = "equipoise.record";

    @BeforeAll
    static void record() {
        if (System.getProperty(RECORD) != null) {
            types().filter(Words::isRecorded).forEach(Recordings::add);
        }
    }

    private static Stream<Class<?>> types() {
        return Stream.concat(AGENT_TYPES.stream(), SERVICE_TYPES.stream()).distinct();
    }

    static List<Recording> recordings() {
        return Recordings.all();
    }

    static Stream<Recording> ownRecordings() {
        return recordings().stream().filter(it -> it.version().equals(ProtocolVersion.OWN));
    }

    /** Without it the tests of this class would read no message of another version. */
    @Test
    void messagesOfTheVersionBeforeAreRecorded() {
        assertThat(recordings())
                .extracting(Recording::version)
                .contains(ProtocolVersion.OWN)
                .anyMatch(it -> it.isOlderThan(ProtocolVersion.OWN));
    }

    @Test
    void everyMessageTypeIsRecorded() {
        Set<Object> recorded =
                ownRecordings()
                        .flatMap(it -> Words.in(readers(it).getFirst().read(it.json())))
                        .collect(Collectors.toSet());

        assertThat(types().flatMap(Words::toBeRecorded).filter(it -> !recorded.contains(it)))
                .as(
                        "not recorded for version %s: add examples of them to Examples and run"
                                + " mvn -pl protocol test -Dtest=%s -D%s",
                        ProtocolVersion.OWN, CompatibilityTest.class.getSimpleName(), RECORD)
                .isEmpty();
    }

    /** Services and agents of the first version report no protocol version. */
    @Test
    void unreportedVersionIsTheFirst() {
        assertThat(recordings())
                .filteredOn(it -> it.version().equals(ProtocolVersion.UNREPORTED))
                .filteredOn(it -> it.isOf(Registration.class) || it.isOf(Admission.class))
                .hasSizeGreaterThan(2)
                .allSatisfy(it ->
                        assertThat(releaseOf(it).protocol()).isEqualTo(ProtocolVersion.UNREPORTED));
    }

    private static ReleaseVersion releaseOf(Recording recording) {
        Object message = readers(recording).getFirst().read(recording.json());
        return message instanceof Registration registration
                ? registration.release()
                : ((Admission) message).release();
    }

    /** A recording that differs from its example was made from another one. */
    @ParameterizedTest
    @MethodSource("ownRecordings")
    void recordingsOfThisVersionEqualTheirExamples(Recording recording) {
        for (Reader reader : readers(recording)) {
            assertThat(reader.read(recording.json()))
                    .isEqualTo(Examples.of(reader.type()).get(recording.name()));
        }
    }

    /** An older reader relies on the fields of its time, so none may disappear. */
    @ParameterizedTest
    @MethodSource("recordings")
    void recordingsSurviveReadingAndWriting(Recording recording) {
        for (Reader reader : readers(recording)) {
            JsonNode again = reader.write(reader.read(recording.json()));

            assertThat(missing(recording.json(), again)).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("recordings")
    void unknownFieldsAreIgnored(Recording recording) {
        JsonNode next = recording.json().deepCopy();
        addEverywhere(next);

        for (Reader reader : readers(recording)) {
            assertThat(reader.read(next)).isEqualTo(reader.read(recording.json()));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"rank\": 1, \"seconds\": [2, {}]}",
                "{\"rank\": 1, \"seconds\": [2]}",
                "{\"rank\": 2, \"seconds\": [2, {\"peer\": 3}]}",
                "{\"seconds\": [2, {\"peer\": 3}]}"
            })
    void missingFieldsAreDetected(String again) {
        JsonNode recorded = AGENT.readTree("{\"rank\": 1, \"seconds\": [2, {\"peer\": 3}]}");

        assertThat(missing(recorded, AGENT.readTree(again))).hasSize(1);
        assertThat(missing(recorded, recorded)).isEmpty();
    }

    /** Reader of one type, as the service or an agent. */
    private record Reader(JsonMapper json, Class<?> type) {

        Object read(JsonNode value) {
            return json.readValue(value.toString(), type);
        }

        /** Writes a value as within a message. */
        JsonNode write(Object value) {
            return json.readTree(json.writerFor(type).writeValueAsString(value));
        }
    }

    /** Returns the readers of a recording; every recorded type must have one. */
    private static List<Reader> readers(Recording recording) {
        List<Reader> readers =
                Stream.concat(
                                AGENT_TYPES.stream().map(it -> new Reader(SERVICE, it)),
                                SERVICE_TYPES.stream().map(it -> new Reader(AGENT, it)))
                        .filter(it -> recording.isOf(it.type()))
                        .toList();
        assertThat(readers).as("readers of %s", recording).isNotEmpty();
        return readers;
    }

    /** Lists the differences from a recording; null fields may be absent. */
    private static List<String> missing(JsonNode recorded, JsonNode again) {
        List<String> missing = new ArrayList<>();
        compare("", recorded, again, missing);
        return missing;
    }

    private static void compare(
            String at, JsonNode recorded, JsonNode again, List<String> missing) {
        if (recorded instanceof ObjectNode && again instanceof ObjectNode) {
            recorded.properties()
                    .forEach(it ->
                            compare(
                                    at + "/" + it.getKey(),
                                    it.getValue(),
                                    again.path(it.getKey()),
                                    missing));
        } else if (recorded instanceof ArrayNode
                && again instanceof ArrayNode
                && recorded.size() == again.size()) {
            for (int index = 0; index < recorded.size(); index++) {
                compare(at + "/" + index, recorded.get(index), again.get(index), missing);
            }
        } else if (!(recorded.isNull() && again.isMissingNode()) && !recorded.equals(again)) {
            missing.add("%s: %s, now %s".formatted(at, recorded, again));
        }
    }

    /**
     * Returns whether an object consists of the name of a layer alone, which permits no further
     * field.
     */
    private static boolean isLayerName(ObjectNode object) {
        return object.size() == 1 && LAYERS.contains(object.propertyNames().iterator().next());
    }

    private static void addEverywhere(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.properties().stream()
                    .filter(it -> !it.getKey().equals(LABELS))
                    .forEach(it -> addEverywhere(it.getValue()));
            if (!isLayerName(object)) {
                object.putObject("addedLater").put("kind", "new").putArray("list").add(1);
            }
        } else {
            node.values().forEach(CompatibilityTest::addEverywhere);
        }
    }
}
