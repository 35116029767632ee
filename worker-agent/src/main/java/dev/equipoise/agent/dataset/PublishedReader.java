package dev.equipoise.agent.dataset;

import dev.equipoise.protocol.dataset.CsvHeader;
import dev.equipoise.protocol.dataset.DatasetDescription;
import dev.equipoise.protocol.dataset.NumericSpec;
import dev.equipoise.protocol.dataset.PublishedFile;
import dev.equipoise.protocol.dataset.PublishedSpec;
import dev.equipoise.protocol.dataset.PublishedSpec.Brown;
import dev.equipoise.protocol.dataset.PublishedSpec.Cifar10;
import dev.equipoise.protocol.dataset.PublishedSpec.Cifar100;
import dev.equipoise.protocol.dataset.PublishedSpec.FashionMnist;
import dev.equipoise.protocol.dataset.PublishedSpec.Mnist;
import dev.equipoise.protocol.dataset.PublishedSpec.Nettalk;
import dev.equipoise.protocol.dataset.PublishedSpec.Optdigits;
import dev.equipoise.protocol.network.Shape.Image;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

final class PublishedReader {
    private static final int IMAGES_PER_FILE = 10_000;
    private static final int BRIGHTEST = 255;
    private static final String CIFAR_100 = "cifar-100-binary/";

    private final DatasetLocator locator;

    PublishedReader(DatasetLocator locator) {
        this.locator = locator;
    }

    DatasetSplit read(PublishedSpec spec, int samples) {
        List<PublishedFile> wanted = wanted(spec, samples);
        LocalCopy copy = locator.get(PublishedDataset.of(spec), wanted);
        List<Content> files = wanted.parallelStream().map(copy::open).toList();
        return switch (spec) {
            case Mnist mnist -> idx(mnist, mnist.description(), files);
            case FashionMnist fashion -> idx(fashion, fashion.description(), files);
            case Cifar10 cifar ->
                    cifar(cifar, 1, files.subList(0, files.size() - 1), files.getLast());
            case Cifar100 cifar -> cifar100(cifar, files.getFirst());
            case Optdigits digits -> optdigits(digits, files.getFirst(), files.getLast());
            case Nettalk _ -> new NettalkDictionary(files.getFirst()).split();
            case Brown brown -> corpus(files.getFirst()).split(brown);
        };
    }

    /** Returns the files that contain the first samples and the test set. */
    static List<PublishedFile> wanted(PublishedSpec spec, int samples) {
        List<PublishedFile> all = spec.description().files();
        if (!(spec instanceof Cifar10)) {
            return all;
        }
        List<PublishedFile> wanted =
                new ArrayList<>(all.subList(0, Math.ceilDiv(samples, IMAGES_PER_FILE)));
        wanted.add(all.getLast());
        return wanted;
    }

    private static DatasetSplit idx(
            NumericSpec spec, DatasetDescription description, List<Content> files) {
        Image shape = (Image) description.input();
        return DatasetSplit.of(
                images(spec, shape, files.get(0), files.get(1)),
                images(spec, shape, files.get(2), files.get(3)));
    }

    static Dataset images(NumericSpec spec, Image shape, Content images, Content labels) {
        byte[] pixels = new IdxFile(images).images(shape);
        byte[] classes = new IdxFile(labels).labels(pixels.length / shape.size(), spec.classes());
        return ByteImages.of(
                shape, spec.classes(), pixels, classes, BRIGHTEST, spec.normalisation());
    }

    static DatasetSplit cifar100(Cifar100 spec, Content archive) {
        Map<String, byte[]> files = new HashMap<>();
        try (InputStream tar = new GZIPInputStream(new ByteArrayInputStream(archive.bytes()))) {
            files.putAll(
                    TarReader.read(tar, List.of(CIFAR_100 + "train.bin", CIFAR_100 + "test.bin")));
        } catch (IOException e) {
            throw archive.brokenAt(0, e.toString());
        }
        return cifar(
                spec,
                2,
                List.of(member(archive, CIFAR_100 + "train.bin", files)),
                member(archive, CIFAR_100 + "test.bin", files));
    }

