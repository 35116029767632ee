package dev.equipoise.protocol.dataset;

import dev.equipoise.protocol.dataset.Normalization.Standardize;
import dev.equipoise.protocol.network.Shape.Image;
import dev.equipoise.protocol.network.Shape.Tokens;
import dev.equipoise.protocol.network.Shape.Vector;
import java.net.URI;
import java.util.List;

/** The published data sets that definitions can name. */
public final class PublishedDatasets {

    private static final String UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases/";
    private static final String TORONTO = "https://www.cs.toronto.edu/~kriz/";
    private static final String GZIP = ".gz";

    public static final DatasetDescription MNIST =
            new DatasetDescription(
                    "mnist",
                    "Handwritten digits, 28x28 gray levels",
                    new Image(28, 28, 1),
                    10,
                    60_000,
                    10_000,
                    new Standardize(List.of(0.1307), List.of(0.3081)),
                    List.of(
                            new PublishedFile(
                                    "train-images-idx3-ubyte",
                                    "6bbc9ace898e44ae57da46a324031adb",
                                    "f68b3c2dcbeaaa9fbdd348bbdeb94873"),
                            new PublishedFile(
                                    "train-labels-idx1-ubyte",
                                    "a25bea736e30d166cdddb491f175f624",
                                    "d53e105ee54ea40749a09fcbcd1e9432"),
                            new PublishedFile(
                                    "t10k-images-idx3-ubyte",
                                    "2646ac647ad5339dbf082846283269ea",
                                    "9fb629c4189551a2d022fa330f9573f3"),
                            new PublishedFile(
                                    "t10k-labels-idx1-ubyte",
                                    "27ae3e4e09519cfbb04c329615203637",
                                    "ec29112dd5afa0611ce80d1b7f02629c")),
                    List.of(
                            folder("https://ossci-datasets.s3.amazonaws.com/mnist/", GZIP),
                            folder("https://storage.googleapis.com/cvdf-datasets/mnist/", GZIP)),
                    "no formal license by the authors",
                    "LeCun, Bottou, Bengio, Haffner: Gradient-based learning applied to document"
                            + " recognition. Proceedings of the IEEE 86(11):2278-2324, 1998");

    public static final DatasetDescription FASHION_MNIST =
            new DatasetDescription(
                    "fashion-mnist",
                    "Articles of clothing, 28x28 gray levels",
                    new Image(28, 28, 1),
                    10,
                    60_000,
                    10_000,
                    new Standardize(List.of(0.2860), List.of(0.3530)),
                    List.of(
                            new PublishedFile(
                                    "train-images-idx3-ubyte",
                                    "f4a8712d7a061bf5bd6d2ca38dc4d50a",
                                    "8d4fb7e6c68d591d4c3dfef9ec88bf0d"),
                            new PublishedFile(
                                    "train-labels-idx1-ubyte",
                                    "9018921c3c673c538a1fc5bad174d6f9",
                                    "25c81989df183df01b3e8a0aad5dffbe"),
                            new PublishedFile(
                                    "t10k-images-idx3-ubyte",
                                    "8181f5470baa50b63fa0f6fddb340f0a",
                                    "bef4ecab320f06d8554ea6380940ec79"),
                            new PublishedFile(
                                    "t10k-labels-idx1-ubyte",
                                    "15d484375f8d13e6eb1aabb0c3f46965",
                                    "bb300cfdad3c16e7a12a480ee83cd310")),
                    List.of(
                            folder(
                                    "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
                                    GZIP)),
                    "MIT",
                    "Xiao, Rasul, Vollgraf: Fashion-MNIST. arXiv:1708.07747, 2017");

