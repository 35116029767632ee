package dev.equipoise.agent.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.equipoise.protocol.dataset.Normalization;
import dev.equipoise.protocol.dataset.PublishedSpec.Cifar100;
import dev.equipoise.protocol.network.Shape.Image;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class CifarFileTest {
    private static final Image SHAPE = new Image(1, 2, 3);

    @Test
    void interleavesTheChannelsOfAPixel() {
        byte[] images = new byte[18];
        byte[] labels = new byte[3];

        read(new byte[] {9, 4, 1, 2, 3, 4, 5, 6, 9, 5, 7, 8, 9, 10, 11, 12}, 2, images, labels);

        assertThat(labels).containsExactly(0, 4, 5);
        assertThat(images).containsExactly(0, 0, 0, 0, 0, 0, 1, 3, 5, 2, 4, 6, 7, 9, 11, 8, 10, 12);
    }

    @Test
    void namesTheOffsetOfAnError() {
        assertThatExceptionOfType(DatasetCorrupt.class)
                .isThrownBy(() -> read(new byte[8], 1, new byte[18], new byte[3]))
                .withMessage("file, byte 8: must hold whole records of 7 bytes");
        assertThatExceptionOfType(DatasetCorrupt.class)
                .isThrownBy(() -> read(new byte[0], 1, new byte[18], new byte[3]))
                .withMessage("file, byte 0: must hold whole records of 7 bytes");
        byte[] content = new byte[14];
        content[7] = (byte) 200;
        assertThatExceptionOfType(DatasetCorrupt.class)
                .isThrownBy(() -> read(content, 1, new byte[18], new byte[3]))
                .withMessage("file, byte 7: label must be below 6, but was 200");
    }

    @Test
    void readsCifar100FromItsArchive() {
        byte[] record = new byte[2 + 3072];
        record[0] = 19;
        record[1] = 99;
        byte[] archive =
                TestingIdx.packed(
                        TestingTar.archive(
                                TestingTar.entry("cifar-100-binary/train.bin", '0', record),
                                TestingTar.entry("cifar-100-binary/test.bin", '0', record)));
        DatasetSplit split =
                PublishedReader.cifar100(
                        new Cifar100(new Normalization.Unit(), 1),
                        new Content(Path.of("file"), archive, Content.Origin.PUBLISHED));

        assertThat(TestingDatasets.read(split.training(), 0).labels()).containsExactly(99);
        assertThat(split.test().size()).isOne();
    }

    private static void read(byte[] content, int labelBytes, byte[] images, byte[] labels) {
        new CifarFile(new Content(Path.of("file"), content, Content.Origin.PUBLISHED), labelBytes)
                .read(SHAPE, 6, images, labels, 1);
    }
}
