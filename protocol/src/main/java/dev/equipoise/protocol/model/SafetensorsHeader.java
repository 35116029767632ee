package dev.equipoise.protocol.model;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Header of a safetensors file: the length of a JSON object as 64 bits, little-endian, and the
 * object. The data of all tensors follow, in the order of this list, without gaps.
 *
 * @param metadata texts by name, the {@code __metadata__} of the file
 * @param tensors in the order of their data
 */
public record SafetensorsHeader(Map<String, String> metadata, List<TensorEntry> tensors) {

    /** Limit of the JSON object, in bytes; the reference implementation has 100 MB. */
    public static final int MAX_JSON_BYTES = 16 << 20;

    /** Limit of the number of tensors. */
    public static final int MAX_TENSORS = 100_000;

    /** The reference implementation aligns the data to this number of bytes. */
    private static final int ALIGNMENT = 8;

    /**
     * Creates a header.
     *
     * @throws ModelFileInvalid if two tensors have one name, or there are too many
     */
    public SafetensorsHeader {
        metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
        tensors = List.copyOf(tensors);
        if (tensors.size() > MAX_TENSORS) {
            throw new ModelFileInvalid(
                    "the file has %d tensors: at most %d".formatted(tensors.size(), MAX_TENSORS));
        }
        long names = tensors.stream().map(TensorEntry::name).distinct().count();
        if (names < tensors.size()) {
            throw new ModelFileInvalid("two tensors of the file have the same name");
        }
    }

    /** Returns this header with more metadata, which replace those of the same name. */
    public SafetensorsHeader with(Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(metadata);
        all.putAll(more);
        return new SafetensorsHeader(all, tensors);
    }

    /** Returns the size of the data of all tensors, in bytes. */
    public long dataBytes() {
        return tensors.stream().mapToLong(TensorEntry::bytes).sum();
    }

    /**
     * Returns the header as in the file, padded with spaces so that the data are aligned.
     *
     * @throws ModelFileInvalid if it is beyond its limit
     */
    public byte[] toBytes() {
        var json = new ByteArrayOutputStream();
        HeaderJson.write(this, json);
        int length = Math.ceilDiv(json.size(), ALIGNMENT) * ALIGNMENT;
        requireLength(length);
        byte[] bytes = new byte[Long.BYTES + length];
        Arrays.fill(bytes, (byte) ' ');
        ByteBuffer.wrap(bytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(length)
                .put(json.toByteArray());
        return bytes;
    }

    /**
     * Reads the header of a file and leaves the stream at the data.
     *
     * @param fileBytes size of the whole file
     * @throws ModelFileInvalid if it is no header of this format, or the data that it announces do
     *     not fill the file exactly
     * @throws IOException if the stream fails
     */
    public static SafetensorsHeader read(InputStream in, long fileBytes) throws IOException {
        byte[] length = readFully(in, Long.BYTES);
        long jsonBytes = ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).getLong();
        requireLength(jsonBytes);
        long dataBytes = fileBytes - Long.BYTES - jsonBytes;
        if (dataBytes < 0) {
            throw new ModelFileInvalid(
                    "the header has %d bytes, but the file has %d".formatted(jsonBytes, fileBytes));
        }
        return HeaderJson.read(readFully(in, (int) jsonBytes), dataBytes);
    }

    private static void requireLength(long jsonBytes) {
        if (jsonBytes < 2 || jsonBytes > MAX_JSON_BYTES) {
            throw new ModelFileInvalid(
                    "the header of a model file must have 2 to %2$d bytes, but has %1$d"
                            .formatted(jsonBytes, MAX_JSON_BYTES));
        }
    }

    private static byte[] readFully(InputStream in, int count) throws IOException {
        byte[] bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw new EOFException(
                    "the file ends within its header, %d bytes too early"
                            .formatted(count - bytes.length));
        }
        return bytes;
    }
}