    public static final DatasetDescription CIFAR_10 =
            new DatasetDescription(
                    "cifar-10",
                    "Photographs of ten kinds of objects, 32x32 in color",
                    new Image(32, 32, 3),
                    10,
                    50_000,
                    10_000,
                    new Standardize(
                            List.of(0.4914, 0.4822, 0.4465), List.of(0.2470, 0.2435, 0.2616)),
                    List.of(
                            PublishedFile.raw(
                                    "data_batch_1.bin", "5dd7e06a14cb22eb9f671a540d1b7c25"),
                            PublishedFile.raw(
                                    "data_batch_2.bin", "5ea93a67294ea407fff1d09f752e9692"),
                            PublishedFile.raw(
                                    "data_batch_3.bin", "942cd6a4bcdd0dd3c604fbe906cb4421"),
                            PublishedFile.raw(
                                    "data_batch_4.bin", "ae636b3ba5c66a11e91e8cb52e771fcb"),
                            PublishedFile.raw(
                                    "data_batch_5.bin", "53f37980c15c3d472c316c40844f3f0d"),
                            PublishedFile.raw(
                                    "test_batch.bin", "803d5f7f4d78ea53de84dbe85f74fb6d")),
                    List.of(
                            new Source.Archive(
                                    URI.create(TORONTO + "cifar-10-binary.tar.gz"),
                                    "c32a1d4ab5d03f1284b67883e8d87530",
                                    "cifar-10-batches-bin/")),
                    "no formal license by the authors",
                    "Krizhevsky: Learning multiple layers of features from tiny images. Technical"
                            + " report, University of Toronto, 2009");

    /** The archive stays packed, since its members have no published checksums. */
    public static final DatasetDescription CIFAR_100 =
            new DatasetDescription(
                    "cifar-100",
                    "Photographs of a hundred kinds of objects, 32x32 in color; the fine labels",
                    new Image(32, 32, 3),
                    100,
                    50_000,
                    10_000,
                    new Standardize(
                            List.of(0.5071, 0.4865, 0.4409), List.of(0.2673, 0.2564, 0.2762)),
                    List.of(
                            PublishedFile.raw(
                                    "cifar-100-binary.tar.gz", "03b5dce01913d631647c71ecec9e9cb8")),
                    List.of(folder(TORONTO, "")),
                    CIFAR_10.terms(),
                    CIFAR_10.citation());

    public static final DatasetDescription OPTDIGITS =
            new DatasetDescription(
                    "optdigits",
                    "Handwritten digits, 8x8 with 17 gray levels",
                    new Image(8, 8, 1),
                    10,
                    3823,
                    1797,
                    new Standardize(List.of(0.3077), List.of(0.3773)),
                    List.of(
                            PublishedFile.raw("optdigits.tra", "268ce7771f3f15afbc54402478b1d454"),
                            PublishedFile.raw("optdigits.tes", "a0339c30a8a5312a1b6f9e5c719dcce5")),
                    List.of(folder(UCI + "optdigits/", "")),
                    "CC BY 4.0",
                    "Alpaydin, Kaynak: Optical recognition of handwritten digits. UCI Machine"
                            + " Learning Repository, 1998");

    public static final DatasetDescription NETTALK =
            new DatasetDescription(
                    "nettalk",
                    "Pronunciation of English words: windows of seven letters",
                    new Vector(203),
                    163,
                    132_418,
                    13_229,
                    null,
                    List.of(PublishedFile.raw("nettalk.data", "3e4a546ce3339710b313406f14183dbb")),
                    List.of(folder(UCI + "undocumented/connectionist-bench/nettalk/", "")),
                    "non-commercial research",
                    "Sejnowski, Rosenberg: Parallel networks that learn to pronounce English text."
                            + " Complex Systems 1:145-168, 1987");

    public static final DatasetDescription BROWN =
            new DatasetDescription(
                    "brown",
                    "The Brown corpus: 500 American English texts of 1961",
                    new Tokens(PublishedSpec.Brown.WINDOW, PublishedSpec.Brown.VOCABULARY),
                    PublishedSpec.Brown.VOCABULARY,
                    PublishedSpec.Brown.TRAINING_WORDS,
                    PublishedSpec.Brown.TEST_WORDS,
                    null,
                    List.of(PublishedFile.raw("brown.zip", "a0a8630959d3d937873b1265b0a05497")),
                    List.of(
                            folder(
                                    "https://raw.githubusercontent.com/nltk/nltk_data/gh-pages/packages/corpora/",
                                    "")),
                    "redistribution permitted, non-commercial",
                    "Francis, Kučera: A standard corpus of present-day edited American English."
                            + " Brown University, 1964, revised 1979");

    private PublishedDatasets() {}

    public static List<DatasetDescription> all() {
        return List.of(MNIST, FASHION_MNIST, CIFAR_10, CIFAR_100, OPTDIGITS, NETTALK, BROWN);
    }

    private static Source folder(String address, String suffix) {
        return new Source.Folder(URI.create(address), suffix);
    }
}
