package dev.equipoise.protocol.model;

import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.dataset.PublishedSpec;
import java.util.List;
import java.util.stream.IntStream;

/** Names of the classes of data sets, in the order of their labels. */
public final class ClassNames {

    private static final int DIGITS = 10;

    /** Xiao, Rasul and Vollgraf 2017, table 2. */
    private static final List<String> FASHION =
            List.of(
                    "T-shirt/top",
                    "trouser",
                    "pullover",
                    "dress",
                    "coat",
                    "sandal",
                    "shirt",
                    "sneaker",
                    "bag",
                    "ankle boot");

    /** Krizhevsky 2009, as in batches.meta of CIFAR-10. */
    private static final List<String> CIFAR_10 =
            List.of(
                    "airplane",
                    "automobile",
                    "bird",
                    "cat",
                    "deer",
                    "dog",
                    "frog",
                    "horse",
                    "ship",
                    "truck");

    private ClassNames() {}

    /** Returns the names; empty if the classes have numbers only. */
    public static List<String> of(DatasetSpec dataset) {
        return switch (dataset) {
            case PublishedSpec.Mnist _, PublishedSpec.Optdigits _ ->
                    IntStream.range(0, DIGITS).mapToObj(Integer::toString).toList();
            case PublishedSpec.FashionMnist _ -> FASHION;
            case PublishedSpec.Cifar10 _ -> CIFAR_10;
            default -> List.of();
        };
    }
}
