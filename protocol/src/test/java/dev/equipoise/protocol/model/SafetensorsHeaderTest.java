package dev.equipoise.protocol.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SafetensorsHeaderTest {

    private static final SafetensorsHeader HEADER =
            new SafetensorsHeader(
                    Map.of("run", "\"7\"\n"),
                    List.of(
                            new TensorEntry("a.weight", List.of(2L, 3L)),
                            new TensorEntry("empty", List.of(0L, 5L)),
                            new TensorEntry("scalar", List.of())));

    private static SafetensorsHeader read(String json, long dataBytes) throws IOException {
        byte[] text = json.getBytes(StandardCharsets.UTF_8);
        ByteBuffer file =
                ByteBuffer.allocate(Long.BYTES + text.length)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(text.length)
                        .put(text);
        return SafetensorsHeader.read(
                new ByteArrayInputStream(file.array()), file.capacity() + dataBytes);
    }

    @Test
    void headerIsReadAsItWasWritten() throws Exception {
        byte[] bytes = HEADER.toBytes();

        assertThat(bytes.length % 8).isZero();
        assertThat(HEADER.dataBytes()).isEqualTo(28);
        assertThat(SafetensorsHeader.read(new ByteArrayInputStream(bytes), bytes.length + 28L))
                .isEqualTo(HEADER);
    }

    /** As the reference implementation writes: fields in another order, tensors by name. */
    @Test
    void tensorsMayHaveAnyOrderAndAreSortedByTheirData() throws Exception {
        SafetensorsHeader header =
                read(
                        """
                        {"b":{"data_offsets":[0,8],"shape":[2],"dtype":"F32"},
                         "a":{"dtype":"F32","shape":[1,1],"data_offsets":[8,12]}}\
                        """,
                        12);

        assertThat(header.metadata()).isEmpty();
        assertThat(header.tensors()).extracting(TensorEntry::name).containsExactly("b", "a");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"a":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}} | tensor a has the dtype F16
                    {"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}} | tensor a of shape [2] takes 8 bytes
                    {"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}} | the data of tensor a begin at 4, but must begin at 0
                    {"a":{"dtype":"F32","shape":[1],"data_offsets":[-4,0]}} | but its data_offsets are -4 and 0
                    {"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[2,6]}} | the data of tensor b begin at 2, but must begin at 4
                    {"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[8,12]}} | the data of tensor b begin at 8, but must begin at 4
                    {"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}} | the tensors take 8 bytes, but 4 bytes follow
                    {} | the tensors take 0 bytes, but 4 bytes follow
                    {"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}} | sizes are from 0 up
                    {"a":{"dtype":"F32","shape":[0,1099511627776,1099511627776],"data_offsets":[0,0]}} | sizes are from 0 up
                    {"a":{"dtype":"F32","shape":[1.5],"data_offsets":[0,4]}} | a.shape must be VALUE_NUMBER_INT
                    {"a":{"dtype":"F32","shape":[99999999999999999999],"data_offsets":[0,4]}} | the header is no valid JSON
                    {"a":{"dtype":"F32","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,4]}} | a.shape has more than 8 numbers
                    {"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4,4]}} | a.data_offsets has more than 2 numbers
                    {"a":{"dtype":"F32","shape":[1]}} | tensor a must have dtype, shape and two data_offsets
                    {"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"layout":"row"}} | tensor a has the unknown field layout
                    {"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}} | the header is no valid JSON: Duplicate
                    {"":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}} | the name of a tensor must have 1 to 1000 characters
                    {"__metadata__":{"epoch":3}} | __metadata__.epoch must be VALUE_STRING
                    {"__metadata__":[]} | __metadata__ must be START_OBJECT
                    {"a":[]} | a must be START_OBJECT
                    {} {} | the header must be one JSON object, but more follows it
                    [] | the header must begin with {
                    {"a":  | the header is no valid JSON
                    """)
    void invalidHeaderIsRefusedInWords(String json, String sentence) {
        assertThatExceptionOfType(ModelFileInvalid.class)
                .isThrownBy(() -> read(json, 4))
                .withMessageContaining(sentence);
    }

    @Test
    void lengthOfTheHeaderIsBounded() {
        assertThatExceptionOfType(ModelFileInvalid.class)
                .isThrownBy(() -> read("{}" + " ".repeat(SafetensorsHeader.MAX_JSON_BYTES), 0))
                .withMessage(
                        "the header of a model file must have 2 to 16777216 bytes, but has 16777218");
        byte[] zip = "PK\3\4 and what a ZIP archive has".getBytes(StandardCharsets.UTF_8);
        assertThatExceptionOfType(ModelFileInvalid.class)
                .isThrownBy(() -> SafetensorsHeader.read(new ByteArrayInputStream(zip), zip.length))
                .withMessageContaining("must have 2 to 16777216 bytes");
    }

    @Test
    void headerBeyondTheFileIsRefusedBeforeItIsRead() {
        byte[] bytes = HEADER.toBytes();

        assertThatExceptionOfType(ModelFileInvalid.class)
                .isThrownBy(() -> SafetensorsHeader.read(new ByteArrayInputStream(bytes), 20))
                .withMessageContaining("but the file has 20");
        assertThatExceptionOfType(EOFException.class)
                .isThrownBy(
                        () -> SafetensorsHeader.read(new ByteArrayInputStream(bytes, 0, 20), 1000));
    }

    @Test
    void numberOfTensorsIsBounded() {
        List<TensorEntry> many =
                IntStream.rangeClosed(0, SafetensorsHeader.MAX_TENSORS)
                        .mapToObj(i -> new TensorEntry("t" + i, List.of(0L)))
                        .toList();

        assertThatExceptionOfType(ModelFileInvalid.class)
                .isThrownBy(() -> new SafetensorsHeader(Map.of(), many))
                .withMessage("the file has 100001 tensors: at most 100000");
    }

    @Test
    void metadataCanBeAdded() {
        SafetensorsHeader more = HEADER.with(Map.of("definition", "{}", "run", "8"));

        assertThat(more.metadata()).isEqualTo(Map.of("definition", "{}", "run", "8"));
        assertThat(more.tensors()).isEqualTo(HEADER.tensors());
    }
}
