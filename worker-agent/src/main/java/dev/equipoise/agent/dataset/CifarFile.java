package dev.equipoise.agent.dataset;

import dev.equipoise.protocol.network.Shape.Image;

/**
 * CIFAR's binary format: records of labels and an image, channel by channel.
 *
 * @param labelBytes number of labels in a record; the last one counts
 */
record CifarFile(Content content, int labelBytes) {

    /** Reads records, and interleaves the channels of each pixel. */
    void read(Image shape, int classes, byte[] images, byte[] labels, int firstSample) {
        byte[] bytes = content.bytes();
        int record = labelBytes + shape.size();
        if (bytes.length == 0 || bytes.length % record != 0) {
            throw content.brokenAt(
                    bytes.length, "must hold whole records of %d bytes".formatted(record));
        }
        int count = Math.min(bytes.length / record, labels.length - firstSample);
        for (int i = 0; i < count; i++) {
            int label = bytes[i * record + labelBytes - 1] & 0xff;
            if (label >= classes) {
                throw content.brokenAt(
                        (long) i * record + labelBytes - 1,
                        "label must be below %d, but was %d".formatted(classes, label));
            }
            labels[firstSample + i] = (byte) label;
            interleave(shape, i * record + labelBytes, images, (firstSample + i) * shape.size());
        }
    }

    private void interleave(Image shape, int from, byte[] images, int to) {
        byte[] bytes = content.bytes();
        int pixels = shape.height() * shape.width();
        int channels = shape.channels();
        for (int channel = 0; channel < channels; channel++) {
            int plane = from + channel * pixels;
            for (int pixel = 0; pixel < pixels; pixel++) {
                images[to + pixel * channels + channel] = bytes[plane + pixel];
            }
        }
    }
}
