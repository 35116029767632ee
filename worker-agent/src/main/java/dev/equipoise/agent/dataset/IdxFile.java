package dev.equipoise.agent.dataset;

import dev.equipoise.protocol.network.Shape.Image;
import java.nio.ByteBuffer;
import java.util.Arrays;

/*
 * LeCun's IDX format: a magic number (two zeros, the type of a value, the number of dimensions),
 * the dimensions as big-endian integers, the values.
 */
record IdxFile(Content content) {
    private static final int IMAGES = 0x0803;
    private static final int LABELS = 0x0801;
    private static final int COUNT_AT = 4;
    private static final int LABELS_AT = 8;
    private static final int IMAGES_AT = 16;

    /** Returns all images, one after the other. */
    byte[] images(Image shape) {
        expect(0, "magic number", IMAGES);
        expect(8, "height", shape.height());
        expect(12, "width", shape.width());
        int count = integer(COUNT_AT);
        if (count < 1) {
            throw content.brokenAt(
                    COUNT_AT, "number of images must be at least 1, but was " + count);
        }
        return values(IMAGES_AT, (long) count * shape.size());
    }

    byte[] labels(int count, int classes) {
        expect(0, "magic number", LABELS);
        expect(COUNT_AT, "number of labels", count);
        byte[] labels = values(LABELS_AT, count);
        for (int i = 0; i < count; i++) {
            int label = labels[i] & 0xff;
            if (label >= classes) {
                throw content.brokenAt(
                        LABELS_AT + i,
                        "label must be below %d, but was %d".formatted(classes, label));
            }
        }
        return labels;
    }

    private void expect(int offset, String field, int expected) {
        int found = integer(offset);
        if (found != expected) {
            throw content.brokenAt(
                    offset, "%s must be %d, but was %d".formatted(field, expected, found));
        }
    }

    private int integer(int offset) {
        if (content.bytes().length < offset + Integer.BYTES) {
            throw content.brokenAt(content.bytes().length, "ends within its header");
        }
        return ByteBuffer.wrap(content.bytes()).getInt(offset);
    }

    private byte[] values(int start, long count) {
        int length = content.bytes().length;
        if (length != start + count) {
            throw content.brokenAt(
                    Math.min(length, start + count),
                    "header announces %d values, but %d follow".formatted(count, length - start));
        }
        return Arrays.copyOfRange(content.bytes(), start, length);
    }
}
