package dev.equipoise.agent.dataset;

import dev.equipoise.protocol.dataset.CsvHeader;
import dev.equipoise.protocol.dataset.NumericSpec;
import dev.equipoise.protocol.dataset.OwnSpec.Csv;
import dev.equipoise.protocol.dataset.PublishedSpec.Cifar10;
import dev.equipoise.protocol.dataset.PublishedSpec.Cifar100;
import dev.equipoise.protocol.model.InputScaling;
import dev.equipoise.protocol.network.Shape;
import dev.equipoise.protocol.network.Shape.Image;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Reads samples for predictions from a user's file: IDX images, records of CIFAR in a file {@code
 * *.bin}, or else CSV rows. Any file may be packed with gzip, as {@code *.gz}. The samples are
 * normalized like those of the training.
 */
public final class SampleFile {
    private static final int IDX_IMAGES = 0x0803;
    private static final List<String> RECORDS = List.of(".bin", ".bin.gz");

    private final NumericSpec spec;
    private final Shape input;
    private final List<String> classNames;

    /**
     * @param spec data set of the training
     * @param input shape of a sample
     * @param classNames that labels of CSV rows may have; empty for numbers only
     */
    public SampleFile(NumericSpec spec, Shape input, List<String> classNames) {
        this.spec = spec;
        this.input = input;
        this.classNames = List.copyOf(classNames);
    }

    /**
     * Samples of a file.
     *
     * @param areLabeled whether the labels are those of the file; else they are 0
     */
    public record FileSamples(Dataset dataset, boolean areLabeled) {}

    /**
     * Reads all samples of a file.
     *
     * @param labels IDX file with the labels of IDX images; null without labels
     * @throws DatasetInvalid if a file breaks the rules of its format, or has samples of another
     *     shape
     * @throws DatasetUnavailable if a file cannot be read
     */
    public FileSamples read(Path file, @Nullable Path labels) {
        Content content = open(file);
        if (isIdx(content)) {
            return images(content, labels == null ? null : open(labels));
        }
        if (labels != null) {
            throw new DatasetInvalid(
                    "%s: labels of their own go with IDX images, but this file is none"
                            .formatted(file));
        }
        return RECORDS.stream().anyMatch(file.toString()::endsWith)
                ? records(content)
                : rows(content);
    }

    private static Content open(Path file) {
        if (Files.isDirectory(file)) {
            throw new DatasetInvalid("%s: must be a file, but is a folder".formatted(file));
        }
        try {
            return Content.own(file);
        } catch (ZipException | EOFException e) {
            throw new DatasetInvalid("%s: is not a complete gzip file: %s".formatted(file, e));
        } catch (IOException e) {
            throw new DatasetUnavailable(String.valueOf(file.getFileName()), file, e);
        }
    }

    private static boolean isIdx(Content content) {
        return content.bytes().length >= Integer.BYTES
                && ByteBuffer.wrap(content.bytes()).getInt() == IDX_IMAGES;
    }

    private FileSamples images(Content images, @Nullable Content labels) {
        if (!(input instanceof Image shape) || shape.channels() != 1) {
            throw new DatasetInvalid(
                    "%s: the model takes %s, but an IDX file has gray images"
                            .formatted(images.file(), input));
        }
        byte[] pixels = new IdxFile(images).images(shape);
        int count = pixels.length / shape.size();
        byte[] classes =
                labels == null
                        ? new byte[count]
                        : new IdxFile(labels).labels(count, spec.classes());
        return new FileSamples(bytes(shape, pixels, classes), labels != null);
    }

    private FileSamples records(Content content) {
        int labelBytes = labelBytes(content);
        Image shape = (Image) spec.input();
        int count = content.bytes().length / (labelBytes + shape.size());
        byte[] pixels = new byte[count * shape.size()];
        byte[] classes = new byte[count];
        new CifarFile(content, labelBytes).read(shape, spec.classes(), pixels, classes, 0);
        return new FileSamples(bytes(shape, pixels, classes), true);
    }

    private int labelBytes(Content content) {
        return switch (spec) {
            case Cifar10 _ -> 1;
            case Cifar100 _ -> 2;
            default ->
                    throw new DatasetInvalid(
                            "%s: records of CIFAR do not fit a model of data set %s"
                                    .formatted(content.file(), spec.name()));
        };
    }

    private Dataset bytes(Image shape, byte[] pixels, byte[] classes) {
        int brightest = (int) scaling().divisor();
        return ByteImages.of(
                shape, spec.classes(), pixels, classes, brightest, spec.normalisation());
    }

    private FileSamples rows(Content content) {
        var errors = new LineErrors();
        LabelColumn labels = LabelColumn.ofKnown(spec.classes(), classNames);
        CsvRows rows = new CsvParser(content, input.size(), header(), labels, errors).parse();
        errors.throwIfAny();
        normalize(rows.values());
        return new FileSamples(
                FloatRows.of(input, spec.classes(), rows.values(), rows.labels()),
                rows.areLabeled());
    }

    /** Rows of a model that has not learned from CSV files may have a header, too. */
    private CsvHeader header() {
        return spec instanceof Csv csv ? csv.header() : CsvHeader.AUTO;
    }

    /** Normalizes rows, in which the channels of a pixel are side by side. */
    private void normalize(float[] values) {
        InputScaling scaling = scaling();
        int channels = input instanceof Image image ? image.channels() : input.size();
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) scaling.apply(values[i], i % channels);
        }
    }

    private InputScaling scaling() {
        return InputScaling.of(spec).orElseThrow();
    }
}
