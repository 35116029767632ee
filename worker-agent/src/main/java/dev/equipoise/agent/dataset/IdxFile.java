package dev.equipoise.agent.dataset;

import dev.equipoise.protocol.network.Shape.Image;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/*
 * LeCun's IDX format: a magic number (two zeros, the type of a value, the number of dimensions),
 * the dimensions as big-endian integers, the values. Offsets in messages count in the unpacked
 * content.
 */
record IdxFile(Path file, ByteBuffer content) {
    private static final int IMAGES = 0x0803;
    private static final int LABELS = 0x0801;

    IdxFile(Path file, byte[] content) {
        this(file, ByteBuffer.wrap(content));
    }

    byte[] images(Image shape) {
        expect(0, "magic number", IMAGES);
        expect(8, "height", shape.height());
        expect(12, "width", shape.width());
        return values(16, (long) integer(4) * shape.size());
    }

    byte[] labels(int count, int classes) {
        expect(0, "magic number", LABELS);
        expect(4, "number of labels", count);
        byte[] labels = values(8, count);
        for (int i = 0; i < count; i++) {
            if (labels[i] < 0 || labels[i] >= classes) {
                throw DatasetCorrupt.at(
                        file,
                        8L + i,
                        "label must be below %d, but was %d".formatted(classes, labels[i] & 0xff));
            }
        }
        return labels;
    }

    private void expect(int offset, String what, int expected) {
        int found = integer(offset);
        if (found != expected) {
            throw DatasetCorrupt.at(
                    file, offset, "%s must be %d, but was %d".formatted(what, expected, found));
        }
    }

    private int integer(int offset) {
        if (content.capacity() < offset + Integer.BYTES) {
            throw DatasetCorrupt.at(file, content.capacity(), "ends within its header");
        }
        return content.getInt(offset);
    }

    private byte[] values(int start, long count) {
        if (content.capacity() != start + count) {
            throw DatasetCorrupt.at(
                    file,
                    Math.min(content.capacity(), start + Math.max(count, 0)),
                    "header promises %d values, but %d follow"
                            .formatted(count, content.capacity() - start));
        }
        byte[] values = new byte[content.capacity() - start];
        content.get(start, values);
        return values;
    }
}
