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
 * Service and agents understand each other where they are a minor version apart: what a version has
 * said is recorded, and read by all that come after it, which still say it so that it is
 * understood.
 */
class CompatibilityTest {

    /** As a service reads what agents say: its {@code BodyFormats}. */
    private static final JsonMapper SERVICE =
            JsonMapper.builder()
                    .disable(
                            DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                            DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                    .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                    .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                    .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                    .build();

    /** As an agent reads what a service says: its {@code Requests}. */
    private static final JsonMapper AGENT =
            JsonMapper.builder()
                    .disable(
                            DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                            DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                    .build();

    private static final Set<Class<?>> OF_AGENTS = Words.typesIn(AgentMessage.class);
    private static final Set<Class<?>> OF_THE_SERVICE = Words.typesIn(ServiceMessage.class);

    /** Whatever is told by names that people choose. */
    private static final String LABELS = "labels";

    private static final Set<String> LAYERS = Examples.of(Layer.class).keySet();

    /** With it set, what is not recorded yet is recorded; nothing that is changes. */
    private static final String RECORD = "equipoise.record";

    @BeforeAll
    static void record() {
        if (System.getProperty(RECORD) != null) {
            types().filter(Words::isRecorded).forEach(Recordings::add);
        }
    }

    private static Stream<Class<?>> types() {
        return Stream.concat(OF_AGENTS.stream(), OF_THE_SERVICE.stream()).distinct();
    }

    static List<Recording> recordings() {
        return Recordings.all();
    }

    static Stream<Recording> ownRecordings() {
        return recordings().stream()
                .filter(it -> it.version().minor().equals(SoftwareVersion.OWN.minor()));
    }

    @Test
    void allThatThereIsToSayIsRecorded() {
        Set<Object> recorded =
                ownRecordings()
                        .flatMap(it -> Words.in(readers(it).getFirst().read(it.json())))
                        .collect(Collectors.toSet());

        assertThat(types().flatMap(Words::toBeRecorded).filter(it -> !recorded.contains(it)))
                .as(
                        "not recorded for version %s: give examples of them in Examples, and run"
                                + " mvn -pl protocol test -Dtest=%s -D%s",
                        SoftwareVersion.OWN.minor(),
                        CompatibilityTest.class.getSimpleName(),
                        RECORD)
                .isEmpty();
    }

    /** A recording that does not mean what its example does was made of another one. */
    @ParameterizedTest
    @MethodSource("ownRecordings")
    void whatThisVersionSaysIsReadAsItIsMeant(Recording recording) {
        for (Reader reader : readers(recording)) {
            assertThat(reader.read(recording.json()))
                    .isEqualTo(Examples.of(reader.type()).get(recording.name()));
        }
    }

    /** Also by who is older, and goes by the fields that were there then. */
    @ParameterizedTest
    @MethodSource("recordings")
    void whatWasSaidIsReadAndSaidAgainWithNothingMissing(Recording recording) {
        for (Reader reader : readers(recording)) {
            JsonNode again = reader.write(reader.read(recording.json()));

            assertThat(missing(recording.json(), again)).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("recordings")
    void whatANextVersionAddsIsPassedOver(Recording recording) {
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
    void whatIsMissingIsNoticed(String again) {
        JsonNode recorded = AGENT.readTree("{\"rank\": 1, \"seconds\": [2, {\"peer\": 3}]}");

        assertThat(missing(recorded, AGENT.readTree(again))).hasSize(1);
        assertThat(missing(recorded, recorded)).isEmpty();
    }

    /** Somebody's way to read a type. */
    private record Reader(JsonMapper json, Class<?> type) {

        Object read(JsonNode value) {
            return json.readValue(value.toString(), type);
        }

        /** As if it were said in a message. */
        JsonNode write(Object value) {
            return json.readTree(json.writerFor(type).writeValueAsString(value));
        }
    }

    /** Of those to whom it is said; a type that is gone is read by nobody. */
    private static List<Reader> readers(Recording recording) {
        List<Reader> readers =
                Stream.concat(
                                OF_AGENTS.stream().map(it -> new Reader(SERVICE, it)),
                                OF_THE_SERVICE.stream().map(it -> new Reader(AGENT, it)))
                        .filter(it -> recording.isOf(it.type()))
                        .toList();
        assertThat(readers).as("who reads %s", recording).isNotEmpty();
        return readers;
    }

    /** Where there is something else than what was recorded; what is null may be left out. */
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

    /** An object that has but the kind of a layer, and beside it room for nothing. */
    private static boolean isNameOfALayer(ObjectNode object) {
        return object.size() == 1 && LAYERS.contains(object.propertyNames().iterator().next());
    }

    private static void addEverywhere(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.properties().stream()
                    .filter(it -> !it.getKey().equals(LABELS))
                    .forEach(it -> addEverywhere(it.getValue()));
            if (!isNameOfALayer(object)) {
                object.putObject("addedLater").put("kind", "new").putArray("list").add(1);
            }
        } else {
            node.values().forEach(CompatibilityTest::addEverywhere);
        }
    }
}