    private static Content member(Content archive, String name, Map<String, byte[]> files) {
        byte[] bytes = files.get(name);
        if (bytes == null) {
            throw archive.brokenAt(0, "must hold " + name);
        }
        return new Content(archive.file().resolve(name), bytes, archive.origin());
    }

    private static DatasetSplit cifar(
            NumericSpec spec, int labelBytes, List<Content> training, Content test) {
        return DatasetSplit.of(
                cifar(spec, labelBytes, training), cifar(spec, labelBytes, List.of(test)));
    }

    private static Dataset cifar(NumericSpec spec, int labelBytes, List<Content> files) {
        Image shape = (Image) spec.input();
        int record = labelBytes + shape.size();
        int size = files.stream().mapToInt(file -> file.bytes().length / record).sum();
        byte[] images = new byte[size * shape.size()];
        byte[] labels = new byte[size];
        int first = 0;
        for (Content file : files) {
            new CifarFile(file, labelBytes).read(shape, spec.classes(), images, labels, first);
            first += file.bytes().length / record;
        }
        return ByteImages.of(
                shape, spec.classes(), images, labels, BRIGHTEST, spec.normalisation());
    }

    private static DatasetSplit optdigits(Optdigits spec, Content training, Content test) {
        return DatasetSplit.of(digits(spec, training), digits(spec, test));
    }

    private static Dataset digits(Optdigits spec, Content file) {
        Image shape = (Image) spec.input();
        CsvRows rows = rows(spec, file, shape.size());
        byte[] images = new byte[rows.values().length];
        for (int i = 0; i < images.length; i++) {
            float value = rows.values()[i];
            images[i] = (byte) value;
            if (images[i] != value || value < 0 || value > Optdigits.LEVELS) {
                throw file.brokenIn(
                        1 + i / shape.size(),
                        "gray levels must be from 0 to %d, but one was %s"
                                .formatted(Optdigits.LEVELS, value));
            }
        }
        byte[] labels = new byte[rows.labels().length];
        for (int i = 0; i < labels.length; i++) {
            labels[i] = (byte) rows.labels()[i];
        }
        return ByteImages.of(
                shape, spec.classes(), images, labels, Optdigits.LEVELS, spec.normalisation());
    }

    private static CsvRows rows(Optdigits spec, Content file, int features) {
        var errors = new LineErrors();
        CsvRows rows =
                new CsvParser(
                                file,
                                features,
                                CsvHeader.ABSENT,
                                LabelColumn.ofNumbers(spec.classes()),
                                errors)
                        .parse();
        errors.throwIfAny();
        return rows;
    }

    static BrownCorpus corpus(Content archive) {
        try {
            return BrownCorpus.of(
                    archive.file().toString().endsWith(".zip")
                            ? unzipped(archive)
                            : unpacked(archive));
        } catch (IOException e) {
            throw archive.brokenAt(0, e.toString());
        }
    }

    private static Map<String, byte[]> unzipped(Content archive) throws IOException {
        Map<String, byte[]> files = new HashMap<>();
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(archive.bytes()))) {
            for (ZipEntry file = zip.getNextEntry(); file != null; file = zip.getNextEntry()) {
                if (BrownCorpus.isText(file.getName())) {
                    files.put(file.getName(), zip.readAllBytes());
                }
            }
        }
        return files;
    }

    private static Map<String, byte[]> unpacked(Content archive) throws IOException {
        Map<String, byte[]> files = new HashMap<>();
        try (InputStream tar = new GZIPInputStream(new ByteArrayInputStream(archive.bytes()))) {
            TarReader.read(tar, BrownCorpus::isText, files::put);
        }
        return files;
    }
}
