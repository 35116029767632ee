package dev.equipoise.protocol.model;

import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * JSON of a safetensors header, read strictly: only known fields, no field twice, the offsets of
 * the tensors neither overlap nor leave gaps, and nothing follows but spaces.
 */
final class HeaderJson {
    private static final String METADATA = "__metadata__";
    private static final String TYPE = "dtype";
    private static final String SHAPE = "shape";
    private static final String OFFSETS = "data_offsets";
    private static final String FLOAT32 = "F32";

    private static final JsonFactory JSON =
            JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    private final JsonParser parser;
    private final Map<String, String> metadata = new LinkedHashMap<>();
    private final List<Located> tensors = new ArrayList<>();

    private HeaderJson(JsonParser parser) {
        this.parser = parser;
    }

    /** A tensor with the range of its data, in bytes behind the header. */
    private record Located(TensorEntry entry, long begin, long end) {}

    static void write(SafetensorsHeader header, OutputStream out) {
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
            json.writeStartObject();
            if (!header.metadata().isEmpty()) {
                json.writeObjectPropertyStart(METADATA);
                header.metadata().forEach(json::writeStringProperty);
                json.writeEndObject();
            }
            long begin = 0;
            for (TensorEntry tensor : header.tensors()) {
                write(tensor, begin, json);
                begin += tensor.bytes();
            }
            json.writeEndObject();
        }
    }

    private static void write(TensorEntry tensor, long begin, JsonGenerator json) {
        json.writeObjectPropertyStart(tensor.name());
        json.writeStringProperty(TYPE, FLOAT32);
        json.writeArrayPropertyStart(SHAPE);
        for (long size : tensor.shape()) {
            json.writeNumber(size);
        }
        json.writeEndArray();
        json.writeArrayPropertyStart(OFFSETS);
        json.writeNumber(begin);
        json.writeNumber(begin + tensor.bytes());
        json.writeEndArray();
        json.writeEndObject();
    }

    /**
     * Reads a header.
     *
     * @param dataBytes size of the data behind it
     */
    static SafetensorsHeader read(byte[] bytes, long dataBytes) {
        if (bytes[0] != '{') {
            throw new ModelFileInvalid("the header must begin with {, but begins otherwise");
        }
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), bytes)) {
            return new HeaderJson(parser).read(dataBytes);
        } catch (JacksonException e) {
            throw new ModelFileInvalid("the header is no valid JSON: " + e.getOriginalMessage(), e);
        }
    }

    private SafetensorsHeader read(long dataBytes) {
        expect(JsonToken.START_OBJECT, parser.nextToken(), "the header");
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            if (name.equals(METADATA)) {
                readMetadata();
            } else {
                tensors.add(readTensor(name));
            }
            if (tensors.size() > SafetensorsHeader.MAX_TENSORS) {
                throw new ModelFileInvalid(
                        "the file has more than %d tensors"
                                .formatted(SafetensorsHeader.MAX_TENSORS));
            }
        }
        expect(JsonToken.END_OBJECT, parser.currentToken(), "the header");
        if (parser.nextToken() != null) {
            throw new ModelFileInvalid("the header must be one JSON object, but more follows it");
        }
        return new SafetensorsHeader(metadata, inOrder(dataBytes));
    }

    private void readMetadata() {
        expect(JsonToken.START_OBJECT, parser.nextToken(), METADATA);
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            expect(JsonToken.VALUE_STRING, parser.nextToken(), METADATA + "." + shown(name));
            metadata.put(name, parser.getString());
        }
        expect(JsonToken.END_OBJECT, parser.currentToken(), METADATA);
    }

    private Located readTensor(String tensor) {
        expect(JsonToken.START_OBJECT, parser.nextToken(), shown(tensor));
        boolean hasType = false;
        List<Long> shape = null;
        List<Long> offsets = null;
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            switch (name) {
                case TYPE -> {
                    requireFloat32(tensor);
                    hasType = true;
                }
                case SHAPE -> shape = readNumbers(tensor, SHAPE, TensorEntry.MAX_DIMENSIONS);
                case OFFSETS -> offsets = readNumbers(tensor, OFFSETS, 2);
                default ->
                        throw new ModelFileInvalid(
                                "tensor %s has the unknown field %s"
                                        .formatted(shown(tensor), shown(name)));
            }
        }
        expect(JsonToken.END_OBJECT, parser.currentToken(), shown(tensor));
        if (!hasType || shape == null || offsets == null || offsets.size() != 2) {
            throw new ModelFileInvalid(
                    "tensor %s must have dtype, shape and two data_offsets"
                            .formatted(shown(tensor)));
        }
        return located(new TensorEntry(tensor, shape), offsets.getFirst(), offsets.getLast());
    }

    private void requireFloat32(String tensor) {
        expect(JsonToken.VALUE_STRING, parser.nextToken(), shown(tensor) + "." + TYPE);
        if (!parser.getString().equals(FLOAT32)) {
            throw new ModelFileInvalid(
                    "tensor %s has the dtype %s: only F32 is read; convert it to float32"
                            .formatted(shown(tensor), shown(parser.getString())));
        }
    }

    private List<Long> readNumbers(String tensor, String field, int most) {
        String place = shown(tensor) + "." + field;
        expect(JsonToken.START_ARRAY, parser.nextToken(), place);
        List<Long> numbers = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            expect(JsonToken.VALUE_NUMBER_INT, parser.currentToken(), place);
            if (numbers.size() == most) {
                throw new ModelFileInvalid("%s has more than %d numbers".formatted(place, most));
            }
            numbers.add(parser.getLongValue());
        }
        return numbers;
    }

    private static Located located(TensorEntry entry, long begin, long end) {
        // Begins are checked one by one later, so only the length is left to check here.
        if (begin < 0 || end < begin || end - begin != entry.bytes()) {
            throw new ModelFileInvalid(
                    "tensor %s of shape %s takes %d bytes, but its data_offsets are %d and %d"
                            .formatted(
                                    shown(entry.name()), entry.shape(), entry.bytes(), begin, end));
        }
        return new Located(entry, begin, end);
    }

    private List<TensorEntry> inOrder(long dataBytes) {
        tensors.sort(Comparator.comparingLong(Located::begin).thenComparingLong(Located::end));
        long end = 0;
        for (Located tensor : tensors) {
            if (tensor.begin() != end) {
                throw new ModelFileInvalid(
                        "the data of tensor %s begin at %d, but must begin at %d, where those before end"
                                .formatted(shown(tensor.entry().name()), tensor.begin(), end));
            }
            end = tensor.end();
        }
        if (end != dataBytes) {
            throw new ModelFileInvalid(
                    "the tensors take %d bytes, but %d bytes follow the header of the file"
                            .formatted(end, dataBytes));
        }
        return tensors.stream().map(Located::entry).toList();
    }

    private static void expect(JsonToken expected, @Nullable JsonToken found, String place) {
        if (found != expected) {
            throw new ModelFileInvalid(
                    "%s must be %s, but is %s".formatted(place, expected, found));
        }
    }

    private static String shown(String name) {
        int most = 100;
        return name.length() > most ? name.substring(0, most) + "..." : name;
    }
}
